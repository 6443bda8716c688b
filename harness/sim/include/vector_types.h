/* vector_types.h: char1 .. double4 and dim3, with CUDA's members, sizes and alignments.
 *
 * A vector of 2 or 4 elements is an aggregate whose assignment copies it as one value, so that the
 * copy of a float4 is one 128-bit load and one 128-bit store in PTX, as nvcc makes it; clang would
 * copy the plain struct in pieces of 8 bytes. Initialisation stays the aggregate's: float4 v = {1,
 * 2, 3, 4}.
 */
#ifndef KIT_VECTOR_TYPES_H
#define KIT_VECTOR_TYPES_H

#include "host_defines.h"

#if defined(__cplusplus) && defined(__CUDA_ARCH__)
#define KIT_VECTOR_COPY(name, type, lanes, alignment)                                    \
  typedef type kit_lanes                                                                 \
      __attribute__((vector_size(lanes * sizeof(type)), aligned(alignment), may_alias)); \
  __kit_member__ name &operator=(const name &other) {                                    \
    *(kit_lanes *)this = *(const kit_lanes *)&other;                                     \
    return *this;                                                                        \
  }
#elif defined(__cplusplus) && defined(__CUDA__)
#define KIT_VECTOR_COPY(name, type, lanes, alignment) \
  __kit_member__ name &operator=(const name &other) { \
    __builtin_memcpy(this, &other, sizeof *this);     \
    return *this;                                     \
  }
#else
#define KIT_VECTOR_COPY(name, type, lanes, alignment)
#endif

#define KIT_VECTORS(base, type, align2, align4)     \
  struct base##1 {                                  \
    type x;                                         \
  };                                                \
  struct __attribute__((aligned(align2))) base##2 { \
    type x, y;                                      \
    KIT_VECTOR_COPY(base##2, type, 2, align2)       \
  };                                                \
  struct base##3 {                                  \
    type x, y, z;                                   \
  };                                                \
  struct __attribute__((aligned(align4))) base##4 { \
    type x, y, z, w;                                \
    KIT_VECTOR_COPY(base##4, type, 4, align4)       \
  };                                                \
  typedef struct base##1 base##1;                   \
  typedef struct base##2 base##2;                   \
  typedef struct base##3 base##3;                   \
  typedef struct base##4 base##4;

KIT_VECTORS(char, signed char, 2, 4)
KIT_VECTORS(uchar, unsigned char, 2, 4)
KIT_VECTORS(short, short, 4, 8)
KIT_VECTORS(ushort, unsigned short, 4, 8)
KIT_VECTORS(int, int, 8, 16)
KIT_VECTORS(uint, unsigned int, 8, 16)
KIT_VECTORS(long, long, 16, 16)
KIT_VECTORS(ulong, unsigned long, 16, 16)
KIT_VECTORS(longlong, long long, 16, 16)
KIT_VECTORS(ulonglong, unsigned long long, 16, 16)
KIT_VECTORS(float, float, 8, 16)
KIT_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __kit_member__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __kit_member__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __kit_member__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
