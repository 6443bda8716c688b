/* machine.h: a running launch's state: launch, worker, block, warp; what access.h checks memory by.
 *
 * A launch is executed by workers, one per thread, each taking the next block that nobody has.
 * Warps of a block run in order, each until it ends or waits at a barrier. Two modes:
 *
 *   canonical   one worker, blocks in order. What happens here is the definition of the result.
 *
 *   optimistic  all workers at once. If anything happens whose outcome could depend on the order of
 *               blocks - any hazard, any two blocks touching the same word with a write among them
 *               - the launch is undone and done again canonically.
 *
 * So results, counts and messages are the same for any number of threads. Hazards need no locks.
 */
#ifndef KIT_MACHINE_H
#define KIT_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "harness/sim/base/counters.h"
#include "harness/sim/base/error.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/base/report_lists.h"
#include "harness/sim/base/shadow.h"
#include "harness/sim/decode/isa.h"
#include "harness/sim/exec/affine_state.h"
#include "harness/sim/exec/children.h"
#include "harness/sim/exec/map.h"

/* Loops over the lanes i of a mask, in order. */
#define EACH_ACTIVE(i, mask)                                                                     \
  for (int left_##i = (int)(mask), i; left_##i && (i = __builtin_ctz((unsigned)left_##i), true); \
       left_##i = (int)((unsigned)left_##i & ((unsigned)left_##i - 1)))

/* A shared array of the kernel: [start, start + size) of the block's shared memory, then a gap. */
struct shared_array {
  const char *name; /* demangled, "a" */
  uint32_t start, size;
  bool dynamic; /* extern __shared__ */
};

/* A load from shared memory whose read tags are not set yet: they matter only if a store follows
 * before the next barrier. */
struct read_entry {
  const struct op *op;
  const struct memo *memo;          /* what was known of it at that time */
  const struct affine_group *group; /* all loads of it; NULL: op alone */
  uint32_t offset;                  /* of the first lane; of a group without those of its loads */
  int over;                         /* from one warp's offset to the next's */
  int warp, warps;                  /* the first, and how many */
};
enum { READ_LOG = 4096, KEPT_MEMOS = 8 };

/* A read of shared memory that nobody had written yet. */
struct unwritten {
  const struct op *op;
  uint32_t offset;
  int thread;
};
enum { MAX_UNWRITTEN = 1024 };

/* The last access pattern of an operation: the same lanes at the same distances touch the same
 * banks and, at the same offset in a 128-byte line, the same sectors. */
enum pattern { PATTERN_UNIFORM, PATTERN_CONTIGUOUS, PATTERN_GENERAL };
enum { MAX_GRANULES = LANES * 16 };
struct memo {
  uint64_t key;              /* the mask, and the worker's block: worker->block_key | mask */
  uint32_t mask;             /* 0: nothing learned yet */
  uint8_t phase, phase_mask; /* accesses under 4 bytes: the address modulo 4 matters too */
  uint8_t layout;            /* enum affine_layout, if the mask has all lanes that exist */
  int last_read;             /* in block->reads: where it was last logged, if it was */
  bool repeats;              /* every 8 lanes are at the same addresses; set with layout */
  bool far;       /* lanes are so far apart that they may be in different spaces or arrays */
  bool collides;  /* several lanes at one address */
  bool aligned;   /* all deltas are multiples of the access size */
  bool gaps;      /* the mask is not one of successive lanes */
  bool is_shared; /* an access to shared memory */
  int array;      /* shared: index in launch->arrays; set with from and to */
  enum pattern pattern;
  int64_t x, y;      /* its steps, if it is affine */
  int64_t low, high; /* bytes from the first address: [low, high) covers all lanes */
  uint64_t from, to; /* bounds of the array: lanes within are valid */
  struct allocation *allocation;
  int64_t part[AFFINE_PARTS]; /* delta of lanes 0, 8, 16, 24 */
  int64_t delta[LANES];       /* from the first active lane's address; 0 for inactive lanes */
  uint16_t wavefronts, ideal; /* shared: of a load */
  uint16_t store_wavefronts, store_ideal;
  uint16_t lane_count;
  uint32_t distinct_bytes;
  uint32_t requested_bytes;         /* by all lanes */
  uint8_t sectors[128], lines[128]; /* by address modulo 128; 0: not yet counted */
  uint8_t spread[128];              /* set with sectors: index in op_counts.spread */
  const struct allocation *counted; /* of the group's op_counts; NULL: shared or local memory */
  /* the distinct granules (1, 2 or 4 bytes) that lanes touch, and whose each is (LANES: several) */
  int granule_shift;
  int granule_count;
  bool dense;            /* each follows the one before it, from the first address */
  bool in_order;         /* and so do their lanes, one for each */
  int granules_each;     /* of an element: as many in a row have the same lanes */
  uint32_t lanes[LANES]; /* of each distinct element, in the order of its granules */
  /* If they are whole rows, each of consecutive lanes (shadow.h): the rows, from the first
   * address, and the first lane of each; else row_count is 0. */
  int row_count;
  int32_t row[LANES / ROW_GRANULES];
  uint8_t row_lane[LANES / ROW_GRANULES];
  /* By granule, last, as only so many are copied (pattern.c). */
  uint8_t granule_lane[MAX_GRANULES]; /* lane, or LANES if several */
  int32_t granule[MAX_GRANULES];      /* byte offset from the first address */
};

/* Patterns that an operation had before the one in its memo: one, or more if their masks differ, as
 * the steps of a reduction's do. */
enum { MAX_FORMERS = 6 };
struct formers {
  int count, next; /* next: to be overwritten */
  struct memo *memo[MAX_FORMERS];
  struct memo *made[MAX_FORMERS]; /* what is to be freed */
};

struct frame_record { /* a function call in progress */
  const struct program *program;
  char *frame;           /* registers */
  char *params;          /* the per-lane parameter area */
  uint64_t local_offset; /* of this function's variables in each thread's local space */
  uint32_t returned;     /* lanes that have executed ret */
  int stack_base;
  int return_block;
  const struct call_site *site;
};

struct stack_entry {
  int block, reconverge;
  uint32_t mask;
};

enum { MAX_CALLS = 256, MAX_STACK = 4096 };

/* Lanes have called a warp-wide operation whose mask names others that were elsewhere. Those may
 * still call it, or return from the kernel; if they go on beside the callers without having called,
 * it is a hazard. */
struct awaited {
  const struct op *op;
  const char *what; /* "__shfl_sync()" */
  uint32_t callers, missing;
};
enum { MAX_AWAITED = 4 };

/* What a warp saw when it last polled: if it sees the same again and again while nothing is stored,
 * it is waiting. */
struct poll {
  const struct op *op;
  uint64_t seen, stores;
};
enum { POLLS = 4 };

/* The warp's looks at the clock in a row (clock.h): at which operation, since when; and how long it
 * has waited by the clock in all. */
struct clock_wait {
  int op, looks;
  int64_t first, last, waited;
  uint64_t stores;
};

enum warp_state { WARP_READY, WARP_WAITING, WARP_DONE };

struct warp {
  struct block *block;
  struct worker *worker;
  uint32_t mask; /* active lanes of the current operation */
  uint32_t live; /* lanes that exist and have not exited */
  uint32_t exist;
  int index; /* in the block */
  /* Earlier accesses of the warp are ordered: the last __syncwarp of all its lanes. */
  access_tag synced;
  /* [i][j]: earlier accesses of lane j are ordered before what lane i does. NULL: there was no
   * __syncwarp of only some lanes yet. */
  access_tag (*lane_synced)[LANES];
  uint32_t barrier_mask;
  int barrier_line;
  const struct basic_block *barrier_block;
  enum warp_state state;
  int64_t executed; /* warp instructions */
  bool stop;        /* a fault ended the launch */
  bool yields;      /* it polls what only others can change, so they run first */
  struct poll polls[POLLS];
  const struct op *polled; /* last */
  uint64_t polled_at;      /* address */
  int poll_rounds, vain_yields;
  struct clock_wait clock;
  int awaited_count;
  struct awaited awaited[MAX_AWAITED];
  struct frame_record *calls;
  int call_depth; /* of the current function; 0 is the kernel */
  struct stack_entry *stack;
  int stack_size, stack_limit;
  struct path *paths;                    /* paths that do not run at the moment (paths.h) */
  int path_count, path_room, path_depth; /* path_depth: call depth at which they diverged */
  struct affine_state
      *affine; /* its own, or the block's (lockstep.h); NULL: the program has none */
  struct affine_state *own_affine;
  const struct op *resume; /* where it goes on in its basic block; NULL: at the start */
  struct async *async;     /* async.h; NULL: nothing is pending */
  uint32_t tid[3][LANES];
  uint32_t laneid[LANES];
};

/* bar.sync a, b: one of a block's 16 named barriers, or one of those that its tiles have
 * (include/cooperative_groups/kit_wide_tile.h). */
enum {
  PTX_BARRIERS = 16,
  TILE_BARRIERS = 1 << 16, /* the number of the first one of ours, for tiles of several warps */
  TILES = 31,              /* of 1024, 512, 256, 128 and 64 threads in a block */
  NAMED_BARRIERS = PTX_BARRIERS + TILES,
  MAX_WARPS = 32
};
struct named_barrier {
  uint32_t warps, waiting;      /* that have arrived; of those, that wait */
  uint32_t threads;             /* after which it opens */
  access_tag joined[MAX_WARPS]; /* by warp: what is ordered before it opens */
};
struct named_barriers {
  struct named_barrier barrier[NAMED_BARRIERS];
  /* [w][v]: earlier accesses of warp v are ordered before what warp w does. */
  access_tag synced[MAX_WARPS][MAX_WARPS];
};

/* A block in flight: its warps, registers and memory. A worker reuses one for block after block;
 * blocks that wait for each other have one each (schedule.c). */
struct block {
  struct worker *worker;
  uint64_t linear; /* index in the grid */
  uint32_t ctaid[3];
  int64_t budget;           /* warp instructions left in its slice (slice.h) */
  int64_t granted, charged; /* warp instructions so far; of those, charged to the launch */
  int64_t extra;            /* of those: none, but steps that are charged as some */
  int64_t look_at;          /* when it is next held against what it was (cycle.h) */
  bool polled, polled_host; /* global and managed memory, since await_look (await.h) */
  uint32_t exited;          /* threads that have returned */
  int exit_line;
  bool interrupted;    /* other blocks run before it goes on (schedule.h) */
  bool has_atomics;    /* on shared memory */
  bool parted;         /* threads have missed a barrier: later barriers are not checked */
  access_tag together; /* the interval in which its warps last ran in lockstep */
  access_tag start;    /* clock when it began */
  struct span span;
  struct warp *warps;
  int warp_count;
  char *registers;
  unsigned char *local;
  unsigned char *shared;
  struct shadow shadow;          /* of shared memory */
  struct affine_state *lockstep; /* of all warps; NULL: they never run in lockstep */
  struct read_entry *reads;      /* since the last barrier, store or __syncwarp */
  int read_count;
  access_tag reads_tagged;     /* clock when read tags were last set in shared memory */
  struct unwritten *unwritten; /* in this interval, canonical mode */
  int unwritten_count;
  struct named_barriers *named; /* NULL until one is used */
  struct mbarriers *mbarriers;  /* mbarrier.h; NULL until one is used */
  struct cycle *cycle;          /* cycle.h; NULL until it has run for long */
  struct thread_sync *threads;  /* sync.h; NULL until one is needed */
  uint32_t child_turn;          /* launches into its default stream so far */
  uint16_t *child_errors;       /* of launches, by thread (children.h); NULL until there is one */
  uint32_t releaser;            /* sync.h */
  bool fences[2];               /* by enum scope: was one executed since the last barrier? */
  /* By shared array: the interval in which all of it is known to have been written before the
   * interval began (so loads need no check), or known not to have been. */
  access_tag clean[64], unclean[64];
  /* Where no more races are reported: the start of the block in which all of it is known to have
   * been written; the interval in which it was last seen not to have been. */
  access_tag written[64], unwritten_in[64];
};

/* What one worker counts for a memory operation. Requests, sectors and bytes of global accesses are
 * kept apart by sectors per requested byte (traffic_spread), lest efficient ones hide others. */
struct op_counts {
  uint64_t requests, lines, bytes, used, words, wavefronts, ideal;
  uint64_t turn_sectors; /* of an atomic, over all its turns (pattern.c) */
  struct {
    uint64_t requests, sectors, bytes;
  } spread[SPREADS];
};

/* How often in a row a basic block's affine form did not hold (misses): the more often, the more
 * executions go by before it is tried again (skips). And how often warps in lockstep parted there:
 * after too many they do not come together until so many more blocks have begun (rest): those at
 * the edge of a grid are often unlike the others. */
enum { MISSES_A_SKIP = 8, MAX_MISSES = 5 * MISSES_A_SKIP };
enum { MAX_PARTINGS = 16, FEW_ATTEMPTS = 4, MAX_REST = 64 };
struct attempts {
  uint8_t misses, skips, partings, rest, last_rest;
  bool is_long; /* a loop of so many rounds that each warp had better run them at once */
};

/* What one worker counts of a basic block; summed when the launch is over. */
struct block_counts {
  uint64_t executed, lanes, divergent;
};

struct worker {
  struct launch_state *launch;
  struct block *block; /* the one whose turn it is */
  access_tag now;      /* the tag of an access at this moment, but for the thread */
  size_t frame_bytes;  /* registers of a warp, calls included */
  size_t local_bytes;  /* a thread, calls included */
  struct memo **memos; /* by op->group */
  struct memo *first_memos;
  struct formers *formers;      /* patterns before that, by the same; they often come back */
  struct memo kept[KEPT_MEMOS]; /* to which loads refer that were logged before a memo changed */
  int kept_count;
  uint64_t block_key;          /* different for each block, in the upper 32 bits (memo.key) */
  uint64_t *hits;              /* by op index: executions of the memo's pattern not yet counted */
  struct op_counts *op_counts; /* by op index: for the allocation in its memo */
  struct map accounts;         /* of the others (tally.h) */
  /* Of the affine form: executions of each group that are not yet in hits, those of global loads
   * also by address modulo 128; rows for what chains read. */
  uint64_t *group_hits;
  uint32_t (*group_phases)[128];
  char *scratch;
  struct attempts *attempts; /* by basic block */
  struct block_counts *block_counts;
  struct watcher *watcher;       /* watch.h; NULL until it is needed */
  bool watched;                  /* the block at hand is, until nothing more is looked for */
  uint64_t stores;               /* so far: whether something changes */
  struct tag_counts *tag_counts; /* by window of the allocation */
  uint64_t random;               /* of a shuffled schedule */
  bool lanes_wait;               /* some warp had to split into paths */
  char *printed;
  size_t printed_bytes, printed_room;
  struct children children;
  bool out_of_memory;
};

static inline struct tag_counts *tag_counts(struct worker *worker, const struct allocation *a) {
  return &worker->tag_counts[a->window];
}

/* Of a block, warp instructions that it executed, as slice.h counts
 * them, and those of its longest warp. */
struct block_work {
  float instructions, longest;
};

struct device_info;
struct launch_state {
  const struct kernel *kernel;
  struct memory *memory;
  const struct program *program;
  const struct isa *isa;
  uint32_t grid[3], dim[3]; /* blocks, threads */
  uint64_t block_count;
  int threads_per_block;
  bool runs_affine;   /* the program's affine form is used */
  bool always_affine; /* even where a warp has nothing to gain */
  const unsigned char *params;
  uint32_t dynamic_shared;
  const struct device_info *gpu;
  int sm_count, line; /* line: of the launch */
  const struct shared_array *arrays;
  int array_count;
  uint32_t shared_span;        /* bytes of the shared window in use, gaps included */
  int shared_shift;            /* log2 of the shared granule */
  int global_shift;            /* log2 of the granule of race tags in global memory */
  int64_t budget;              /* warp instructions that the launch may execute */
  uint64_t whole_budget;       /* of the whole submission, for messages */
  atomic_int_least64_t spent;  /* of them */
  atomic_int_least64_t waited; /* by the warp that waited longest (clock.h) */
  struct block_work *works;    /* by block; NULL: nobody wants to know */
  access_tag begin;            /* earlier tags are of earlier launches */
  bool cooperative;            /* the launch */
  bool canonical;
  bool together;         /* canonical mode: warps may run in lockstep as long as nothing is found
                            (lockstep.h) */
  bool warps_mattered;   /* but something was: it must run again, warp after warp */
  atomic_bool raced;     /* optimistic mode: it met a race */
  struct crowds *crowds; /* canonical mode */
  struct sync *sync;     /* order by fences and flags (sync.h); NULL: this kernel has no fences */
  const struct schedule *schedule;
  struct turn *turns; /* canonical mode: which block ran when (schedule.h) */
  size_t turn_count, turn_room;
  atomic_bool conflict; /* optimistic mode: undo and run canonically */
  bool stopped;         /* canonical mode: a fault ended the launch */
  bool rehearses;       /* canonical mode: this run is for its hazards only */
  bool asks;            /* a block has polled what others may store (await.h) */
  bool others_ran;      /* since it began */
  bool alone;           /* they will not any more */
  int64_t asked_at;     /* `spent` when they last ran */
  enum cudaError error; /* of the fault */
  atomic_uint_least64_t next_block;
  atomic_int next_traced, traced_done; /* optimistic mode: of options->traced, which run first */
  /* Of a sample: the blocks that run first, ascending; NULL: it is none. `rest`: so do the others;
   * other_at, other: the next of them, and the next of `only` that it may not be. */
  const uint64_t *only;
  uint64_t only_count, other_at, other;
  bool rest;
  const struct launch_options *options;
  struct watch *watch;     /* watch.h */
  struct streams *streams; /* stream_race.c; NULL: all other work is ordered before this launch */
  struct work *work;
  struct hazard_list *hazards;
  uint64_t noted[HAZARD_KINDS]; /* occurrences so far, without warnings */
  const struct op *const *ops;  /* all operations of the module by index */
  int op_total;
};

#endif
