/* kit_array_api.h: cudaArrays, textures and surfaces: the runtime API's functions. */
#ifndef KIT_ARRAY_API_H
#define KIT_ARRAY_API_H

#include "kit_texture_types.h"

#ifdef __cplusplus
#define KIT_OR(value) = value
extern "C" {
#else
#define KIT_OR(value)
#endif

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height KIT_OR(0), unsigned int flags KIT_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags KIT_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array);

/* Offsets in rows and widths are bytes. */
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   enum cudaMemcpyKind kind KIT_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream KIT_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream KIT_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind KIT_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream KIT_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream KIT_OR(0));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object);

#undef KIT_OR
#ifdef __cplusplus
}

/* cudaCreateChannelDesc<uchar4>() */
template <class T>
struct kit_channels;
template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return kit_channels<T>::desc();
}
#define KIT_CHANNELS(T, n, kind)                                                                \
  template <>                                                                                   \
  struct kit_channels<T> {                                                                      \
    static cudaChannelFormatDesc desc() {                                                       \
      int bits = (int)(8 * sizeof(T) / n);                                                      \
      return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,  \
                                   cudaChannelFormatKind##kind);                                \
    }                                                                                           \
  };
#define KIT_CHANNELS_OF(T, V, kind) \
  KIT_CHANNELS(T, 1, kind)          \
  KIT_CHANNELS(V##1, 1, kind)       \
  KIT_CHANNELS(V##2, 2, kind)       \
  KIT_CHANNELS(V##4, 4, kind)
KIT_CHANNELS_OF(signed char, char, Signed)
KIT_CHANNELS_OF(unsigned char, uchar, Unsigned)
KIT_CHANNELS_OF(short, short, Signed)
KIT_CHANNELS_OF(unsigned short, ushort, Unsigned)
KIT_CHANNELS_OF(int, int, Signed)
KIT_CHANNELS_OF(unsigned int, uint, Unsigned)
KIT_CHANNELS_OF(float, float, Float)
KIT_CHANNELS(char, 1, Signed)
#undef KIT_CHANNELS_OF
#undef KIT_CHANNELS
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#endif

#endif
