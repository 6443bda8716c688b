/* runtime_texture.c: the CUDA runtime API over device.h: texture and surface objects, which are
 * the addresses of their descriptors on the device (texture.h). */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/base/texture.h"
#include "harness/sim/runtime/cuda_array.h"
#include "harness/sim/runtime/runtime.h"

/* What an object was made of. */
struct object {
  struct object *next;
  uint64_t address;
  bool surface;
  int generation;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
};

static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;

static struct object **find(uint64_t address, bool surface) {
  struct object **at = &objects;
  while (*at && ((*at)->address != address || (*at)->surface != surface ||
                 (*at)->generation != runtime_generation()))
    at = &(*at)->next;
  return at;
}

static void set_channels(struct texture_descriptor *t, const struct cudaChannelFormatDesc *desc) {
  int channels = 1;
  size_t bytes = array_element_bytes(desc, &channels);
  t->channels = (uint8_t)channels;
  t->channel_bytes = (uint8_t)(bytes / (size_t)channels);
  t->kind = (uint8_t)desc->f;
}

static void set_array(struct texture_descriptor *t, const struct array_info *array) {
  const struct cudaExtent *extent = &array->extent;
  bool layered = array->flags & (cudaArrayLayered | cudaArrayCubemap);
  uint32_t depth = extent->depth ? (uint32_t)extent->depth : 1;
  set_channels(t, &array->desc);
  t->address = (uint64_t)(uintptr_t)array->box.ptr;
  t->pitch = array->box.pitch;
  t->slice = array->box.pitch * array->box.ysize;
  t->extent[0] = (uint32_t)extent->width;
  t->extent[1] = (uint32_t)array->box.ysize;
  t->extent[2] = layered ? 1 : depth;
  t->layers = layered ? depth : 1;
}

/* Linear memory, which must be the device's, aligned as textures are. */
static cudaError_t set_linear(struct texture_descriptor *t, const void *start,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                              size_t pitch) {
  enum { ALIGNMENT = 512, PITCH_ALIGNMENT = 32, MAX_LINEAR = 1 << 28 };
  size_t element = array_element_bytes(desc, NULL);
  uint64_t address = (uint64_t)(uintptr_t)start;
  if (!element) return cudaErrorInvalidChannelDescriptor;
  bool flat = height == 0;
  if (flat) width /= element;
  if (!address_is_device(address) || address % ALIGNMENT || width == 0 || width > MAX_LINEAR ||
      (!flat && (pitch % PITCH_ALIGNMENT || width * element > pitch)))
    return cudaErrorInvalidValue;
  set_channels(t, desc);
  t->address = address;
  t->pitch = pitch;
  t->extent[0] = (uint32_t)width;
  t->extent[1] = flat ? 1 : (uint32_t)height;
  t->extent[2] = t->layers = 1;
  t->bounded = flat;
  return cudaSuccess;
}

static cudaError_t set_resource(struct texture_descriptor *t,
                                const struct cudaResourceDesc *resource) {
  struct array_info array;
  switch (resource->resType) {
    case cudaResourceTypeArray:
      if (!array_find(resource->res.array.array, &array)) return cudaErrorInvalidResourceHandle;
      set_array(t, &array);
      return cudaSuccess;
    case cudaResourceTypeLinear:
      return set_linear(t, resource->res.linear.devPtr, &resource->res.linear.desc,
                        resource->res.linear.sizeInBytes, 0, 0);
    case cudaResourceTypePitch2D:
      if (resource->res.pitch2D.height == 0) return cudaErrorInvalidValue;
      return set_linear(t, resource->res.pitch2D.devPtr, &resource->res.pitch2D.desc,
                        resource->res.pitch2D.width, resource->res.pitch2D.height,
                        resource->res.pitch2D.pitchInBytes);
    default:
      return cudaErrorInvalidValue;
  }
}

static cudaError_t set_sampling(struct texture_descriptor *t,
                                const struct cudaTextureDesc *texture) {
  bool floats = t->kind == CHANNEL_FLOAT || texture->readMode == cudaReadModeNormalizedFloat;
  if (texture->readMode == cudaReadModeNormalizedFloat && t->channel_bytes == 4)
    return cudaErrorInvalidNormSetting;
  if (texture->filterMode == cudaFilterModeLinear && !floats) return cudaErrorInvalidFilterSetting;
  for (int axis = 0; axis < 3; axis++) {
    if ((unsigned)texture->addressMode[axis] > cudaAddressModeBorder) return cudaErrorInvalidValue;
    t->address_mode[axis] = (uint8_t)texture->addressMode[axis];
  }
  if ((unsigned)texture->filterMode > cudaFilterModeLinear ||
      (unsigned)texture->readMode > cudaReadModeNormalizedFloat)
    return cudaErrorInvalidValue;
  t->linear = texture->filterMode == cudaFilterModeLinear && !t->bounded;
  t->normalized = texture->normalizedCoords && !t->bounded;
  t->reads_floats = texture->readMode == cudaReadModeNormalizedFloat;
  memcpy(t->border, texture->borderColor, sizeof t->border);
  return cudaSuccess;
}

/* Puts the descriptor onto the device, which makes it an object. */
static cudaError_t make(const struct texture_descriptor *descriptor,
                        const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *texture, unsigned long long *object) {
  struct object *made = calloc(1, sizeof *made);
  void *memory = NULL;
  if (!made) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaMalloc(&memory, sizeof *descriptor);
  if (!error) error = cudaMemcpy(memory, descriptor, sizeof *descriptor, cudaMemcpyHostToDevice);
  if (error) {
    free(made);
    return error;
  }
  *made = (struct object){.address = (uint64_t)(uintptr_t)memory,
                          .surface = descriptor->surface,
                          .generation = runtime_generation(),
                          .resource = *resource};
  if (texture) made->texture = *texture;
  pthread_mutex_lock(&objects_lock);
  made->next = objects;
  objects = made;
  pthread_mutex_unlock(&objects_lock);
  *object = made->address;
  return cudaSuccess;
}

static cudaError_t destroy(unsigned long long object, bool surface) {
  pthread_mutex_lock(&objects_lock);
  struct object **at = find(object, surface), *found = *at;
  if (found) *at = found->next;
  pthread_mutex_unlock(&objects_lock);
  if (!found) return cudaSuccess;
  free(found);
  return cudaFree((void *)(uintptr_t)object);
}

/* A copy of what the object was made of; false: there is none. */
static bool look_up(unsigned long long object, bool surface, struct object *found) {
  HOLD(&objects_lock);
  const struct object *at = *find(object, surface);
  if (at) *found = *at;
  return at != NULL;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view) {
  struct texture_descriptor descriptor = {.magic = TEXTURE_MAGIC};
  cudaError_t error = runtime_sticky();
  if (!error && (!object || !resource)) error = cudaErrorInvalidValue;
  if (!error && !texture) error = cudaErrorInvalidResourceHandle;
  if (error) return runtime_result(error);
  if (resource->resType == cudaResourceTypeMipmappedArray)
    return runtime_unsupported("a texture of a mipmapped array", runtime_line());
  if (view && view->format) return runtime_unsupported("cudaResourceViewDesc", runtime_line());
  if (texture->sRGB) return runtime_unsupported("cudaTextureDesc.sRGB", runtime_line());
  error = set_resource(&descriptor, resource);
  if (!error) error = set_sampling(&descriptor, texture);
  if (!error) error = make(&descriptor, resource, texture, object);
  return runtime_result(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return runtime_result(destroy(object, false));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object) {
  struct object found;
  if (!resource || !look_up(object, false, &found)) return runtime_result(cudaErrorInvalidValue);
  *resource = found.resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object) {
  struct object found;
  if (!texture || !look_up(object, false, &found)) return runtime_result(cudaErrorInvalidValue);
  *texture = found.texture;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource) {
  struct texture_descriptor descriptor = {.magic = TEXTURE_MAGIC, .surface = true};
  struct array_info array;
  cudaError_t error = runtime_sticky();
  if (!error && (!object || !resource || resource->resType != cudaResourceTypeArray ||
                 !array_find(resource->res.array.array, &array)))
    error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  set_array(&descriptor, &array);
  return runtime_result(make(&descriptor, resource, NULL, object));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return runtime_result(destroy(object, true));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object) {
  struct object found;
  if (!resource || !look_up(object, true, &found)) return runtime_result(cudaErrorInvalidValue);
  *resource = found.resource;
  return cudaSuccess;
}
