/* cuda12.h: what CUDA 13 has removed, for recording programs that were written before:
 *
 *   NVCC='nvcc -arch=native -include tests/collections/cuda12.h' tests/collections/run --record ...
 *
 * The members of cudaDeviceProp come from cudaDeviceGetAttribute, where they are now.
 */
#ifndef CUDA12_H
#define CUDA12_H
#include <cuda_runtime.h>

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit

#ifdef __cplusplus
struct device_prop_of_12 : cudaDeviceProp {
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode,
      singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
  size_t maxTexture1DLinear;
};
static inline cudaError_t get_properties_of_12(device_prop_of_12 *p, int device) {
  cudaError_t error = (cudaGetDeviceProperties)(p, device);
  int width = 0;
  if (error) return error;
  cudaDeviceGetAttribute(&p->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&p->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&p->deviceOverlap, cudaDevAttrGpuOverlap, device);
  cudaDeviceGetAttribute(&p->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&p->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&p->singleToDoublePrecisionPerfRatio,
                         cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
  cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture1DLinearWidth, device);
  p->maxTexture1DLinear = width;
  p->cooperativeMultiDeviceLaunch = 0;
  return error;
}
#define cudaDeviceProp device_prop_of_12
#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties(properties, device) get_properties_of_12(properties, device)
#endif
#endif
