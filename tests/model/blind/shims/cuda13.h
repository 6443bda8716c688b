/* cuda13.h: names that CUDA 13 no longer has, for programs written before it. */
#pragma once
#include <cuda_runtime.h>
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define clockRate minor
#define deviceOverlap minor
#define kernelExecTimeoutEnabled minor
#define computeMode minor

/* Managed memory is advised and fetched by location since CUDA 13, not by the number of a device;
 * the programs do so on demand only, so these do nothing. */
#ifdef __cplusplus
#include <type_traits>
template <typename D>
std::enable_if_t<std::is_integral<D>::value, cudaError_t> cudaMemPrefetchAsync(const void *, size_t,
                                                                               D,
                                                                               cudaStream_t = 0) {
  return cudaSuccess;
}
template <typename D>
std::enable_if_t<std::is_integral<D>::value, cudaError_t> cudaMemAdvise(const void *, size_t,
                                                                        cudaMemoryAdvise, D) {
  return cudaSuccess;
}
#endif
