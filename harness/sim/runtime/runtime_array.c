/* runtime_array.c: the CUDA runtime API over device.h: cudaArrays, and copies to and from them. */
#include "harness/sim/runtime/cuda_array.h"

#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/runtime.h"

struct cudaArray {
  struct cudaArray *next;
  struct array_info info;
  int generation; /* of the device that has it */
};

static pthread_mutex_t arrays_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cudaArray *arrays;

static struct cudaArray **find(cudaArray_const_t array) {
  struct cudaArray **at = &arrays;
  while (*at && *at != array) at = &(*at)->next;
  return at;
}

bool array_find(cudaArray_const_t array, struct array_info *info) {
  HOLD(&arrays_lock);
  const struct cudaArray *found = *find(array);
  if (!found || found->generation != runtime_generation()) return false;
  *info = found->info;
  return true;
}

/* ---- channels ---- */

size_t array_element_bytes(const struct cudaChannelFormatDesc *desc, int *channels) {
  const int bits[] = {desc->x, desc->y, desc->z, desc->w};
  int count = 0;
  while (count < 4 && bits[count]) count++;
  for (int i = 0; i < 4; i++)
    if (bits[i] != (i < count ? bits[0] : 0)) return 0;
  bool size =
      bits[0] == 16 || bits[0] == 32 || (bits[0] == 8 && desc->f != cudaChannelFormatKindFloat);
  if ((count != 1 && count != 2 && count != 4) || !size || desc->f < cudaChannelFormatKindSigned ||
      desc->f > cudaChannelFormatKindFloat)
    return 0;
  if (channels) *channels = count;
  return (size_t)(count * bits[0] / 8);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  struct array_info info;
  if (!desc || !array_find(array, &info)) return runtime_result(cudaErrorInvalidValue);
  *desc = info.desc;
  return cudaSuccess;
}

/* ---- allocation ---- */

/* Programming Guide, "Technical Specifications": widths, heights and depths of textures. */
static bool is_extent(const struct cudaExtent *extent, unsigned flags) {
  enum {
    MAX_1D = 131072,
    MAX_2D_WIDTH = 131072,
    MAX_2D_HEIGHT = 65536,
    MAX_3D = 16384,
    MAX_LAYERED = 32768,
    MAX_LAYERS = 2048
  };
  size_t w = extent->width, h = extent->height, d = extent->depth;
  bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
  if (w == 0 || (layered && d == 0) || (!layered && d && !h)) return false;
  if (cube) return w == h && (layered ? d % 6 == 0 && d <= MAX_LAYERS : d == 6) && w <= MAX_LAYERED;
  if (layered) return w <= MAX_LAYERED && h <= MAX_LAYERED && d <= MAX_LAYERS;
  if (d) return w <= MAX_3D && h <= MAX_3D && d <= MAX_3D;
  return h ? w <= MAX_2D_WIDTH && h <= MAX_2D_HEIGHT : w <= MAX_1D;
}

static cudaError_t allocate(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            struct cudaExtent extent, unsigned flags, const char *function) {
  enum {
    KNOWN = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
            cudaArrayTextureGather | cudaArrayColorAttachment
  };
  cudaError_t error = runtime_sticky();
  if (error) return runtime_result_of(error, function);
  if (!array || !desc) return runtime_result_of(cudaErrorInvalidValue, function);
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return runtime_unsupported("cudaArraySparse", runtime_line());
  size_t element = array_element_bytes(desc, NULL);
  if (!element) return runtime_result_of(cudaErrorInvalidChannelDescriptor, function);
  if (flags & ~(unsigned)KNOWN || !is_extent(&extent, flags))
    return runtime_result_of(cudaErrorInvalidValue, function);
  size_t rows = (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1),
         pitch = extent.width * element;
  void *memory;
  struct cudaArray *made = calloc(1, sizeof *made);
  if (!made) return runtime_result_of(cudaErrorMemoryAllocation, function);
  error = cudaMalloc(&memory, pitch * rows);
  if (error) {
    free(made);
    return error;
  }
  made->info = (struct array_info){
      .desc = *desc,
      .extent = extent,
      .flags = flags,
      .element = element,
      .box = {memory, pitch, pitch, extent.height ? extent.height : 1},
  };
  made->generation = runtime_generation();
  pthread_mutex_lock(&arrays_lock);
  made->next = arrays;
  arrays = made;
  pthread_mutex_unlock(&arrays_lock);
  *array = made;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap)) return runtime_result(cudaErrorInvalidValue);
  return allocate(array, desc, (struct cudaExtent){width, height, 0}, flags, __func__);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags) {
  return allocate(array, desc, extent, flags, __func__);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array) return runtime_result(runtime_sticky());
  pthread_mutex_lock(&arrays_lock);
  struct cudaArray **at = find(array), *freed = *at;
  if (freed) *at = freed->next;
  pthread_mutex_unlock(&arrays_lock);
  if (!freed) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error =
      freed->generation == runtime_generation() ? cudaFree(freed->info.box.ptr) : cudaSuccess;
  free(freed);
  return error;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
  struct array_info info;
  if (!array_find(array, &info)) return runtime_result(cudaErrorInvalidValue);
  if (desc) *desc = info.desc;
  if (extent) *extent = info.extent;
  if (flags) *flags = info.flags;
  return cudaSuccess;
}

/* ---- copies ---- */

/* Why nothing can be copied to (or from) the array, or cudaSuccess. */
static cudaError_t check_copy(cudaArray_const_t array, bool to, enum cudaMemcpyKind kind) {
  if (!array) return cudaErrorInvalidResourceHandle;
  bool right = kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
               kind == (to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  return right ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

/* Where rows of width bytes begin; false: they are not all in the array. */
static bool place(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height,
                  struct cudaPitchedPtr *box) {
  struct array_info info;
  if (!array_find(array, &info)) return false;
  *box = info.box;
  box->ptr = (char *)box->ptr + y * box->pitch + x;
  return x <= box->pitch && width <= box->pitch - x && y <= box->ysize && height <= box->ysize - y;
}

/* The same for bytes that go on from row to row. */
static bool place_bytes(cudaArray_const_t array, size_t x, size_t y, size_t bytes,
                        struct cudaPitchedPtr *box) {
  if (!place(array, x, y, 0, 0, box)) return false;
  return bytes <= (box->ysize - y) * box->pitch - x;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr box;
  cudaError_t error = check_copy(to, true, kind);
  if (!error && !place(to, x, y, width, height, &box)) error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  return cudaMemcpy2D(box.ptr, box.pitch, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct cudaPitchedPtr box;
  cudaError_t error = check_copy(to, true, kind);
  if (!error && !place(to, x, y, width, height, &box)) error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  return cudaMemcpy2DAsync(box.ptr, box.pitch, from, pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr box;
  cudaError_t error = check_copy(from, false, kind);
  if (!error && !place(from, x, y, width, height, &box)) error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  return cudaMemcpy2D(to, pitch, box.ptr, box.pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct cudaPitchedPtr box;
  cudaError_t error = check_copy(from, false, kind);
  if (!error && !place(from, x, y, width, height, &box)) error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  return cudaMemcpy2DAsync(to, pitch, box.ptr, box.pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr there, here;
  if (!place(to, to_x, to_y, width, height, &there) ||
      !place(from, from_x, from_y, width, height, &here))
    return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpy2D(there.ptr, there.pitch, here.ptr, here.pitch, width, height, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr box;
  if (!place_bytes(to, x, y, bytes, &box)) return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpy(box.ptr, from, bytes, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct cudaPitchedPtr box;
  if (!place_bytes(to, x, y, bytes, &box)) return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpyAsync(box.ptr, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr box;
  if (!place_bytes(from, x, y, bytes, &box)) return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpy(to, box.ptr, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct cudaPitchedPtr box;
  if (!place_bytes(from, x, y, bytes, &box)) return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpyAsync(to, box.ptr, bytes, kind, stream);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   enum cudaMemcpyKind kind) {
  struct cudaPitchedPtr there, here;
  if (!place_bytes(to, to_x, to_y, bytes, &there) ||
      !place_bytes(from, from_x, from_y, bytes, &here))
    return runtime_result(cudaErrorInvalidValue);
  return cudaMemcpy(there.ptr, here.ptr, bytes, kind);
}
