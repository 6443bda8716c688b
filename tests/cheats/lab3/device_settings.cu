// Settings that make other kernels slow.
// most: 67
#include "slow.h"

void transpose(const float *in, float *out, int rows, int cols) {
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  cudaDeviceSetLimit(cudaLimitStackSize, 32 << 10);
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  slow(in, out, rows, cols);
}
