/* gpu_words.c: the GPU described, in words, for all that names it. */
#include <stdio.h>

#include "harness/sim/base/gpu.h"

void gpu_describe(const struct device_info *info, char *text, size_t size) {
  snprintf(text, size, "simulated %s%s", info->name,
           info->measured ? "" : " (published figures, not measured)");
}
