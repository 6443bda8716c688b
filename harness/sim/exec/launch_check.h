/* launch_check.h: the checks that CUDA makes before a kernel starts. */
#ifndef KIT_LAUNCH_CHECK_H
#define KIT_LAUNCH_CHECK_H

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/launches.h"
#include "harness/sim/decode/kernel.h"

enum { LAUNCH_CHECK_TEXT = 512 }; /* bytes that `why` needs at most */

/* Grid, block and shared memory of a launch. Returns what cudaGetLastError then does:
 * cudaErrorInvalidConfiguration, or cudaErrorInvalidValue for launch bounds and shared memory; and
 * why, as a sentence. */
int launch_check(const struct device_info *gpu, const struct kernel *kernel,
                 const struct launch *launch, char *why, size_t size);

#endif
