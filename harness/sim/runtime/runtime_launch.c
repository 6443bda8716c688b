/* runtime_launch.c: the CUDA runtime API over device.h: kernels, their attributes, and their
 * occupancy. */
#include <string.h>

#include "cuda_runtime_api.h"
#include "runtime.h"

/* Finds the kernel behind a host stub; a CUDA error code. */
static cudaError_t find_kernel(const void *stub, int *module, const char **name,
                               struct kernel_info *info) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return sticky;
  if (!registration_kernel(stub, module, name)) return cudaErrorInvalidDeviceFunction;
  return (cudaError_t)device_get_kernel(runtime_device(), *module, *name, info);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  (void)stream;
  enum { MOST_PARAM_BYTES = 32764 };
  struct launch launch = {
      .grid = {grid.x, grid.y, grid.z},
      .block = {block.x, block.y, block.z},
      .shared_bytes = shared_bytes,
      .place = registration_launch_place(),
  };
  static _Thread_local struct kernel_info info; /* large */
  cudaError_t error = find_kernel(function, &launch.module, &launch.kernel, &info);
  if (error) return runtime_result(error);
  unsigned char params[MOST_PARAM_BYTES];
  if (info.param_bytes > sizeof params || (info.param_count > 0 && !arguments))
    return runtime_result(cudaErrorInvalidValue);
  memset(params, 0, info.param_bytes);
  for (int i = 0; i < info.param_count; i++)
    memcpy(params + info.params[i].offset, arguments[i], info.params[i].size);
  launch.params = params;
  return runtime_result(device_launch(runtime_device(), &launch));
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                 int value) {
  int module;
  const char *name;
  struct kernel_info info;
  cudaError_t error = find_kernel(function, &module, &name, &info);
  if (error) return runtime_result(error);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return runtime_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
    return runtime_result(cudaErrorInvalidValue);
  return runtime_result(device_set_max_shared(runtime_device(), module, name, (size_t)value));
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  int module;
  const char *name;
  struct kernel_info info;
  if (!attributes) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = find_kernel(function, &module, &name, &info);
  if (error) return runtime_result(error);
  struct device_info device;
  device_get_info(runtime_device(), &device);
  int version = device.compute_major * 10 + device.compute_minor;
  *attributes = (struct cudaFuncAttributes){
      .sharedSizeBytes = info.static_shared_bytes,
      .constSizeBytes = info.const_bytes,
      .localSizeBytes = info.local_bytes,
      .maxThreadsPerBlock = info.max_threads_per_block,
      .numRegs = info.registers,
      .ptxVersion = version,
      .binaryVersion = version,
      .maxDynamicSharedSizeBytes = device.shared_per_block - (int)info.static_shared_bytes,
      .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
  };
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  int module;
  const char *name;
  struct kernel_info info;
  (void)config;
  return runtime_result(find_kernel(function, &module, &name, &info));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  (void)config;
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

static int at_most(int limit, int value) { return value < limit ? value : limit; }

/* Blocks are limited by threads, warps' registers (given out in units of 256), shared memory (1 KiB
 * a block is reserved; units of 128 bytes) and slots: CUDA C++ Programming Guide, "Compute
 * Capabilities". */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t shared_bytes) {
  enum { REGISTER_UNIT = 256, SHARED_RESERVED = 1024, SHARED_UNIT = 128 };
  int module;
  const char *name;
  struct kernel_info info;
  if (!blocks || block_size < 1) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = find_kernel(function, &module, &name, &info);
  if (error) return runtime_result(error);
  struct device_info device;
  device_get_info(runtime_device(), &device);
  *blocks = 0;
  if (block_size > at_most(device.max_threads_per_block, info.max_threads_per_block))
    return cudaSuccess;

  int warps = (block_size + device.warp_size - 1) / device.warp_size;
  int limit =
      at_most(device.max_blocks_per_sm, device.max_threads_per_sm / (warps * device.warp_size));
  int registers =
      (info.registers * device.warp_size + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
  if (registers > 0) limit = at_most(limit, device.registers_per_sm / (registers * warps));
  size_t shared = info.static_shared_bytes + shared_bytes;
  if (shared > (size_t)device.shared_per_block_optin) return cudaSuccess;
  shared = (shared + SHARED_RESERVED + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
  *blocks = at_most(limit, (int)((size_t)device.shared_per_sm / shared));
  return cudaSuccess;
}
