/* runtime_host.c: the CUDA runtime API over device.h: pinned host memory, and its use by kernels
 * (mapped.h). */
#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static bool on_device(const void *pointer) {
  return address_is_device((uint64_t)(uintptr_t)pointer);
}

/* Memory of either kind is mapped, as on every system where addresses are unified. */

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  enum { ALL = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined };
  if (!pointer || flags & ~(unsigned)ALL) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  int refused = device_pin(runtime_device(), runtime_line(), TIMELINE_PIN, bytes);
  if (refused) return runtime_result(refused);
  unsigned kept = (flags & cudaHostAllocWriteCombined) | cudaHostAllocMapped;
  void *memory = host_buffers_allocate(bytes, kept, runtime_line());
  if (!memory) return runtime_result(cudaErrorMemoryAllocation);
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) {
  struct host_block block;
  if (!pointer) return cudaSuccess;
  backlog_finish();
  mapped_release(pointer);
  bool known = host_buffers_find((uint64_t)(uintptr_t)pointer, &block);
  if (!host_buffers_free(pointer)) return runtime_result(cudaErrorInvalidValue);
  if (known) device_pin(runtime_device(), runtime_line(), TIMELINE_UNPIN, block.to - block.from);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  enum { ALL = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly };
  if (!pointer || !bytes || on_device(pointer) || flags & ~(unsigned)(ALL))
    return runtime_result(cudaErrorInvalidValue);
  if (host_buffers_overlap(pointer, bytes))
    return runtime_result(cudaErrorHostMemoryAlreadyRegistered);
  int refused = device_pin(runtime_device(), runtime_line(), TIMELINE_REGISTER, bytes);
  if (refused) return runtime_result(refused);
  return runtime_result(
      host_buffers_register(pointer, bytes, flags | cudaHostRegisterMapped, runtime_line())
          ? cudaSuccess
          : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer) {
  struct host_block block;
  if (!pointer || on_device(pointer)) return runtime_result(cudaErrorInvalidValue);
  bool pinned = host_buffers_find((uint64_t)(uintptr_t)pointer, &block);
  if (!pinned) return runtime_result(cudaErrorHostMemoryNotRegistered);
  backlog_finish();
  mapped_release(pointer);
  if (!host_buffers_unregister(pointer)) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(
      device_pin(runtime_device(), runtime_line(), TIMELINE_UNREGISTER, block.to - block.from));
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer) {
  struct host_block block;
  if (!flags || !host_buffers_find((uint64_t)(uintptr_t)pointer, &block))
    return runtime_result(cudaErrorInvalidValue);
  *flags = block.flags;
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *pointer, unsigned int flags) {
  if (!device || flags) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  cudaError_t error = mapped_translate(&address);
  if (!error) *device = (void *)(uintptr_t)address;
  return runtime_result(error);
}
