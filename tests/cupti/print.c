/* print.c: prints the trace that harness/gpu/activity.c makes of what CUPTI reports, or why there
 * is none (tests/e2e/activity.sh). */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "harness/gpu/activity.h"

cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

int main(void) {
  for (int round = 0; round < 2; round++) { /* one recording leaves nothing to the next */
    const char *wrong = activity_begin();
    if (wrong) return puts(wrong), 1;
    json_t *trace = activity_end();
    if (!trace) return puts("no trace"), 1;
    if (round == 1) json_dumpf(trace, stdout, JSON_INDENT(1));
    json_decref(trace);
  }
  return 0;
}
