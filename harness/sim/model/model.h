/* model.h: how long a launch takes on the GPU described, from a replay of a few of its blocks.
 *
 * One SM is replayed (replay.h), one with the maximum number of blocks; the others do the same
 * meanwhile. What the whole chip adds comes on top: launch overhead, dispatch of blocks, DRAM.
 */
#ifndef KIT_MODEL_H
#define KIT_MODEL_H

#include "harness/sim/base/counters.h"
#include "harness/sim/base/gpu.h"
#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"
#include "harness/sim/model/replay.h"

struct model_time {
  double ns;
  const char *bound; /* what limits it: "shared memory" */
  double demand;     /* the share of the time in which the device is busy with what is busiest */
  /* Between L2 and DRAM, if L2 is empty when the launch begins and what it stores is written back
   * in the end: each byte that it touches at least once. What a launch finds in L2 only saves time.
   */
  double dram_bytes;
};

/* What is known of a launch beforehand. */
struct model_launch {
  const struct gpu *gpu;
  const struct plan *plan;
  uint64_t block_count;
  int resident; /* blocks that an SM holds at once */
  size_t shared_bytes;
  uint64_t launch;                /* its number (memory.h), once it is over; 0: it still runs */
  uint64_t executed_blocks;       /* those that have marked what they touch */
  uint64_t waited;                /* cycles that a warp has waited by the clock, once it is over */
  const struct block_work *works; /* of all blocks, once it is over; NULL: not known */
};

/* The replays of a launch so far, and of what. Empty if count is 0. */
struct model_replays {
  struct model_replay {
    uint64_t blocks[MAX_SAMPLED];
    int block_count;
    struct sm sm;
    struct replay result;
  } made[2];
  int count;
};

/* While the launch still runs and its traced blocks are done: replays those that will represent it
 * if all blocks do what these do on average. What model_time can use of it, it need not replay. */
void model_foresee(const struct model_launch *launch, const struct block_trace *traces,
                   int trace_count, struct model_replays *replays);

/* traces: of sample_choose's blocks. counters: of the whole launch. The time does not depend on
 * the replays made before. False if memory runs out. */
bool model_time(const struct model_launch *launch, const struct block_trace *traces,
                int trace_count, const struct counters *counters, struct model_replays *replays,
                struct model_time *time);

#endif
