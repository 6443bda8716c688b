/* runtime_copy.c: the CUDA runtime API over device.h: copies and fills.
 *
 * A copy looks at both pointers: one that is not on the side its direction names gives
 * cudaErrorInvalidValue, so that a mixed-up pointer is an error as on a GPU, not a crash.
 */
#include <stdio.h>
#include <string.h>

#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/cuda_array.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static uint64_t address_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static bool on_device(const void *pointer) { return address_is_device(address_of(pointer)); }

static bool is_managed(const void *pointer) { return address_is_managed(address_of(pointer)); }

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

/* Addresses are unified: device memory may stand where the host's is meant, and of the host's what
 * is pinned or a __managed__ variable, which the device has, too, where the device's is. */
static bool is_on_meant_side(const struct rows *rows) {
  uint64_t address = address_of(rows->start);
  return rows->on_device || !rows->meant_on_device || host_buffers_pinned(rows->start, 1) ||
         mapped_variable(&address);
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
                               .pageable = !pinned,
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

/* Such a copy waits for what comes before it, asynchronous or not. */
static bool fills_pageable(const void *to, enum cudaMemcpyKind kind) {
  return kind != cudaMemcpyHostToDevice && !on_device(to) && !host_buffers_overlap(to, 1);
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
  cudaError_t captured;
  if (call->async ? capture_is_on(call->stream) : capture_forbids(NULL, false, &captured)) {
    struct cudaMemcpy3DParms box =
        copy_of_rows(to, to_pitch, from, from_pitch, width, height, kind);
    struct graph_work work = {.place = runtime_call_place()};
    if (call->async) capture_work(call->stream, &work, work_copy(&work, &box), &captured);
    return runtime_result_of(captured, function);
  }
  if (call->async && backlog_defers(call->stream) && !fills_pageable(to, kind)) {
    struct cudaMemcpy3DParms box =
        copy_of_rows(to, to_pitch, from, from_pitch, width, height, kind);
    struct graph_work work = {.place = runtime_call_place()};
    return runtime_result_of(backlog_add(call->stream, &work, work_copy(&work, &box)), function);
  }
  backlog_finish_stream(call->stream);
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
  uint64_t address = address_of(pointer);
  if (!on_device(pointer) && mapped_translate(&address))
    return runtime_explained(cudaErrorInvalidValue, call->function, call->line,
                             "this is not device memory", "Pass a pointer from cudaMalloc.");
  if (width > pitch) return runtime_result_of(cudaErrorInvalidValue, call->function);
  cudaError_t captured;
  if (call->async ? capture_is_on(call->stream) : capture_forbids(NULL, false, &captured)) {
    struct cudaMemsetParams params = {pointer, pitch, (unsigned)value, 1, width, height};
    struct graph_work work = {.place = runtime_call_place()};
    if (call->async) capture_work(call->stream, &work, work_fill(&work, &params), &captured);
    return runtime_result_of(captured, call->function);
  }
  if (backlog_defers(call->stream) && !issue.host_waits) {
    struct cudaMemsetParams params = {pointer, pitch, (unsigned)value, 1, width, height};
    struct graph_work work = {.place = runtime_call_place()};
    return runtime_result_of(backlog_add(call->stream, &work, work_fill(&work, &params)),
                             call->function);
  }
  backlog_finish_stream(call->stream);
  if (width == pitch && width <= SIZE_MAX / height) {
    pitch = width *= height;
    height = 1;
  }
  managed_report();
  error = device_fill_rows(runtime_device(), &issue, address, pitch, (unsigned char)value, width,
                           height);
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

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill(CALL(true, stream), pointer, pitch, value, width, height);
}

/* Boxes of linear memory, a plane at a time */

static cudaError_t fill_box(const struct call *call, struct cudaPitchedPtr pitched, int value,
                            struct cudaExtent extent) {
  cudaError_t error = cudaSuccess;
  if (extent.width == 0 || extent.height == 0) return cudaSuccess;
  if (extent.width > pitched.xsize || (extent.depth > 1 && extent.height > pitched.ysize))
    return runtime_result_of(cudaErrorInvalidValue, call->function);
  for (size_t z = 0; z < extent.depth && !error; z++)
    error = fill(call, (char *)pitched.ptr + z * pitched.ysize * pitched.pitch, pitched.pitch,
                 value, extent.width, extent.height);
  return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  return fill_box(CALL(false, NULL), pitched, value, extent);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return fill_box(CALL(true, stream), pitched, value, extent);
}

/* Where a plane of a box begins. */
static char *plane(const struct cudaPitchedPtr *box, const struct cudaPos *at, size_t z) {
  return (char *)box->ptr + ((at->z + z) * box->ysize + at->y) * box->pitch + at->x;
}

/* An array as a box of linear memory, with x in bytes. False: there is none, or it is smaller. */
static bool open_array(cudaArray_t array, const struct cudaExtent *extent, struct cudaPos *at,
                       struct cudaPitchedPtr *box, size_t *element) {
  struct array_info info;
  if (!array_find(array, &info)) return false;
  size_t depth = info.extent.depth ? info.extent.depth : 1, width = info.extent.width;
  *element = info.element;
  *box = info.box;
  bool inside = at->x <= width && extent->width <= width - at->x && at->y <= box->ysize &&
                extent->height <= box->ysize - at->y && at->z <= depth &&
                extent->depth <= depth - at->z;
  at->x *= info.element;
  return inside;
}

/* The same copy between boxes of linear memory, in bytes: an extent with an array counts elements.
 */
static bool without_arrays(struct cudaMemcpy3DParms *box) {
  size_t to_element = 0, from_element = 0;
  const struct cudaExtent extent = box->extent;
  if (box->dstArray && !open_array(box->dstArray, &extent, &box->dstPos, &box->dstPtr, &to_element))
    return false;
  if (box->srcArray &&
      !open_array(box->srcArray, &extent, &box->srcPos, &box->srcPtr, &from_element))
    return false;
  if (to_element && from_element && to_element != from_element) return false;
  if (to_element || from_element) box->extent.width *= to_element ? to_element : from_element;
  return true;
}

static cudaError_t copy_box(const struct call *call, const struct cudaMemcpy3DParms *given) {
  if (!given || (given->dstArray && given->dstPtr.ptr) || (given->srcArray && given->srcPtr.ptr))
    return runtime_result_of(cudaErrorInvalidValue, call->function);
  struct cudaMemcpy3DParms linear = *given, *box = &linear;
  if (!without_arrays(box)) return runtime_result_of(cudaErrorInvalidValue, call->function);
  const struct cudaExtent *extent = &box->extent;
  if (extent->width == 0 || extent->height == 0 || extent->depth == 0) return cudaSuccess;
  if (extent->depth > 1 &&
      (extent->height > box->srcPtr.ysize || extent->height > box->dstPtr.ysize))
    return runtime_result_of(cudaErrorInvalidValue, call->function);
  cudaError_t error = cudaSuccess;
  for (size_t z = 0; z < extent->depth && !error; z++)
    error = copy(call, plane(&box->dstPtr, &box->dstPos, z), box->dstPtr.pitch,
                 plane(&box->srcPtr, &box->srcPos, z), box->srcPtr.pitch, extent->width,
                 extent->height, box->kind);
  return error;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) {
  return copy_box(CALL(false, NULL), box);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  return copy_box(CALL(true, stream), box);
}

/* Between devices, of which there is one */

static cudaError_t copy_peer(const struct call *call, void *to, int to_device, const void *from,
                             int from_device, size_t bytes) {
  if (to_device != 0 || from_device != 0)
    return runtime_result_of(cudaErrorInvalidDevice, call->function);
  return copy(call, to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes) {
  return copy_peer(CALL(false, NULL), to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return copy_peer(CALL(true, stream), to, to_device, from, from_device, bytes);
}
