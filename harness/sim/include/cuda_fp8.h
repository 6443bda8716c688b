/* cuda_fp8.h: numbers of eight bits, E4M3 and E5M2, alone, in pairs and in fours (CUDA Math API,
 * "FP8 Intrinsics"). Kernels compute in wider types: all there is are conversions. They are done in
 * C on either side, with the bits of the instructions of compute capability 8.9 and later. */
#ifndef KIT_CUDA_FP8_H
#define KIT_CUDA_FP8_H

#pragma GCC system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus

/* ---- conversions ---- */

/* To nearest, ties to even. What is too large becomes the largest number with __NV_SATFINITE, else
 * infinity, of which E4M3 has none: there it is NaN. E4M3's NaN is 0x7f, E5M2's as given here. */
__kit_both__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind) {
  const int e4m3 = kind == __NV_E4M3, digits = e4m3 ? 3 : 2, least = e4m3 ? -6 : -14;
  const double largest = e4m3 ? 448 : 57344, beyond = e4m3 ? 464 : 61440; /* half a step on */
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  unsigned sign = (unsigned)(bits >> 56) & 0x80;
  double size = x < 0 ? -x : x;
  if (x != x) return 0x7f;
  /* 464 lies between 448, whose last bit is 0, and what would come next */
  if (e4m3 ? size > beyond : size >= beyond)
    return (__nv_fp8_storage_t)(sign | (saturate == __NV_SATFINITE ? e4m3 ? 0x7e : 0x7b
                                                                   : e4m3 ? 0x7f : 0x7c));
  if (size > largest) size = largest;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < least) exponent = least;
  unsigned long long one = (unsigned long long)(1023 - exponent + digits) << 52;
  double steps;
  __builtin_memcpy(&steps, &one, sizeof steps);
  double scaled = size * steps; /* exact: less than 2^(digits + 1) */
  int whole = (int)scaled;
  double rest = scaled - whole;
  whole += rest > 0.5 || (rest == 0.5 && (whole & 1));
  return (__nv_fp8_storage_t)(sign | (unsigned)(whole + ((exponent - least) << digits)));
}

__kit_both__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(x, saturate, kind);
}
__kit_both__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(x), saturate, kind);
}
__kit_both__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                            __nv_saturation_t saturate,
                                                            __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(x), saturate, kind);
}

/* Pairs: x is the low byte. */
#define KIT_FP8_PAIR(from, type)                                               \
  __kit_both__ __nv_fp8x2_storage_t __nv_cvt_##from##2_to_fp8x2(               \
      type##2 pair, __nv_saturation_t saturate, __nv_fp8_interpretation_t k) { \
    return (__nv_fp8x2_storage_t)(                                             \
        __nv_cvt_##from##_to_fp8(pair.x, saturate, k) |                        \
        __nv_cvt_##from##_to_fp8(pair.y, saturate, k) << 8);                   \
  }
KIT_FP8_PAIR(double, double)
KIT_FP8_PAIR(float, float)
#undef KIT_FP8_PAIR

__kit_both__ __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw pair,
                                                             __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(pair)), saturate, kind);
}
__kit_both__ __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw pair,
                                                                 __nv_saturation_t saturate,
                                                                 __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(pair)), saturate, kind);
}

/* Every number is one of half precision, too. */
__kit_both__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                __nv_fp8_interpretation_t kind) {
  unsigned sign = (x & 0x80u) << 8, size = x & 0x7fu;
  __half_raw half;
  if (kind == __NV_E5M2) {
    size <<= 8;
    half.x = (unsigned short)(size > 0x7c00 ? 0x7fff : sign | size);
  } else if (size == 0x7f) {
    half.x = 0x7fff;
  } else if (size >= 8) {
    half.x = (unsigned short)(sign | (size << 7) + (8 << 10));
  } else { /* steps of 2^-9, below the least exponent: normal numbers in half precision */
    int shift = size >= 4 ? 1 : size >= 2 ? 2 : 3;
    half.x = (unsigned short)(sign |
                              (size ? (unsigned)(9 - shift) << 10 | (size << shift & 7) << 7 : 0));
  }
  return half;
}
__kit_both__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                    __nv_fp8_interpretation_t kind) {
  __half2_raw pair;
  pair.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x;
  pair.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
  return pair;
}

/* ---- types ---- */

#define KIT_FP8(name, kind)                                                                        \
  struct __nv_fp8_##name {                                                                         \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##name() = default;                                                                   \
    __kit_member__ explicit __nv_fp8_##name(__half x)                                              \
        : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, kind)) {}                                 \
    __kit_member__ explicit __nv_fp8_##name(__nv_bfloat16 x)                                       \
        : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, kind)) {}                             \
    __kit_member__ explicit __nv_fp8_##name(float x)                                               \
        : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}                                   \
    KIT_FP8_FROM(name, kind, double)                                                               \
    KIT_FP8_FROM(name, kind, int) KIT_FP8_FROM(name, kind, unsigned)                               \
    KIT_FP8_FROM(name, kind, short) KIT_FP8_FROM(name, kind, unsigned short)                       \
    KIT_FP8_FROM(name, kind, long) KIT_FP8_FROM(name, kind, unsigned long)                         \
    KIT_FP8_FROM(name, kind, long long) KIT_FP8_FROM(name, kind, unsigned long long)               \
    __kit_member__ explicit operator __half() const {                                              \
      return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                                           \
    }                                                                                              \
    __kit_member__ explicit operator float() const {                                               \
      return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, kind)));                             \
    }                                                                                              \
    __kit_member__ explicit operator __nv_bfloat16() const {                                       \
      return __float2bfloat16(float(*this));                                                       \
    }                                                                                              \
    __kit_member__ explicit operator double() const { return float(*this); }                       \
    __kit_member__ explicit operator bool() const { return (__x & 0x7f) != 0; }                    \
    KIT_FP8_TO(char) KIT_FP8_TO(signed char) KIT_FP8_TO(unsigned char)                             \
    KIT_FP8_TO(short) KIT_FP8_TO(unsigned short) KIT_FP8_TO(int) KIT_FP8_TO(unsigned)              \
    KIT_FP8_TO(long) KIT_FP8_TO(unsigned long)                                                     \
    KIT_FP8_TO(long long) KIT_FP8_TO(unsigned long long)                                           \
  };                                                                                               \
  struct __nv_fp8x2_##name {                                                                       \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##name() = default;                                                                 \
    __kit_member__ explicit __nv_fp8x2_##name(__half2 x)                                           \
        : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                              \
    __kit_member__ explicit __nv_fp8x2_##name(__nv_bfloat162 x)                                    \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                          \
    __kit_member__ explicit __nv_fp8x2_##name(float2 x)                                            \
        : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                                \
    __kit_member__ explicit __nv_fp8x2_##name(double2 x)                                           \
        : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                               \
    __kit_member__ explicit operator __half2() const {                                             \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                       \
    }                                                                                              \
    __kit_member__ explicit operator float2() const {                                              \
      return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)));                       \
    }                                                                                              \
  };                                                                                               \
  struct __nv_fp8x4_##name {                                                                       \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##name() = default;                                                                 \
    __kit_member__ explicit __nv_fp8x4_##name(__half2 low, __half2 high)                           \
        : __x(__nv_fp8x2_##name(low).__x | (unsigned)__nv_fp8x2_##name(high).__x << 16) {}         \
    __kit_member__ explicit __nv_fp8x4_##name(__nv_bfloat162 low, __nv_bfloat162 high)             \
        : __x(__nv_fp8x2_##name(low).__x | (unsigned)__nv_fp8x2_##name(high).__x << 16) {}         \
    __kit_member__ explicit __nv_fp8x4_##name(float4 x)                                            \
        : __x(__nv_fp8x2_##name(make_float2(x.x, x.y)).__x |                                       \
              (unsigned)__nv_fp8x2_##name(make_float2(x.z, x.w)).__x << 16) {}                     \
    __kit_member__ explicit __nv_fp8x4_##name(double4 x)                                           \
        : __x(__nv_fp8x2_##name(make_double2(x.x, x.y)).__x |                                      \
              (unsigned)__nv_fp8x2_##name(make_double2(x.z, x.w)).__x << 16) {}                    \
    __kit_member__ explicit operator float4() const {                                              \
      float2 low = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(                              \
                 (__nv_fp8x2_storage_t)__x, kind))),                                               \
             high = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(                             \
                 (__nv_fp8x2_storage_t)(__x >> 16), kind)));                                       \
      return make_float4(low.x, low.y, high.x, high.y);                                            \
    }                                                                                              \
  };
#define KIT_FP8_FROM(name, kind, type)            \
  __kit_member__ explicit __nv_fp8_##name(type x) \
      : __x(__nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, kind)) {}
/* Towards 0; what has no place is the nearest that has one, and NaN is 0, as with half's. */
#define KIT_FP8_TO(type) \
  __kit_member__ explicit operator type() const { return (type)__half(*this); }
KIT_FP8(e4m3, __NV_E4M3)
KIT_FP8(e5m2, __NV_E5M2)
#undef KIT_FP8
#undef KIT_FP8_FROM
#undef KIT_FP8_TO

#endif
#endif
