/* watch.h: a few blocks of a launch in which every memory instruction is examined before it runs.
 *
 *   sample   In up to eight blocks, spread evenly over the grid: how many of the sectors that
 *            global loads request has the block not requested before? An L1 cache that starts empty
 *            and never evicts within a block would request these from L2.
 *
 *   trace    In a few more, those of one SM: what their warps do (trace.h), for the model of time.
 *
 *   record   The addresses of each instruction when a warp first executes it, in block 0 or, for
 *            instructions that it does not execute, in the lowest block of the sample.
 *
 * Which blocks are watched depends on the grid alone, and what is recorded of a block on the block,
 * so both are the same for any number of threads and in both modes of a launch (machine.h).
 */
#ifndef KIT_WATCH_H
#define KIT_WATCH_H

#include <pthread.h>

#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/machine.h"

/* A block is looked at until its loads have requested so many sectors, or so many different ones
 * (three quarters of a hash table of 2 to that power): the ratio so far has to do. */
enum { SAMPLED_BLOCKS = 8, FEWEST_BLOCKS = 96, SAMPLED_SECTORS = 2 << 20, MAX_SECTOR_BITS = 21 };
enum { RECORDED_INSTRUCTIONS = 96, RECORDED_WARPS = 32 };

/* One instruction, as one block executed it. */
struct capture {
  uint64_t block;
  uint32_t ctaid[3];
  enum ptx_space space;
  struct {
    uint32_t mask; /* 0: the warp has not executed it */
    bool full;     /* with all lanes that the warp has */
    uint64_t address[LANES];
  } warps[RECORDED_WARPS];
};

/* What a launch has seen. */
struct watch {
  uint64_t block[SAMPLED_BLOCKS]; /* of the sample, ascending */
  int block_count;
  struct {
    uint64_t requested, distinct; /* sectors */
    uint64_t requests;            /* of L2, each for the new sectors of one line */
  } seen[SAMPLED_BLOCKS];
  struct block_trace *traces; /* of the blocks that are replayed, ascending */
  int trace_count;
  struct capture **captures; /* by operation; NULL: nothing is recorded */
  int op_total;
  pthread_mutex_t lock; /* of captures */
};

struct sector_entry {
  uint64_t sector;  /* or line, flagged */
  uint32_t request; /* the last that requested it; a line: for a new sector of it */
};

/* What a worker sees of the block at hand. */
struct watcher {
  bool watches;              /* a block is at hand */
  int place;                 /* in the sample, -1: not in it */
  struct block_trace *trace; /* NULL: the block is not traced */
  bool tracing;              /* the basic block at hand is */
  uint64_t requested, distinct, requests;
  struct sector_entry *sectors; /* hash table; entries from before first_request are free */
  int bits;                     /* log2 of its size */
  uint64_t entries;             /* in use */
  uint32_t request, first_request;
  struct capture **captures; /* by operation */
};

/* Chooses the blocks of the sample. False: no memory. */
bool watch_open(struct watch *watch, const struct launch_state *launch,
                const struct launch_options *options);
/* Forgets what was seen: the launch starts again. */
void watch_reset(struct watch *watch);
void watch_close(struct watch *watch);

/* value times part over whole, rounded. */
static inline uint64_t watch_scaled(uint64_t value, uint64_t part, uint64_t whole) {
  return (uint64_t)(((unsigned __int128)value * part + whole / 2) / whole);
}

/* Of a launch of which only some blocks run, those: the watched ones, and where these are few so
 * many others from all over the grid that there are FEWEST_BLOCKS, for how uneven blocks are is to
 * be seen. Ascending; returns how many. Room for SAMPLED_BLOCKS, MAX_TRACED and FEWEST_BLOCKS. */
int watch_blocks(const struct watch *watch, uint64_t block_count, uint64_t *blocks);

/* Is the block traced? */
bool watch_traces(const struct watch *watch, uint64_t block);

/* Around each block that a worker runs: sets worker->watched, as long as there is something to see.
 */
void watch_begin_block(struct worker *worker, uint64_t block);
void watch_end_block(struct worker *worker);
void watch_close_worker(struct worker *worker);
/* Before each basic block in a watched block, and before each of its operations. */
void watch_basic_block(const struct warp *warp, const struct program *program, int block);
void watch_operation(const struct warp *warp, const char *frame, const struct op *op);

/* From the sample, what a launch's loads request from L2: sets l2_load_sectors, l2_load_requests.
 * Where the sample has no loads, every sector counts, and every line of a request. */
void watch_count_l2(const struct watch *watch, struct counters *counters);

/* capture.c: the recording half. */
void capture_access(const struct warp *warp, const struct op *op, const uint64_t *address,
                    uint32_t mask);
/* Hands a worker's captures over to the launch, which keeps those of the lowest block. */
void capture_merge(struct worker *worker);
/* What was recorded, by line and then in the order of the program (malloc'ed, the caller's). False
 * if memory runs out. */
bool capture_reports(const struct launch_state *launch, struct access_report **reports, int *count);

#endif
