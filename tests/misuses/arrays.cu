// arrays.cu: cudaArrays, texture and surface objects.
#include <cstring>

#include "misuse.h"

static float plain[64 * 64];
static const cudaChannelFormatDesc floats() { return cudaCreateChannelDesc<float>(); }

static cudaArray_t new_array(cudaChannelFormatDesc desc, unsigned int flags = 0) {
  cudaArray_t array = NULL;
  NEED(cudaMallocArray(&array, &desc, 16, 16, flags));
  return array;
}
static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
static cudaResourceDesc linear(void *p, size_t bytes) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = p;
  resource.res.linear.desc = floats();
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}
static cudaTextureDesc texture(cudaTextureFilterMode filter = cudaFilterModePoint,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.filterMode = filter;
  desc.readMode = read;
  return desc;
}

MISUSE(array_nowhere) {
  cudaChannelFormatDesc desc = floats();
  TRY(cudaMallocArray(NULL, &desc, 16, 16));
}
MISUSE(array_no_format) {
  cudaArray_t array;
  TRY(cudaMallocArray(&array, NULL, 16, 16));
}
MISUSE(array_odd_format) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(7, 0, 0, 0, cudaChannelFormatKindFloat);
  TRY(cudaMallocArray(&array, &desc, 16, 16));
}
MISUSE(array_three_channels) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  TRY(cudaMallocArray(&array, &desc, 16, 16));
}
MISUSE(array_no_width) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = floats();
  TRY(cudaMallocArray(&array, &desc, 0, 16));
}
MISUSE(array_too_wide) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = floats();
  TRY(cudaMallocArray(&array, &desc, 1 << 20, 16));
}
MISUSE(array_unknown_flags) {
  cudaArray_t array;
  cudaChannelFormatDesc desc = floats();
  TRY(cudaMallocArray(&array, &desc, 16, 16, 0x8000));
}
MISUSE(array_free_null) { TRY(cudaFreeArray(NULL)); }
MISUSE(array_free_twice) {
  cudaArray_t array = new_array(floats());
  TRY(cudaFreeArray(array));
  TRY(cudaFreeArray(array));
}
MISUSE(array_free_as_memory) { TRY(cudaFree(new_array(floats()))); }
MISUSE(array_copy_beyond_the_end) {
  TRY(cudaMemcpy2DToArray(new_array(floats()), 0, 0, plain, 256, 68, 16, cudaMemcpyHostToDevice));
}
MISUSE(array_copy_too_many_rows) {
  TRY(cudaMemcpy2DToArray(new_array(floats()), 0, 1, plain, 256, 64, 16, cudaMemcpyHostToDevice));
}
MISUSE(array_copy_width_over_pitch) {
  TRY(cudaMemcpy2DToArray(new_array(floats()), 0, 0, plain, 32, 64, 16, cudaMemcpyHostToDevice));
}
MISUSE(array_copy_wrong_direction) {
  TRY(cudaMemcpy2DToArray(new_array(floats()), 0, 0, plain, 64, 64, 16, cudaMemcpyDeviceToHost));
}
MISUSE(array_copy_to_null) {
  TRY(cudaMemcpy2DToArray(NULL, 0, 0, plain, 64, 64, 16, cudaMemcpyHostToDevice));
}
MISUSE(array_copy_from_null) {
  TRY(cudaMemcpy2DFromArray(plain, 64, NULL, 0, 0, 64, 16, cudaMemcpyDeviceToHost));
}
MISUSE(array_as_memory) { TRY(cudaMemcpy(new_array(floats()), plain, 64, cudaMemcpyHostToDevice)); }
MISUSE(array_info_after_free) {
  cudaArray_t array = new_array(floats());
  cudaExtent extent;
  cudaChannelFormatDesc desc;
  unsigned int flags;
  NEED(cudaFreeArray(array));
  TRY(cudaArrayGetInfo(&desc, &extent, &flags, array));
}

MISUSE(texture_nowhere) {
  cudaResourceDesc resource = resource_of(new_array(floats()));
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(NULL, &resource, &desc, NULL));
}
MISUSE(texture_no_resource) {
  cudaTextureObject_t object;
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, NULL, &desc, NULL));
}
MISUSE(texture_no_description) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(new_array(floats()));
  TRY(cudaCreateTextureObject(&object, &resource, NULL, NULL));
}
MISUSE(texture_of_null_array) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(NULL);
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_of_null_memory) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = linear(NULL, 64);
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_of_host_memory) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = linear(plain, 64);
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_of_misaligned_memory) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = linear(device_memory(64) + 1, 64);
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_of_too_much_memory) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = linear(device_memory(64), (size_t)1 << 34);
  cudaTextureDesc desc = texture();
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_linear_of_integers) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(new_array(cudaCreateChannelDesc<int>()));
  cudaTextureDesc desc = texture(cudaFilterModeLinear);
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_fractions_of_floats) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(new_array(floats()));
  cudaTextureDesc desc = texture(cudaFilterModePoint, cudaReadModeNormalizedFloat);
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_fractions_of_32_bit_integers) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(new_array(cudaCreateChannelDesc<int>()));
  cudaTextureDesc desc = texture(cudaFilterModePoint, cudaReadModeNormalizedFloat);
  TRY(cudaCreateTextureObject(&object, &resource, &desc, NULL));
}
MISUSE(texture_destroy_none) { TRY(cudaDestroyTextureObject(0)); }
MISUSE(texture_destroy_twice) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = resource_of(new_array(floats()));
  cudaTextureDesc desc = texture();
  NEED(cudaCreateTextureObject(&object, &resource, &desc, NULL));
  TRY(cudaDestroyTextureObject(object));
  TRY(cudaDestroyTextureObject(object));
}
MISUSE(texture_description_of_none) {
  cudaTextureDesc desc;
  TRY(cudaGetTextureObjectTextureDesc(&desc, 0));
}
MISUSE(surface_of_plain_array) {
  cudaSurfaceObject_t object;
  cudaResourceDesc resource = resource_of(new_array(floats()));
  TRY(cudaCreateSurfaceObject(&object, &resource));
}
MISUSE(surface_of_memory) {
  cudaSurfaceObject_t object;
  cudaResourceDesc resource = linear(device_memory(64), 64);
  TRY(cudaCreateSurfaceObject(&object, &resource));
}
MISUSE(surface_no_resource) {
  cudaSurfaceObject_t object;
  TRY(cudaCreateSurfaceObject(&object, NULL));
}
MISUSE(surface_destroy_none) { TRY(cudaDestroySurfaceObject(0)); }
static __global__ void write_surface(cudaSurfaceObject_t object, int x) {
  surf2Dwrite(1.0f, object, x, 0);
}
MISUSE(surface_written_beyond_its_bounds) {
  cudaSurfaceObject_t object;
  cudaResourceDesc resource = resource_of(new_array(floats(), cudaArraySurfaceLoadStore));
  NEED(cudaCreateSurfaceObject(&object, &resource));
  LAUNCH(write_surface<<<1, 1>>>(object, 4000));
  TRY(cudaDeviceSynchronize());
}
