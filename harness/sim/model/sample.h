/* sample.h: which blocks of a launch stand for all of them.
 *
 * Some are traced while the launch runs: those of a few SMs, if blocks are dealt out to SMs in
 * turn, as many as an SM holds at once, and the same from other parts of the grid. Which ones
 * depends on the seed, so that a kernel cannot know them. When all blocks are done, their counts
 * are compared with those of all: blocks that skip work do not represent the others.
 */
#ifndef KIT_SAMPLE_H
#define KIT_SAMPLE_H

#include "harness/sim/base/counters.h"
#include "harness/sim/base/gpu.h"
#include "harness/sim/exec/trace.h"

enum { SAMPLED_WAVES = 3 }; /* of blocks that an SM holds at once */

/* The blocks to trace, ascending, up to MAX_TRACED; returns how many. seed 0: those in the middle.
 * The first and the last block are traced besides: they may do what no other does.
 * warps: of a block; resident: blocks that an SM holds at once. *room: words of a warp's trace. */
int sample_choose(const struct gpu *gpu, uint64_t seed, uint64_t block_count, int warps,
                  int resident, uint64_t *blocks, uint32_t *room);

/* The blocks that represent the launch. The traces are shallow copies. */
struct sample {
  struct block_trace traces[MAX_SAMPLED];
  int count;           /* 0: no block was traced */
  double instructions; /* per block, as far as it is traced */
  bool even;           /* all blocks have about as many */
  double burden;       /* memory work per instruction in all blocks over that in these; 1: equal */
};

/* The traced blocks of one SM if they do what all do on average; of several SMs, each as often as
 * it has instructions, if none does. counters: of the whole launch. */
void sample_take(const struct gpu *gpu, const struct block_trace *traces, int trace_count,
                 uint64_t block_count, const struct counters *counters, struct sample *sample);

/* Instructions that a traced block has executed. */
double executed_of(const struct block_trace *trace);

/* What sample_take looks at of a launch's counters if all blocks do what the traced ones do. */
void sample_estimate(const struct gpu *gpu, const struct block_trace *traces, int trace_count,
                     uint64_t block_count, struct counters *counters);

#endif
