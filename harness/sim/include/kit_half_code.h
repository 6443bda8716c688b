/* kit_half_code.h: what functions of cuda_fp16.h and cuda_bf16.h are made with: on the device the
 * instruction that CUDA's headers give ptxas, written out in PTX so that the compiler cannot see
 * into it, on the host an expression. See kit_half_type.h for the names in capitals.
 *
 * The host's expressions are of floats a, b, c, and rounded once to the format.
 */
#ifndef KIT_HALF_CODE_H
#define KIT_HALF_CODE_H

#include "host_defines.h"
#include "kit_half_bits.h"

/* name of one value, name2 of two: their PTX lacks only the type. */
#ifdef __CUDA_ARCH__
#define KIT_UNARY(name, name2, ptx, host)                                        \
  __kit_both__ KIT_T name(KIT_T x) {                                             \
    unsigned short result;                                                       \
    __asm__(ptx "." KIT_PTX " %0, %1;" : "=h"(result) : "h"(KIT_BITS_OF(x)));    \
    return KIT_MAKE(result);                                                     \
  }                                                                              \
  __kit_both__ KIT_T2 name2(KIT_T2 x) {                                          \
    unsigned int result;                                                         \
    __asm__(ptx "." KIT_PTX "x2 %0, %1;" : "=r"(result) : "r"(KIT_BITS2_OF(x))); \
    return KIT_MAKE2(result);                                                    \
  }
#define KIT_BINARY(name, name2, ptx, host)                 \
  __kit_both__ KIT_T name(KIT_T x, KIT_T y) {              \
    unsigned short result;                                 \
    __asm__(ptx "." KIT_PTX " %0, %1, %2;"                 \
            : "=h"(result)                                 \
            : "h"(KIT_BITS_OF(x)), "h"(KIT_BITS_OF(y)));   \
    return KIT_MAKE(result);                               \
  }                                                        \
  __kit_both__ KIT_T2 name2(KIT_T2 x, KIT_T2 y) {          \
    unsigned int result;                                   \
    __asm__(ptx "." KIT_PTX "x2 %0, %1, %2;"               \
            : "=r"(result)                                 \
            : "r"(KIT_BITS2_OF(x)), "r"(KIT_BITS2_OF(y))); \
    return KIT_MAKE2(result);                              \
  }
#define KIT_TERNARY(name, name2, ptx, host)                                      \
  __kit_both__ KIT_T name(KIT_T x, KIT_T y, KIT_T z) {                           \
    unsigned short result;                                                       \
    __asm__(ptx "." KIT_PTX " %0, %1, %2, %3;"                                   \
            : "=h"(result)                                                       \
            : "h"(KIT_BITS_OF(x)), "h"(KIT_BITS_OF(y)), "h"(KIT_BITS_OF(z)));    \
    return KIT_MAKE(result);                                                     \
  }                                                                              \
  __kit_both__ KIT_T2 name2(KIT_T2 x, KIT_T2 y, KIT_T2 z) {                      \
    unsigned int result;                                                         \
    __asm__(ptx "." KIT_PTX "x2 %0, %1, %2, %3;"                                 \
            : "=r"(result)                                                       \
            : "r"(KIT_BITS2_OF(x)), "r"(KIT_BITS2_OF(y)), "r"(KIT_BITS2_OF(z))); \
    return KIT_MAKE2(result);                                                    \
  }
/* To and from a number, whose register has the letter. */
#define KIT_ROUND_TO(name, type, letter, ptx, host)            \
  __kit_both__ KIT_T name(type x) {                            \
    unsigned short result;                                     \
    __asm__("cvt." ptx " %0, %1;" : "=h"(result) : letter(x)); \
    return KIT_MAKE(result);                                   \
  }
#define KIT_CONVERT(name, type, letter, ptx, host)                                         \
  __kit_both__ type name(KIT_T x) {                                                        \
    type result;                                                                           \
    __asm__("cvt." ptx "." KIT_PTX " %0, %1;" : "=" letter(result) : "h"(KIT_BITS_OF(x))); \
    return result;                                                                         \
  }
/* A comparison: whether it holds; for two, whether for both, and 1 or all bits in each half. */
#define KIT_COMPARE(op, host)                                     \
  __kit_both__ bool __h##op(KIT_T x, KIT_T y) {                   \
    unsigned short result;                                        \
    __asm__("{ .reg .pred %%kit;\n\tsetp." #op "." KIT_PTX        \
            " %%kit, %1, %2;\n\tselp.u16 %0, 1, 0, %%kit; }"      \
            : "=h"(result)                                        \
            : "h"(KIT_BITS_OF(x)), "h"(KIT_BITS_OF(y)));          \
    return result != 0;                                           \
  }                                                               \
  __kit_both__ KIT_T2 __h##op##2(KIT_T2 x, KIT_T2 y) {            \
    unsigned int result;                                          \
    __asm__("set." #op "." KIT_PTX "x2." KIT_PTX "x2 %0, %1, %2;" \
            : "=r"(result)                                        \
            : "r"(KIT_BITS2_OF(x)), "r"(KIT_BITS2_OF(y)));        \
    return KIT_MAKE2(result);                                     \
  }                                                               \
  __kit_both__ unsigned int __h##op##2_mask(KIT_T2 x, KIT_T2 y) { \
    unsigned int result;                                          \
    __asm__("set." #op ".u32." KIT_PTX "x2 %0, %1, %2;"           \
            : "=r"(result)                                        \
            : "r"(KIT_BITS2_OF(x)), "r"(KIT_BITS2_OF(y)));        \
    return result;                                                \
  }                                                               \
  __kit_both__ bool __hb##op##2(KIT_T2 x, KIT_T2 y) { return __h##op##2_mask(x, y) == 0xffffffffu; }
#else
#define KIT_UNARY(name, name2, ptx, host)     \
  __kit_both__ KIT_T name(KIT_T x) {          \
    float a = KIT_VALUE(KIT_BITS_OF(x));      \
    return KIT_MAKE(KIT_ROUND(host, KIT_RN)); \
  }                                           \
  __kit_both__ KIT_T2 name2(KIT_T2 x) { return KIT_T2(name(x.x), name(x.y)); }
#define KIT_BINARY(name, name2, ptx, host)                              \
  __kit_both__ KIT_T name(KIT_T x, KIT_T y) {                           \
    float a = KIT_VALUE(KIT_BITS_OF(x)), b = KIT_VALUE(KIT_BITS_OF(y)); \
    return KIT_MAKE(KIT_ROUND(host, KIT_RN));                           \
  }                                                                     \
  __kit_both__ KIT_T2 name2(KIT_T2 x, KIT_T2 y) { return KIT_T2(name(x.x, y.x), name(x.y, y.y)); }
#define KIT_TERNARY(name, name2, ptx, host)                             \
  __kit_both__ KIT_T name(KIT_T x, KIT_T y, KIT_T z) {                  \
    float a = KIT_VALUE(KIT_BITS_OF(x)), b = KIT_VALUE(KIT_BITS_OF(y)), \
          c = KIT_VALUE(KIT_BITS_OF(z));                                \
    return KIT_MAKE(KIT_ROUND(host, KIT_RN));                           \
  }                                                                     \
  __kit_both__ KIT_T2 name2(KIT_T2 x, KIT_T2 y, KIT_T2 z) {             \
    return KIT_T2(name(x.x, y.x, z.x), name(x.y, y.y, z.y));            \
  }
#define KIT_ROUND_TO(name, type, letter, ptx, host) \
  __kit_both__ KIT_T name(type x) { return KIT_MAKE(host); }
#define KIT_CONVERT(name, type, letter, ptx, host) \
  __kit_both__ type name(KIT_T x) {                \
    float a = KIT_VALUE(KIT_BITS_OF(x));           \
    return host;                                   \
  }
#define KIT_COMPARE(op, host)                                                         \
  __kit_both__ bool __h##op(KIT_T x, KIT_T y) {                                       \
    float a = KIT_VALUE(KIT_BITS_OF(x)), b = KIT_VALUE(KIT_BITS_OF(y));               \
    return host;                                                                      \
  }                                                                                   \
  __kit_both__ unsigned int __h##op##2_mask(KIT_T2 x, KIT_T2 y) {                     \
    return (__h##op(x.x, y.x) ? 0xffffu : 0) | (__h##op(x.y, y.y) ? 0xffff0000u : 0); \
  }                                                                                   \
  __kit_both__ KIT_T2 __h##op##2(KIT_T2 x, KIT_T2 y) {                                \
    return KIT_MAKE2(__h##op##2_mask(x, y) & KIT_ROUND(1.0f, KIT_RN) * 0x10001u);     \
  }                                                                                   \
  __kit_both__ bool __hb##op##2(KIT_T2 x, KIT_T2 y) { return __h##op##2_mask(x, y) == 0xffffffffu; }
#endif

/* A function of one float, of each half. */
#define KIT_BY_FLOAT(name, name2, code) \
  __kit_device__ KIT_T name(KIT_T x) {  \
    float a = KIT_FROM(float, )(x);     \
    return KIT_TO(float, _rn)(code);    \
  }                                     \
  __kit_device__ KIT_T2 name2(KIT_T2 x) { return KIT_T2(name(x.x), name(x.y)); }

/* On the host: below zero 0; from 0 to 1, and NaN 0; a number wins over NaN, and -0 is below 0. */
KIT_BITS float kit_relu(float x) { return x < 0 ? 0 : x; }
KIT_BITS float kit_saturated(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
KIT_BITS float kit_least(float x, float y) {
  if (x != x || (y == y && x > y) || (x == y && !__builtin_signbit(x))) return y;
  return x;
}
/* On the host: numbers that have been rounded to integral values as integers of so many bits, as
 * cvt has them. They saturate at the ends of the range; NaN is 0, in 64 bits the highest bit. */
KIT_BITS long long kit_to_signed(float x, int bits) {
  unsigned long long top = 1ull << (bits - 1);
  if (x != x) return bits == 64 ? (long long)top : 0;
  if (x < -(float)top) return (long long)(0 - top);
  return x >= (float)top ? (long long)(top - 1) : (long long)x;
}
KIT_BITS unsigned long long kit_to_unsigned(float x, int bits) {
  unsigned long long top = 1ull << (bits - 1);
  if (x != x) return bits == 64 ? top : 0;
  if (x < 0) return 0;
  return x >= 2 * (float)top ? top - 1 + top : (unsigned long long)x;
}
KIT_BITS float kit_integral(float x, enum kit_rounding mode) {
  return mode == KIT_RN   ? __builtin_rintf(x)
         : mode == KIT_RZ ? __builtin_truncf(x)
         : mode == KIT_RD ? __builtin_floorf(x)
                          : __builtin_ceilf(x);
}

#endif
