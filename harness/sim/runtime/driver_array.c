/* driver_array.c: CUDA's driver API over the runtime API: arrays, textures and surfaces, and copies
 * of rows and boxes: the driver's descriptors become the runtime's. */
#include <string.h>

#include "harness/sim/runtime/cuda_array.h"
#include "harness/sim/runtime/driver.h"

static cudaArray_t array_of(CUarray array) { return (cudaArray_t)(void *)array; }

/* ---- formats ---- */

static const struct {
  CUarray_format format;
  int bits;
  enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool describe(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *desc) {
  int bits = 0;
  memset(desc, 0, sizeof *desc);
  for (int i = 0; i < FORMATS; i++) {
    if (formats[i].format != format) continue;
    bits = formats[i].bits;
    desc->f = formats[i].kind;
  }
  if (!bits || (channels != 1 && channels != 2 && channels != 4)) return false;
  desc->x = bits;
  if (channels > 1) desc->y = bits;
  if (channels > 2) desc->z = desc->w = bits;
  return true;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *desc) {
  for (int i = 0; i < FORMATS; i++)
    if (formats[i].bits == desc->x && formats[i].kind == desc->f) return formats[i].format;
  return (CUarray_format)0;
}

/* ---- arrays ---- */

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  struct cudaChannelFormatDesc desc;
  cudaArray_t made;
  NEED_CONTEXT;
  if (!array || !d || !d->Width || !describe(d->Format, d->NumChannels, &desc))
    return CUDA_ERROR_INVALID_VALUE;
  struct cudaExtent extent = {d->Width, d->Height, d->Depth};
  CUresult error = driver_result(cudaMalloc3DArray(&made, &desc, extent, d->Flags));
  if (!error) *array = (CUarray)(void *)made;
  return error;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
  return cuArray3DCreate(
      array,
      d ? &(CUDA_ARRAY3D_DESCRIPTOR){d->Width, d->Height, 0, d->Format, d->NumChannels, 0} : NULL);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
  struct array_info info;
  int channels = 0;
  NEED_CONTEXT;
  if (!descriptor) return CUDA_ERROR_INVALID_VALUE;
  if (!array_find(array_of(array), &info)) return CUDA_ERROR_INVALID_HANDLE;
  array_element_bytes(&info.desc, &channels);
  *descriptor =
      (CUDA_ARRAY3D_DESCRIPTOR){info.extent.width,     info.extent.height,     info.extent.depth,
                                format_of(&info.desc), (unsigned int)channels, info.flags};
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (!descriptor) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = cuArray3DGetDescriptor(&d, array);
  if (!error) *descriptor = (CUDA_ARRAY_DESCRIPTOR){d.Width, d.Height, d.Format, d.NumChannels};
  return error;
}

CUresult cuArrayDestroy(CUarray array) {
  struct array_info info;
  NEED_CONTEXT;
  if (!array_find(array_of(array), &info)) return CUDA_ERROR_INVALID_HANDLE;
  return driver_result(cudaFreeArray(array_of(array)));
}

/* ---- textures and surfaces ---- */

static bool describe_resource(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to) {
  memset(to, 0, sizeof *to);
  to->resType = (enum cudaResourceType)from->resType;
  switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to->res.array.array = array_of(from->res.array.hArray);
      return true;
    case CU_RESOURCE_TYPE_LINEAR:
      to->res.linear.devPtr = driver_pointer(from->res.linear.devPtr);
      to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
      return describe(from->res.linear.format, from->res.linear.numChannels, &to->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
      to->res.pitch2D.devPtr = driver_pointer(from->res.pitch2D.devPtr);
      to->res.pitch2D.width = from->res.pitch2D.width;
      to->res.pitch2D.height = from->res.pitch2D.height;
      to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
      return describe(from->res.pitch2D.format, from->res.pitch2D.numChannels,
                      &to->res.pitch2D.desc);
    default:
      return from->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY; /* which the runtime refuses */
  }
}

/* Integers of 8 and 16 bits are read as fractions if nothing else is asked for. */
static bool reads_fractions(const struct cudaResourceDesc *resource, unsigned flags) {
  struct array_info info;
  struct cudaChannelFormatDesc desc = {0};
  if (resource->resType == cudaResourceTypeLinear) desc = resource->res.linear.desc;
  if (resource->resType == cudaResourceTypePitch2D) desc = resource->res.pitch2D.desc;
  if (resource->resType == cudaResourceTypeArray && array_find(resource->res.array.array, &info))
    desc = info.desc;
  return desc.f != cudaChannelFormatKindFloat && desc.x < 32 && !(flags & CU_TRSF_READ_AS_INTEGER);
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  struct cudaResourceDesc from;
  NEED_CONTEXT;
  if (!object || !resource || !texture || !describe_resource(resource, &from))
    return CUDA_ERROR_INVALID_VALUE;
  if (view) return driver_result(runtime_unsupported("CUDA_RESOURCE_VIEW_DESC", runtime_line()));
  struct cudaTextureDesc how = {
      .filterMode = (enum cudaTextureFilterMode)texture->filterMode,
      .readMode = reads_fractions(&from, texture->flags) ? cudaReadModeNormalizedFloat
                                                         : cudaReadModeElementType,
      .sRGB = (texture->flags & CU_TRSF_SRGB) != 0,
      .normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0};
  for (int axis = 0; axis < 3; axis++)
    how.addressMode[axis] = (enum cudaTextureAddressMode)texture->addressMode[axis];
  memcpy(how.borderColor, texture->borderColor, sizeof how.borderColor);
  return driver_result(cudaCreateTextureObject(object, &from, &how, NULL));
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  NEED_CONTEXT;
  return driver_result(cudaDestroyTextureObject(object));
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  struct cudaResourceDesc from;
  NEED_CONTEXT;
  if (!object || !resource || !describe_resource(resource, &from)) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(cudaCreateSurfaceObject(object, &from));
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  NEED_CONTEXT;
  return driver_result(cudaDestroySurfaceObject(object));
}

/* ---- copies ---- */

/* One side of a copy: an array, or rows at an address. x is bytes, of an array's elements. */
struct side {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

static CUresult set_side(const struct side *side, const CUDA_MEMCPY3D *copy, cudaArray_t *array,
                         struct cudaPos *pos, struct cudaPitchedPtr *rows, size_t *element) {
  struct array_info info;
  *pos = (struct cudaPos){side->x, side->y, side->z};
  if (side->type == CU_MEMORYTYPE_ARRAY) {
    *array = array_of(side->array);
    if (!array_find(*array, &info)) return CUDA_ERROR_INVALID_HANDLE;
    if (side->x % info.element || copy->WidthInBytes % info.element)
      return CUDA_ERROR_INVALID_VALUE;
    *element = info.element;
    pos->x = side->x / info.element;
    return CUDA_SUCCESS;
  }
  if (side->type < CU_MEMORYTYPE_HOST || side->type > CU_MEMORYTYPE_UNIFIED)
    return CUDA_ERROR_INVALID_VALUE;
  size_t width = side->x + copy->WidthInBytes, height = side->y + copy->Height;
  *rows = make_cudaPitchedPtr(side->type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)side->host
                                                               : driver_pointer(side->device),
                              side->pitch ? side->pitch : width, width,
                              side->height ? side->height : height);
  return !rows->ptr || rows->pitch < width ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult driver_copy(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *params) {
  size_t element = 1;
  memset(params, 0, sizeof *params);
  if (!copy || copy->srcLOD || copy->dstLOD) return CUDA_ERROR_INVALID_VALUE;
  const struct side from = {copy->srcMemoryType, copy->srcHost,     copy->srcDevice,
                            copy->srcArray,      copy->srcXInBytes, copy->srcY,
                            copy->srcZ,          copy->srcPitch,    copy->srcHeight},
                    to = {copy->dstMemoryType, copy->dstHost,     copy->dstDevice,
                          copy->dstArray,      copy->dstXInBytes, copy->dstY,
                          copy->dstZ,          copy->dstPitch,    copy->dstHeight};
  CUresult error =
      set_side(&from, copy, &params->srcArray, &params->srcPos, &params->srcPtr, &element);
  if (!error)
    error = set_side(&to, copy, &params->dstArray, &params->dstPos, &params->dstPtr, &element);
  params->extent = (struct cudaExtent){copy->WidthInBytes / element, copy->Height, copy->Depth};
  params->kind = cudaMemcpyDefault;
  return error;
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) {
  struct cudaMemcpy3DParms params;
  NEED_CONTEXT;
  CUresult error = driver_copy(copy, &params);
  return error ? error : driver_result(cudaMemcpy3D(&params));
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
  struct cudaMemcpy3DParms params;
  NEED_CONTEXT;
  CUresult error = driver_copy(copy, &params);
  return error ? error : driver_result(cudaMemcpy3DAsync(&params, stream));
}

static CUDA_MEMCPY3D one_plane(const CUDA_MEMCPY2D *c) {
  return (CUDA_MEMCPY3D){.srcXInBytes = c->srcXInBytes,
                         .srcY = c->srcY,
                         .srcMemoryType = c->srcMemoryType,
                         .srcHost = c->srcHost,
                         .srcDevice = c->srcDevice,
                         .srcArray = c->srcArray,
                         .srcPitch = c->srcPitch,
                         .dstXInBytes = c->dstXInBytes,
                         .dstY = c->dstY,
                         .dstMemoryType = c->dstMemoryType,
                         .dstHost = c->dstHost,
                         .dstDevice = c->dstDevice,
                         .dstArray = c->dstArray,
                         .dstPitch = c->dstPitch,
                         .WidthInBytes = c->WidthInBytes,
                         .Height = c->Height,
                         .Depth = 1};
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D plane = one_plane(copy);
  return cuMemcpy3D(&plane);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) { return cuMemcpy2D(copy); }

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  if (!copy) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D plane = one_plane(copy);
  return cuMemcpy3DAsync(&plane, stream);
}

/* Along the first row of an array. */

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes) {
  return cuMemcpy2D(&(CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                                     .srcHost = from,
                                     .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                     .dstArray = to,
                                     .dstXInBytes = offset,
                                     .WidthInBytes = bytes,
                                     .Height = 1});
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes) {
  return cuMemcpy2D(&(CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                     .srcArray = from,
                                     .srcXInBytes = offset,
                                     .dstMemoryType = CU_MEMORYTYPE_HOST,
                                     .dstHost = to,
                                     .WidthInBytes = bytes,
                                     .Height = 1});
}

CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return cuMemcpy2D(&(CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                     .srcDevice = from,
                                     .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                     .dstArray = to,
                                     .dstXInBytes = offset,
                                     .WidthInBytes = bytes,
                                     .Height = 1});
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return cuMemcpy2D(&(CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                     .srcArray = from,
                                     .srcXInBytes = offset,
                                     .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                     .dstDevice = to,
                                     .WidthInBytes = bytes,
                                     .Height = 1});
}
