/* model.h: how long a launch takes on the GPU described, from a replay of a few of its blocks.
 *
 * One SM is replayed (replay.h), the one with most blocks; the others do the same meanwhile. What is
 * of the whole chip comes on top: launch overhead, dispatch of blocks, DRAM.
 */
#ifndef KIT_MODEL_H
#define KIT_MODEL_H

#include "counters.h"
#include "gpu.h"
#include "plan.h"
#include "trace.h"

/* Which blocks are traced: some that one SM holds at once, if blocks are dealt out to SMs in turn, and
 * the same from other parts of the grid. Which SM and which parts depends on the seed (0: those in the middle), so
 * that a kernel cannot know which blocks stand for the others. Writes up to MOST_TRACED, ascending; returns how many.
 * *room: words of a warp's trace. */
int model_choose_blocks(const struct gpu *gpu, uint64_t seed, uint64_t block_count, int warps,
                        int resident, uint64_t *blocks, uint32_t *room);

struct model_time {
  double ns;
  const char *bound; /* what the time is spent on: "shared memory" */
};

/* False if memory runs out. counters: of the whole launch, against which the traced blocks are checked. */
bool model_time(const struct gpu *gpu, const struct plan *plan, const struct block_trace *traces,
                int trace_count, uint64_t block_count, int resident, size_t shared_bytes,
                const struct counters *counters, struct model_time *time);

#endif
