/* launch.h: executes one launch of a decoded kernel over worker threads; see machine.h for the two
 * modes. */
#ifndef KIT_LAUNCH_H
#define KIT_LAUNCH_H

#include "kernel.h"
#include "machine.h"
#include "hazard_list.h"

struct launch_result {
  int error; /* cudaError_t of a fault in the kernel, 0 if none */
  struct counters counters;
  struct line_report *lines; /* malloc'ed, the caller's */
  int line_count;
  char *printed; /* malloc'ed, the caller's; may be NULL */
  size_t printed_bytes;
};

/* Grid, block and sizes have been checked by the caller. Hazards go into the list. False if memory
 * runs out: nothing ran. */
bool launch_run(const struct launch *launch, const struct kernel *kernel, struct memory *memory,
                const struct device_info *gpu, int threads, int64_t block_budget,
                struct hazard_list *hazards, struct launch_result *result);

#endif
