/* runtime_memory.c: the CUDA runtime API over device.h: allocations, copies, fills, symbols.
 *
 * A copy looks at both pointers: one that is not on the side its direction names gives
 * cudaErrorInvalidValue, so that a mixed-up pointer is an error as on a GPU, not a crash.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "runtime.h"

static uint64_t address_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static bool on_device(const void *pointer) { return device_owns(address_of(pointer)); }

/* Allocations */

cudaError_t kit_malloc_at(void **pointer, size_t bytes, const char *file, int line) {
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  uint64_t address = 0;
  int error = device_malloc(runtime_device(), bytes, (struct source_place){file, line}, &address);
  if (!error) *pointer = (void *)(uintptr_t)address;
  return runtime_result(error);
}

cudaError_t kit_malloc_pitch_at(void **pointer, size_t *pitch, size_t width, size_t height,
                                const char *file, int line) {
  enum { PITCH_ALIGNMENT = 512 };
  if (!pitch) return runtime_result(cudaErrorInvalidValue);
  size_t padded = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
  if (padded < width || (height && padded > SIZE_MAX / height))
    return runtime_result(cudaErrorMemoryAllocation);
  *pitch = padded;
  return kit_malloc_at(pointer, padded * height, file, line);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return kit_malloc_at(pointer, bytes, NULL, 0);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  return kit_malloc_pitch_at(pointer, pitch, width, height, NULL, 0);
}

cudaError_t cudaFree(void *pointer) {
  if (!pointer) return runtime_result(runtime_sticky());
  cudaError_t error = runtime_wait();
  if (error) return runtime_result(error);
  runtime_result(error = (cudaError_t)device_free(runtime_device(), address_of(pointer)));
  if (error) runtime_explain("this is no address that cudaMalloc gave, or it was freed before");
  return error;
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  (void)stream;
  return cudaFree(pointer);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  if (!free_bytes || !total_bytes) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(device_memory_info(runtime_device(), free_bytes, total_bytes));
}

/* Pinned host memory is host memory; the list tells a pointer that cudaFreeHost may free from any
 * other. */
struct host_block {
  struct host_block *next;
  void *memory;
};

static struct host_block *host_blocks;
static pthread_mutex_t host_blocks_lock = PTHREAD_MUTEX_INITIALIZER;

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  (void)flags;
  enum { PAGE = 4096 };
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  struct host_block *block = malloc(sizeof *block);
  size_t rounded = bytes > SIZE_MAX - PAGE ? 0 : (bytes + PAGE - 1) / PAGE * PAGE;
  void *memory = rounded || bytes == 0 ? aligned_alloc(PAGE, rounded ? rounded : PAGE) : NULL;
  if (!block || !memory) {
    free(block);
    free(memory);
    return runtime_result(cudaErrorMemoryAllocation);
  }
  block->memory = memory;
  pthread_mutex_lock(&host_blocks_lock);
  block->next = host_blocks;
  host_blocks = block;
  pthread_mutex_unlock(&host_blocks_lock);
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t cudaFreeHost(void *pointer) {
  if (!pointer) return cudaSuccess;
  pthread_mutex_lock(&host_blocks_lock);
  struct host_block **at = &host_blocks, *block;
  while (*at && (*at)->memory != pointer) at = &(*at)->next;
  block = *at;
  if (block) *at = block->next;
  pthread_mutex_unlock(&host_blocks_lock);
  if (!block) return runtime_result(cudaErrorInvalidValue);
  free(block->memory);
  free(block);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  (void)flags;
  return runtime_result(pointer && bytes && !on_device(pointer) ? cudaSuccess
                                                                : cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *pointer) {
  return runtime_result(pointer && !on_device(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t kit_malloc_managed_at(void **pointer, size_t bytes, unsigned int flags, int line) {
  (void)bytes;
  (void)flags;
  if (pointer) *pointer = NULL;
  return runtime_unsupported("cudaMallocManaged", line);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return kit_malloc_managed_at(pointer, bytes, flags, 0);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
  if (!attributes) return runtime_result(cudaErrorInvalidValue);
  memset(attributes, 0, sizeof *attributes);
  if (on_device(pointer)) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->devicePointer = (void *)(uintptr_t)address_of(pointer);
  } else {
    attributes->hostPointer = (void *)(uintptr_t)address_of(pointer);
  }
  return runtime_result(runtime_sticky());
}

/* Copies */

/* Which sides a direction means; cudaMemcpyDefault asks the pointers. */
static cudaError_t copy_sides(const void *to, const void *from, enum cudaMemcpyKind kind,
                              bool *to_device, bool *from_device) {
  *to_device = on_device(to);
  *from_device = on_device(from);
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  bool to_meant = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_meant = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return to_meant == *to_device && from_meant == *from_device ? cudaSuccess : cudaErrorInvalidValue;
}

static int copy_rows(void *to, size_t to_pitch, bool to_device, const void *from,
                     size_t from_pitch, bool from_device, size_t width, size_t rows) {
  struct device *device = runtime_device();
  uint64_t to_address = address_of(to), from_address = address_of(from);
  if (to_device && from_device)
    return device_copy_rows(device, to_address, to_pitch, from_address, from_pitch, width, rows);
  if (to_device)
    return device_write_rows(device, to_address, to_pitch, from, from_pitch, width, rows);
  if (from_device)
    return device_read_rows(device, to, to_pitch, from_address, from_pitch, width, rows);
  for (size_t row = 0; row < rows; row++)
    memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
  return cudaSuccess;
}

static cudaError_t copy(const char *function, void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
  int error = runtime_wait();
  if (error) return runtime_result_of(error, function);
  if (width == 0 || height == 0) return cudaSuccess;
  if (!to || !from) return runtime_result_of(cudaErrorInvalidValue, function);
  if (width > to_pitch || width > from_pitch)
    return runtime_result_of(cudaErrorInvalidPitchValue, function);
  bool to_device, from_device;
  error = copy_sides(to, from, kind, &to_device, &from_device);
  if (error) {
    runtime_result_of(error, function);
    runtime_explain("a pointer is not on the side that the direction names");
    return (cudaError_t)error;
  }
  /* One copy where the rows follow each other, so that it is one in the modelled time too. */
  if (width == to_pitch && width == from_pitch && width <= SIZE_MAX / height) {
    to_pitch = from_pitch = width *= height;
    height = 1;
  }
  error = copy_rows(to, to_pitch, to_device, from, from_pitch, from_device, width, height);
  runtime_result_of(error, function);
  if (error == cudaErrorInvalidValue)
    runtime_explain("the bytes are not all inside one array that is still allocated");
  return (cudaError_t)error;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return copy(__func__, to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)stream;
  return copy(__func__, to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy(__func__, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* Fills */

static cudaError_t fill(const char *function, void *pointer, size_t pitch, int value, size_t width,
                        size_t height) {
  int error = runtime_sticky();
  if (error) return runtime_result_of(error, function);
  if (width == 0 || height == 0) return cudaSuccess;
  if (!on_device(pointer)) return runtime_result_of(cudaErrorInvalidValue, function);
  if (width > pitch) return runtime_result_of(cudaErrorInvalidPitchValue, function);
  if (width == pitch && width <= SIZE_MAX / height) {
    pitch = width *= height;
    height = 1;
  }
  error = device_fill_rows(runtime_device(), address_of(pointer), pitch, (unsigned char)value,
                           width, height);
  return runtime_result_of(error, function);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill(__func__, pointer, pitch, value, width, height);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return fill(__func__, pointer, bytes, value, bytes, 1);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  (void)stream;
  return cudaMemset(pointer, value, bytes);
}

/* Symbols: __constant__ and __device__ variables */

/* The address of bytes at offset in a symbol. */
static cudaError_t symbol_range(const void *symbol, size_t bytes, size_t offset, void **pointer) {
  uint64_t address;
  size_t size;
  int error = registration_symbol(symbol, &address, &size);
  if (error) return (cudaError_t)error;
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  *pointer = (void *)(uintptr_t)(address + offset);
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  void *to;
  cudaError_t error = symbol_range(symbol, bytes, offset, &to);
  return error ? runtime_result(error) : cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  void *from;
  cudaError_t error = symbol_range(symbol, bytes, offset, &from);
  return error ? runtime_result(error) : cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(symbol_range(symbol, 0, 0, pointer));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  uint64_t address;
  if (!bytes) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(registration_symbol(symbol, &address, bytes));
}
