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

struct model_time {
  double ns;
  const char *bound; /* what limits it: "shared memory" */
};

/* traces: of sample_choose's blocks. counters: of the whole launch. False if memory runs out. */
bool model_time(const struct gpu *gpu, const struct plan *plan, const struct block_trace *traces,
                int trace_count, uint64_t block_count, int resident, size_t shared_bytes,
                const struct counters *counters, struct model_time *time);

#endif
