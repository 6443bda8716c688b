// A function that the driver calls later, on a thread of its own.
// most: refused
#include "slow.h"
static void later(void *) {}

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  cudaLaunchHostFunc(0, later, nullptr);
}
