/* simulated.c: which GPU a grade's times were modelled for, in words, where it is not the one that
 * all gradings have unless another one is asked for. */
#include <string.h>

#include "grader/show/show.h"
#include "harness/sim/base/gpu.h"

char *simulated_words(const struct grade *grade) {
  static const char simulated[] = "simulated ", published[] = " (published figures";
  struct gpu gpu;
  char error[256], built_in[GPU_WORDS];
  if (!grade->device || strncmp(grade->device, simulated, sizeof simulated - 1) != 0) return NULL;
  if (!gpu_read(&gpu, NULL, error, sizeof error)) return NULL;
  gpu_describe(&gpu.info, built_in, sizeof built_in);
  if (strcmp(grade->device, built_in) == 0) return NULL;
  bool measured = !strstr(grade->device, published);
  return xprintf("Modelled for: %s.%s", grade->device + sizeof simulated - 1,
                 measured ? "" : " How far its times are off is not known: " UNMEASURED_ERROR);
}
