/* budget.h: how much a submission may make the device do, and how much it has done.
 *
 * It is counted in simulated work, never in time, so that it is the same on every machine, at any
 * load and for any number of threads. One budget is for all cases of a grading, in whichever
 * processes they run.
 */
#ifndef KIT_BUDGET_H
#define KIT_BUDGET_H

#include <stddef.h>
#include <stdint.h>

struct budget {
  uint64_t instructions; /* warp instructions; other expensive steps count as some (exec/slice.h) */
  uint64_t bytes;        /* allocated, copied and filled by calls of the runtime */
  uint64_t
      calls; /* of the runtime API that reach the device: launches, copies, allocations, events */
};

/* "35 billion", "1.25 million", "4096"; in text, of 40 bytes or more. */
const char *budget_text(uint64_t number, char *text, size_t size);

#endif
