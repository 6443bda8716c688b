// Settings that are asked for before a kernel needs them.
// least: 82
#include "good.h"

void transpose(const float *in, float *out, int rows, int cols) {
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  cudaDeviceSetLimit(cudaLimitStackSize, 4096);
  cudaFuncSetCacheConfig(good_kernel, cudaFuncCachePreferL1);
  good(in, out, rows, cols);
}
