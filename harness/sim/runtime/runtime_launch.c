/* runtime_launch.c: the CUDA runtime API over device.h: kernels and their attributes. */
#include <string.h>

#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/host_threads.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

cudaError_t runtime_kernel(const void *stub, int *module, const char **name,
                           struct kernel_info *info) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return sticky;
  if (!registration_kernel(stub, module, name)) return cudaErrorInvalidDeviceFunction;
  return (cudaError_t)device_get_kernel(runtime_device(), *module, *name, info);
}

static cudaError_t launch_kernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes, cudaStream_t stream, bool cooperative) {
  struct source_place place = registration_launch_place();
  struct cudaKernelNodeParams params = {.func = (void *)(uintptr_t)function,
                                        .gridDim = grid,
                                        .blockDim = block,
                                        .sharedMemBytes = (unsigned)shared_bytes,
                                        .kernelParams = arguments};
  cudaError_t forbidden = runtime_sticky();
  if (forbidden == cudaErrorNotPermitted) return forbidden;
  if (runtime_is_legacy(stream) && capture_forbids(stream, false, &forbidden)) return forbidden;
  bool captured = capture_is_on(stream), waits = !captured && backlog_defers(stream);
  if (!captured && !waits) return runtime_launch(&params, shared_bytes, place, stream, cooperative);
  struct graph_work work = {.place = place};
  cudaError_t error = work_kernel(&work, &params);
  work.kernel.cooperative = cooperative;
  if (waits) return backlog_add(stream, &work, error);
  capture_work(stream, &work, error, &error);
  return error;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return runtime_result(
      launch_kernel(function, grid, block, arguments, shared_bytes, stream, false));
}

cudaError_t runtime_launch(const struct cudaKernelNodeParams *params, size_t shared_bytes,
                           struct source_place place, cudaStream_t stream, bool cooperative) {
  enum { MAX_PARAM_BYTES = 32764 };
  dim3 grid = params->gridDim, block = params->blockDim;
  void **arguments = params->kernelParams;
  struct launch launch = {
      .grid = {grid.x, grid.y, grid.z},
      .block = {block.x, block.y, block.z},
      .shared_bytes = shared_bytes,
      .place = place,
      .cooperative = cooperative,
      .beside_host = managed_any() && host_threads_are_several(),
  };
  static _Thread_local struct kernel_info info; /* large */
  cudaError_t error = runtime_kernel(params->func, &launch.module, &launch.kernel, &info);
  if (!error && !runtime_stream(stream, &launch.stream)) error = cudaErrorInvalidResourceHandle;
  if (error) return error;
  unsigned char packed[MAX_PARAM_BYTES];
  if (info.param_bytes > sizeof packed || (info.param_count > 0 && !arguments))
    return cudaErrorInvalidValue;
  memset(packed, 0, info.param_bytes);
  for (int i = 0; i < info.param_count; i++) {
    memcpy(packed + info.params[i].offset, arguments[i], info.params[i].size);
    mapped_translate_argument(packed + info.params[i].offset, info.params[i].size);
  }
  launch.params = packed;
  launch.param_bytes = info.param_bytes;
  managed_report();
  int code = device_launch(runtime_device(), &launch);
  backlog_launched(stream);
  managed_guard();
  return (cudaError_t)code;
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  int blocks = 0;
  struct device_info device;
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  cudaError_t error = threads > 0 && threads <= INT32_MAX
                          ? cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                &blocks, function, (int)threads, shared_bytes)
                          : cudaErrorInvalidConfiguration;
  if (error) return runtime_result(error);
  device_get_info(runtime_device(), &device);
  if ((uint64_t)grid.x * grid.y * grid.z > (uint64_t)blocks * (uint64_t)device.sm_count)
    return runtime_result(cudaErrorCooperativeLaunchTooLarge);
  return runtime_result(
      launch_kernel(function, grid, block, arguments, shared_bytes, stream, true));
}

/* Attributes are hints but for one: that all blocks of the grid are to run at a time. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) {
  if (!config || (config->numAttrs > 0 && !config->attrs))
    return runtime_result(cudaErrorInvalidValue);
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttribute *attribute = &config->attrs[i];
    switch (attribute->id) {
      case cudaLaunchAttributeCooperative:
        cooperative = attribute->val.cooperative != 0;
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributePriority:
        break;
      default: /* by its number: the compiler refuses the name */
        return runtime_result(
            runtime_unsupported("cudaLaunchKernelEx with this attribute", runtime_line()));
    }
  }
  return (cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
      function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
      config->stream);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                 int value) {
  int module;
  const char *name;
  struct kernel_info info;
  cudaError_t error = runtime_kernel(function, &module, &name, &info);
  if (error) return runtime_result(error);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return runtime_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
    return runtime_result(cudaErrorInvalidValue);
  return runtime_result(device_set_max_shared(runtime_device(), module, name, (size_t)value));
}

size_t runtime_max_dynamic_shared(const struct device_info *device,
                                  const struct kernel_info *info) {
  size_t by_default = (size_t)device->shared_per_block;
  return info->max_dynamic_shared > by_default ? info->max_dynamic_shared
                                               : by_default - info->static_shared_bytes;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  int module;
  const char *name;
  struct kernel_info info;
  if (!attributes) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = runtime_kernel(function, &module, &name, &info);
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
      .maxDynamicSharedSizeBytes = (int)runtime_max_dynamic_shared(&device, &info),
      .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
  };
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  int module;
  const char *name;
  struct kernel_info info;
  if ((unsigned)config > cudaFuncCachePreferEqual) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(runtime_kernel(function, &module, &name, &info));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  (void)config;
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  int module;
  if (!name) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(
      registration_kernel(function, &module, name) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
