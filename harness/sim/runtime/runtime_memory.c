/* runtime_memory.c: the CUDA runtime API over device.h: allocations, copies, fills, symbols.
 *
 * A copy looks at both pointers: one that is not on the side its direction names gives
 * cudaErrorInvalidValue, so that a mixed-up pointer is an error as on a GPU, not a crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static uint64_t address_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static bool on_device(const void *pointer) { return address_is_device(address_of(pointer)); }

static bool is_managed(const void *pointer) { return address_is_managed(address_of(pointer)); }

/* Allocations */

cudaError_t kit_malloc_at(void **pointer, size_t bytes, const char *file, int line) {
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  uint64_t address = 0;
  int place = runtime_place(file, line);
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

static cudaError_t free_array(const char *function, void *pointer) {
  int error = device_free(runtime_device(), address_of(pointer));
  if (!error) managed_unmap(address_of(pointer));
  return error == cudaErrorInvalidValue
             ? runtime_explained(error, function, 0,
                                 "this is no address that cudaMalloc gave, or it was freed before",
                                 "Free each array once, by the pointer that cudaMalloc gave.")
             : runtime_result_of(error, function);
}

cudaError_t cudaFree(void *pointer) {
  if (!pointer) return runtime_result(runtime_sticky());
  cudaError_t error = runtime_wait();
  return error ? runtime_result(error) : free_array(__func__, pointer);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  (void)stream;
  return pointer ? free_array(__func__, pointer) : runtime_result(runtime_sticky());
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  if (!free_bytes || !total_bytes) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(device_memory_info(runtime_device(), free_bytes, total_bytes));
}

/* Pinned host memory */

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  (void)flags;
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  void *memory = host_buffers_allocate(bytes, runtime_line());
  if (!memory) return runtime_result(cudaErrorMemoryAllocation);
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t cudaFreeHost(void *pointer) {
  if (!pointer) return cudaSuccess;
  if (!host_buffers_free(pointer)) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  (void)flags;
  if (!pointer || !bytes || on_device(pointer)) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(host_buffers_register(pointer, bytes, runtime_line())
                            ? cudaSuccess
                            : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer) {
  if (!pointer || on_device(pointer)) return runtime_result(cudaErrorInvalidValue);
  host_buffers_unregister(pointer);
  return cudaSuccess;
}

/* Managed memory */

cudaError_t kit_malloc_managed_at(void **pointer, size_t bytes, unsigned int flags,
                                  const char *file, int line) {
  if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  uint64_t address = 0;
  int pages = -1;
  struct source_place place = {file, runtime_place(file, line)};
  int error = device_malloc_managed(runtime_device(), bytes, place, &address, &pages);
  if (!error && !managed_map(address, bytes, pages)) {
    device_free(runtime_device(), address);
    error = cudaErrorMemoryAllocation;
  }
  if (pages >= 0) close(pages);
  *pointer = error ? NULL : (void *)(uintptr_t)address;
  return runtime_result(error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return kit_malloc_managed_at(pointer, bytes, flags, NULL, 0);
}

/* Hints where memory should be; nothing here depends on them. */
static cudaError_t managed_hint(const char *function, const void *pointer, size_t bytes) {
  bool ok = bytes > 0 && is_managed(pointer) && is_managed((const char *)pointer + bytes - 1);
  return runtime_result_of(ok ? runtime_sticky() : cudaErrorInvalidValue, function);
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  uint32_t number;
  if (device != 0 && device != cudaCpuDeviceId) return runtime_result(cudaErrorInvalidDevice);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  return managed_hint(__func__, pointer, bytes);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return runtime_result(cudaErrorInvalidValue);
  if (device != 0 && device != cudaCpuDeviceId) return runtime_result(cudaErrorInvalidDevice);
  return managed_hint(__func__, pointer, bytes);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned int flags) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
    return runtime_result(cudaErrorInvalidValue);
  return managed_hint(__func__, pointer, bytes ? bytes : 1);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
  if (!attributes) return runtime_result(cudaErrorInvalidValue);
  memset(attributes, 0, sizeof *attributes);
  if (on_device(pointer)) {
    attributes->type = is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    attributes->devicePointer = (void *)(uintptr_t)address_of(pointer);
    if (is_managed(pointer)) attributes->hostPointer = attributes->devicePointer;
  } else {
    attributes->hostPointer = (void *)(uintptr_t)address_of(pointer);
  }
  return runtime_result(runtime_sticky());
}

/* Copies */

/* How a copy or a fill was called. */
struct call {
  const char *function;
  bool async;
  cudaStream_t stream;
  int line;
};
#define CALL(is_async, in_stream)                                                        \
  &(struct call) {                                                                       \
    .function = __func__, .async = is_async, .stream = in_stream, .line = runtime_line() \
  }

/* One side of a copy. */
struct rows {
  void *start;
  size_t pitch;
  bool on_device, meant_on_device; /* by its address, and by the direction of the copy */
};

/* Managed memory is on both sides: the device copies it. */
static bool is_on_meant_side(const struct rows *rows) {
  return rows->meant_on_device == rows->on_device || is_managed(rows->start);
}

/* Finds both sides; cudaMemcpyDefault asks the pointers. */
static cudaError_t find_sides(struct rows *to, struct rows *from, enum cudaMemcpyKind kind) {
  to->on_device = to->meant_on_device = on_device(to->start);
  from->on_device = from->meant_on_device = on_device(from->start);
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  to->meant_on_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  from->meant_on_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return is_on_meant_side(to) && is_on_meant_side(from) ? cudaSuccess : cudaErrorInvalidValue;
}

static size_t extent(const struct rows *rows, size_t width, size_t height) {
  return rows->pitch * (height - 1) + width;
}

/* Between two places of the host, which waits for the copy's turn and for the copy. */
static int copy_on_host(uint32_t stream, const struct rows *to, const struct rows *from,
                        size_t width, size_t height) {
  int error = device_stream_synchronize(runtime_device(), stream);
  host_buffers_settle();
  for (size_t row = 0; row < height && !error; row++)
    memmove((char *)to->start + row * to->pitch, (const char *)from->start + row * from->pitch,
            width);
  return error;
}

/* Between the host and the device. What the host waits for, and what it does not, is in the CUDA
 * Runtime API, "API synchronization behavior": copies from pageable memory to the device are
 * staged, and copies to it are complete when they return. */
static int copy_to_or_from_host(const struct call *call, uint32_t stream, const struct rows *to,
                                const struct rows *from, size_t width, size_t height) {
  struct device *device = runtime_device();
  const struct rows *host = to->on_device ? from : to;
  size_t bytes = extent(host, width, height);
  bool pinned = host_buffers_pinned(host->start, bytes),
       waits = pinned || is_managed(to->start) ? !call->async : !to->on_device;
  struct device_issue issue = {.stream = stream,
                               .line = call->line,
                               .host_waits = waits,
                               .staged = !pinned && !waits && !call->async,
                               .host = pinned ? address_of(host->start) : 0,
                               .host_pitch = host->pitch};
  host_buffers_lift(host->start, bytes);
  int error = to->on_device ? device_write_rows(device, &issue, address_of(to->start), to->pitch,
                                                from->start, from->pitch, width, height)
                            : device_read_rows(device, &issue, to->start, to->pitch,
                                               address_of(from->start), from->pitch, width, height);
  if (!error && pinned && call->async)
    host_buffers_use(&(struct host_use){.start = address_of(host->start),
                                        .pitch = host->pitch,
                                        .width = width,
                                        .rows = height,
                                        .into_device = to->on_device,
                                        .line = call->line,
                                        .copy = issue.copy});
  host_buffers_guard();
  if (issue.host_waits) host_buffers_settle();
  return error;
}

static int copy_rows(const struct call *call, uint32_t stream, const struct rows *to,
                     const struct rows *from, size_t width, size_t height) {
  if (!to->on_device && !from->on_device) return copy_on_host(stream, to, from, width, height);
  if (!to->on_device || !from->on_device)
    return copy_to_or_from_host(call, stream, to, from, width, height);
  bool managed = is_managed(to->start) || is_managed(from->start);
  struct device_issue issue = {
      .stream = stream, .line = call->line, .host_waits = managed && !call->async};
  return device_copy_rows(runtime_device(), &issue, address_of(to->start), to->pitch,
                          address_of(from->start), from->pitch, width, height);
}

/* A pointer is not on the side that the direction names. */
static cudaError_t wrong_side(const struct call *call, enum cudaMemcpyKind kind,
                              const struct rows *to, const struct rows *from) {
  static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  bool to_wrong = !is_on_meant_side(to);
  const struct rows *wrong = to_wrong ? to : from;
  char why[120], advice[200];
  snprintf(why, sizeof why, "its %s is %s memory, but %s %s the %s",
           to_wrong ? "destination" : "source", wrong->on_device ? "device" : "host", kinds[kind],
           to_wrong ? "writes to" : "reads from", wrong->meant_on_device ? "device" : "host");
  snprintf(advice, sizeof advice,
           "These two pointers are for %s. Is the order right: destination, source?",
           kinds[(to->on_device ? 1 : 0) + (from->on_device ? 2 : 0)]);
  return runtime_explained(cudaErrorInvalidValue, call->function, call->line, why, advice);
}

static cudaError_t copy(const struct call *call, void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
  const char *function = call->function;
  uint32_t stream;
  int error = runtime_sticky();
  if (!error && !runtime_stream(call->stream, &stream)) error = cudaErrorInvalidResourceHandle;
  if (error) return runtime_result_of(error, function);
  if (width == 0 || height == 0) return cudaSuccess;
  if (!to || !from)
    return runtime_explained(
        cudaErrorInvalidValue, function, call->line,
        to ? "its source is a null pointer" : "its destination is a null pointer",
        "Allocate it first.");
  if (width > to_pitch || width > from_pitch)
    return runtime_result_of(cudaErrorInvalidPitchValue, function);
  struct rows destination = {.start = to, .pitch = to_pitch},
              source = {.start = (void *)(uintptr_t)from, .pitch = from_pitch};
  error = find_sides(&destination, &source, kind);
  if (error == cudaErrorInvalidValue) return wrong_side(call, kind, &destination, &source);
  if (error) return runtime_result_of(error, function);
  /* One copy where the rows follow each other, so that it is one in the modelled time too. */
  if (width == to_pitch && width == from_pitch && width <= SIZE_MAX / height) {
    destination.pitch = source.pitch = width *= height;
    height = 1;
  }
  managed_report();
  error = copy_rows(call, stream, &destination, &source, width, height);
  managed_guard();
  return error == cudaErrorInvalidValue
             ? runtime_explained(error, function, call->line,
                                 "the bytes are not all inside one array that is still allocated",
                                 "cudaMalloc and cudaMemcpy count bytes, not elements.")
             : runtime_result_of(error, function);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return copy(CALL(false, NULL), to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy(CALL(true, stream), to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy(CALL(false, NULL), to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy(CALL(true, stream), to, to_pitch, from, from_pitch, width, height, kind);
}

/* Fills: the host waits only for managed memory's (API synchronization behavior, "Memset") */

static cudaError_t fill(const struct call *call, void *pointer, size_t pitch, int value,
                        size_t width, size_t height) {
  struct device_issue issue = {.line = call->line,
                               .host_waits = is_managed(pointer) && !call->async};
  int error = runtime_sticky();
  if (!error && !runtime_stream(call->stream, &issue.stream))
    error = cudaErrorInvalidResourceHandle;
  if (error) return runtime_result_of(error, call->function);
  if (width == 0 || height == 0) return cudaSuccess;
  if (!on_device(pointer))
    return runtime_explained(cudaErrorInvalidValue, call->function, call->line,
                             "this is not device memory", "Pass a pointer from cudaMalloc.");
  if (width > pitch) return runtime_result_of(cudaErrorInvalidPitchValue, call->function);
  if (width == pitch && width <= SIZE_MAX / height) {
    pitch = width *= height;
    height = 1;
  }
  managed_report();
  error = device_fill_rows(runtime_device(), &issue, address_of(pointer), pitch,
                           (unsigned char)value, width, height);
  managed_guard();
  return error == cudaErrorInvalidValue
             ? runtime_explained(error, call->function, call->line,
                                 "the bytes are not all inside one array that is still allocated",
                                 "cudaMalloc and cudaMemset count bytes, not elements.")
             : runtime_result_of(error, call->function);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill(CALL(false, NULL), pointer, pitch, value, width, height);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return fill(CALL(false, NULL), pointer, bytes, value, bytes, 1);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  return fill(CALL(true, stream), pointer, bytes, value, bytes, 1);
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
  void *to;
  cudaError_t error = symbol_range(symbol, bytes, offset, &to);
  return error ? runtime_result(error) : cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  void *from;
  cudaError_t error = symbol_range(symbol, bytes, offset, &from);
  return error ? runtime_result(error) : cudaMemcpyAsync(to, from, bytes, kind, stream);
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
