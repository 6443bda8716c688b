/* replay.h: runs the traces of some blocks on a model of one SM, instruction by instruction, and
 * returns how long it takes.
 *
 * The SM has four schedulers; each issues an instruction a cycle for the warp that has been ready
 * longest. A warp goes on in the order of the plan; an instruction waits for its inputs and for its
 * unit. L1 is a cache of the SM's own, shared by the resident blocks. Of L2's and DRAM's rates the
 * SM has its share (share.h).
 */
#ifndef KIT_REPLAY_H
#define KIT_REPLAY_H

#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"

/* In cycles of the SM. */
struct sm {
  double block_interval;        /* from one block's start to the next one's */
  double block_warp;            /* from one warp's start to the next one's of a block */
  double block_turn;            /* from the end of a block to the start of the one in its place */
  double branch;                /* a branch that is taken */
  double predicate;             /* from the comparison's result to the branch */
  double reads[4];              /* more for an instruction with so many fresh operands of three */
  double barrier, barrier_warp; /* a barrier: at the end, and for each warp */
  double shared_add;            /* an atomic on shared memory: for each lane at one */
  double shared_loop, shared_loop_latency; /* address; if it is a loop: its time, its latency */
  double shared_wavefront;                 /* a wavefront of shared memory */
  double shared_latency, l1_latency, l2_latency, dram_latency;
  int l1_lines;      /* capacity, of 128 bytes */
  double l1_line;    /* a load of one of them, at least */
  double l2_shortly; /* so many halves of lines it may request, and L2 keeps them for certain */
  double l2_line, l2_sector; /* a load of one line takes as long as the longer of a line and */
  double store_unit;         /* its sectors. Stores: a unit a sector, and */
  double port_line, port_sector, port_unit; /* the same of the SM's own way to L2 */
  double store_missing;                     /* units more for each word that a line leaves out */
  double atomic_sector, returning_sector;
  double atomic_turn;    /* L2 serialises atomics on 512 bytes: of all SMs that have one there, */
  double atomic_next;    /* each further sector of a request, or if no word is left out */
  double atomic_sum;     /* until a floating-point number can be added to a word again */
  double dram_half_line; /* 64 bytes of an array, and what is stored meanwhile */
  double dram_local;     /* 64 bytes of local memory */
  double atomic_part;    /* of the places with atomic operations, those that all blocks have */
  double dram_random, dram_random_store; /* a sector that lies anywhere; to store a part of one */
  double dram_queue;                     /* additional latency of DRAM when it is half busy; */
  double dram_mixed_queue;               /* more, on average, as it writes meanwhile */
  double dram_spread;                    /* of its latency, the mean of what differs by line */
  struct sm_array {                      /* of the launch; lines are numbered as in traces */
    uint32_t first, lines;
    double outside;  /* of half lines requested from L2, the share that DRAM must fetch: of those */
    double lost;     /* that had not been requested before; of the others */
    double anywhere; /* the same of those that lie anywhere; 0: L2 keeps the array */
  } arrays[TRACED_ARRAYS];
  int array_count;
  double local_outside; /* of sectors of local memory that L2 is asked for, the share of DRAM */
};

/* What keeps the SM busy. */
/* clang-format off */
#define KIT_BUSIES(X) \
  X(ISSUE, "instruction issue") X(FP32, "fp32 arithmetic") X(ALU, "integer arithmetic") \
  X(SFU, "special functions") X(FP64, "fp64 arithmetic") X(TENSOR, "tensor cores") X(L1, "L1") \
  X(SHARED, "shared memory") \
  X(L2_LOADS, "L2 loads") X(L2_STORES, "L2 stores") X(ATOMICS, "atomics") X(DRAM, "DRAM") \
  X(DISPATCH, "block dispatch")
#define X(name, text) BUSY_##name,
enum busy { KIT_BUSIES(X) BUSIES };
#undef X
/* clang-format on */

enum { REPLAY_DISTANCES = 48 };

struct replay {
  double cycles; /* until the last block ended */
  int blocks;    /* so many */
  double rate;   /* cycles from one block's end to the next one's, once that is steady; else what
                    the instructions tell that were issued while as many were resident as fit */
  uint64_t instructions;      /* warp instructions replayed */
  uint64_t requested, missed; /* sectors of global loads, and those not in L1 */
  uint64_t random;            /* of the missed ones, those that lie anywhere */
  struct {
    uint64_t missed;       /* those that do not */
    uint64_t first, again; /* their halves of lines: not requested before, and the others */
    uint64_t scattered;    /* sectors that lie anywhere, whether loaded, stored or updated */
    /* Of those, by how many halves of lines have been requested in between, in quarters of octaves
     * from l2_shortly on. */
    uint32_t later[REPLAY_DISTANCES];
  } of[TRACED_ARRAYS];
  struct {                    /* global stores to what does not lie anywhere: */
    uint64_t sectors, halves; /* and halves of lines */
    uint64_t parts, missing;  /* sectors of stores that leave words out, and those words */
  } stored;
  struct {
    uint64_t missed, stored; /* sectors of local memory: loads that are not in L1, and stores */
    uint64_t lines;          /* that some load has missed or some store has met */
  } local;
  double busy[BUSIES]; /* cycles */
};

/* Replays blocks, `resident` at once, until it is known how fast they end while the SM is full, at
 * most `count`; `all`: there are no more, so all of them. even: they are equally long; else each
 * trace counts as often. Block i does what traces[i % trace_count]
 * did, with other lines once the traces repeat. False if memory runs out. */
bool replay_run(const struct plan *plan, const struct block_trace *traces, int trace_count,
                int count, bool all, bool even, int resident, const struct sm *sm,
                struct replay *result);

#endif
