/* runtime_occupancy.c: the CUDA runtime API over device.h: how many blocks of a kernel a
 * multiprocessor holds (base/occupancy.c). */
#include "harness/sim/base/gpu.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static cudaError_t find(const void *function, struct kernel_info *info,
                        struct device_info *device) {
  int module;
  const char *name;
  cudaError_t error = runtime_kernel(function, &module, &name, info);
  if (!error) device_get_info(runtime_device(), device);
  return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t shared_bytes, unsigned int flags) {
  struct kernel_info info;
  struct device_info device;
  if (!blocks || block_size < 1 || flags > cudaOccupancyDisableCachingOverride)
    return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = find(function, &info, &device);
  if (error) return runtime_result(error);
  *blocks = 0;
  size_t shared = info.static_shared_bytes + shared_bytes;
  if (block_size > device.max_threads_per_block || shared > (size_t)device.shared_per_block_optin)
    return cudaSuccess;
  *blocks = occupancy_blocks(&device, block_size, info.registers, shared);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                shared_bytes, cudaOccupancyDefault);
}

/* An equal part of the multiprocessor's for each block, less what is reserved and static. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int block_size) {
  struct kernel_info info;
  struct device_info device;
  if (!bytes || blocks < 1 || block_size < 1) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = find(function, &info, &device);
  if (error) return runtime_result(error);
  if (occupancy_blocks(&device, block_size, info.registers, info.static_shared_bytes) < blocks)
    return runtime_result(cudaErrorInvalidValue);
  const struct capability *sm = gpu_capability(&device);
  size_t unit = (size_t)sm->shared_unit,
         part = (size_t)device.shared_per_sm / (size_t)blocks / unit * unit,
         most = runtime_max_dynamic_shared(&device, &info),
         used = (size_t)sm->shared_reserved + info.static_shared_bytes;
  size_t left = part > used ? part - used : 0;
  *bytes = left < most ? left : most;
  return cudaSuccess;
}
