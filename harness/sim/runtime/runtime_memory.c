/* runtime_memory.c: the CUDA runtime API over device.h: allocations on the device, and what a
 * pointer points to. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/pool.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static uint64_t address_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

cudaError_t kit_malloc_at(void **pointer, size_t bytes, const char *file, int line) {
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  runtime_bind();
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  if (capture_forbids(NULL, true, &sticky)) return runtime_result(sticky);
  uint64_t address = 0;
  int place = line ? runtime_place(file, line) : runtime_line();
  managed_report();
  int error = device_malloc(runtime_device(), bytes, (struct source_place){file, place}, &address);
  if (!error) *pointer = (void *)(uintptr_t)address;
  runtime_settle();
  return runtime_explained(
      error, __func__, place, NULL,
      "Ask for less (its size is in bytes), and free what is no longer needed.");
}

cudaError_t kit_malloc_pitch_at(void **pointer, size_t *pitch, size_t width, size_t height,
                                const char *file, int line) {
  enum { PITCH_ALIGNMENT = 512 };
  if (!pitch) return runtime_result(cudaErrorInvalidValue);
  size_t padded = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
  if (padded < width || (height && padded > SIZE_MAX / height))
    return runtime_result(cudaErrorInvalidValue);
  *pitch = padded;
  return kit_malloc_at(pointer, padded * height, file, line);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return kit_malloc_at(pointer, bytes, NULL, 0);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return kit_malloc_pitch_at(pointer, pitch, width, height, NULL, 0);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  if (!pitched) return runtime_result(cudaErrorInvalidValue);
  size_t rows;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return runtime_result(cudaErrorInvalidValue);
  *pitched = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
  return kit_malloc_pitch_at(&pitched->ptr, &pitched->pitch, extent.width, rows, NULL, 0);
}

/* In a stream, or (is_free) when all work is done. */
static cudaError_t free_array(const char *function, void *pointer, cudaStream_t stream,
                              bool is_free) {
  int error = device_free(runtime_device(), address_of(pointer));
  if (!error) managed_unmap(address_of(pointer));
  if (!error) pool_forget(pointer);
  if (!error) graph_memory_freed(pointer, stream, is_free);
  return error == cudaErrorInvalidValue
             ? runtime_explained(error, function, 0,
                                 "this is no address that cudaMalloc gave, or it was freed before",
                                 "Free each array once, by the pointer that cudaMalloc gave.")
             : runtime_result_of(error, function);
}

cudaError_t cudaFree(void *pointer) {
  cudaError_t error;
  runtime_bind();
  if (!pointer) return runtime_result(runtime_sticky());
  if (capture_forbids(NULL, true, &error)) return runtime_result(error);
  error = runtime_wait();
  return error ? runtime_result(error) : free_array(__func__, pointer, NULL, true);
}

static void free_later(void *pointer) { free_array("cudaFreeAsync", pointer, NULL, true); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  cudaError_t error;
  if (!pointer) return runtime_result(runtime_sticky());
  struct graph_work work = {.place = runtime_call_place()};
  if (capture_is_on(stream)) {
    error = work_deallocate(&work, pointer);
    capture_work(stream, &work, error, &error);
    return runtime_result(error);
  }
  if (!backlog_defers(stream)) return free_array(__func__, pointer, stream, false);
  error = work_host(&work, &(struct cudaHostNodeParams){free_later, pointer});
  return runtime_result(backlog_add(stream, &work, error));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  size_t unused;
  return runtime_result(device_memory_info(runtime_device(), free_bytes ? free_bytes : &unused,
                                           total_bytes ? total_bytes : &unused));
}

/* Pinned memory goes by one pointer: that one can be an argument of a launch (mapped.h). */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
  if (!attributes) return runtime_result(cudaErrorInvalidValue);
  uint64_t address = address_of(pointer);
  void *it = (void *)(uintptr_t)address;
  *attributes = (struct cudaPointerAttributes){.device = cudaInvalidDeviceId, .hostPointer = it};
  if (mapped_variable(&address) || address_is_managed(address))
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeManaged, 0, it, it};
  else if (address_is_device(address))
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, it, NULL};
  else if (pointer && host_buffers_pinned(pointer, 1))
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeHost, 0, it, it};
  return cudaSuccess;
}
