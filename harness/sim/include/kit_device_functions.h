/* kit_device_functions.h: integer and floating-point intrinsics, casts of bits, read-only loads,
 * printf and assert. */
#ifndef KIT_DEVICE_FUNCTIONS_H
#define KIT_DEVICE_FUNCTIONS_H

#include "vector_types.h"

/* An instruction of single precision: with -ftz=true what is denormal is zero to it. */
#if __CUDA_FTZ
#define KIT_SINGLE(name) __nvvm_##name##_ftz_f
#define KIT_FTZ ".ftz"
#else
#define KIT_SINGLE(name) __nvvm_##name##_f
#define KIT_FTZ ""
#endif

/* What the compiler and <assert.h> call. */
extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(__SIZE_TYPE__ bytes) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, __SIZE_TYPE__ char_size);
__kit_device__ void __assert_fail(const char *message, const char *file, unsigned int line,
                                  const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__kit_device__ void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
  return __builtin_memcpy(to, from, n);
}
__kit_device__ void *memset(void *to, int value, __SIZE_TYPE__ n) {
  return __builtin_memset(to, value, n);
}
}
namespace std {
using ::free;
using ::malloc;
using ::memcpy;
using ::memset;
using ::printf;
}  // namespace std

/* Integers */
__kit_device__ int __popc(unsigned int x) { return __builtin_popcount(x); }
__kit_device__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__kit_device__ int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__kit_device__ int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
__kit_device__ int __ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
__kit_device__ int __ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
__kit_device__ unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__kit_device__ unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__kit_device__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  return __nvvm_prmt(x, y, s & 0x7777);
}
__kit_device__ int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
__kit_device__ unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
__kit_device__ int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
__kit_device__ unsigned int __umulhi(unsigned int x, unsigned int y) {
  return __nvvm_mulhi_ui(x, y);
}
__kit_device__ long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
__kit_device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
__kit_device__ unsigned int __sad(int x, int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
__kit_device__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
__kit_device__ int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__kit_device__ int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
__kit_device__ unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y) >> 1);
}
__kit_device__ unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
__kit_device__ unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                            unsigned int shift) {
  return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__kit_device__ unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                            unsigned int shift) {
  return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__kit_device__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__kit_device__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* Sums of four products of bytes. */
#define KIT_DP4A(type, bytes, ptx)                                                   \
  __kit_device__ type __dp4a(type x, type y, type z) {                               \
    type result;                                                                     \
    __asm__("dp4a." ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z)); \
    return result;                                                                   \
  }                                                                                  \
  __kit_device__ type __dp4a(bytes x, bytes y, type z) {                             \
    type a, b;                                                                       \
    __builtin_memcpy(&a, &x, sizeof a);                                              \
    __builtin_memcpy(&b, &y, sizeof b);                                              \
    return __dp4a(a, b, z);                                                          \
  }
KIT_DP4A(int, char4, "s32.s32")
KIT_DP4A(unsigned int, uchar4, "u32.u32")
#undef KIT_DP4A

/* Sums of two products of a halfword and a byte: the bytes 0 and 1 of y, or 2 and 3. */
#define KIT_DP2A(type, half, byte, halves, bytes)                                      \
  __kit_device__ type __dp2a_lo(type x, type y, type z) {                              \
    return z + (type)(half)x * (byte)y + (type)(half)(x >> 16) * (byte)(y >> 8);       \
  }                                                                                    \
  __kit_device__ type __dp2a_hi(type x, type y, type z) {                              \
    return __dp2a_lo(x, (type)((unsigned int)y >> 16), z);                             \
  }                                                                                    \
  KIT_DP2A_VECTOR(__dp2a_lo, type, halves, bytes)                                      \
  KIT_DP2A_VECTOR(__dp2a_hi, type, halves, bytes)
#define KIT_DP2A_VECTOR(name, type, halves, bytes)             \
  __kit_device__ type name(halves x, bytes y, type z) {        \
    type a, b;                                                 \
    __builtin_memcpy(&a, &x, sizeof a);                        \
    __builtin_memcpy(&b, &y, sizeof b);                        \
    return name(a, b, z);                                      \
  }
KIT_DP2A(int, short, signed char, short2, char4)
KIT_DP2A(unsigned int, unsigned short, unsigned char, ushort2, uchar4)
#undef KIT_DP2A
#undef KIT_DP2A_VECTOR
/* The position of the n-th bit that is set, from bit base on upward (n < 0: downward); ~0: none. */
__kit_device__ unsigned int __fns(unsigned int mask, unsigned int base, int n) {
  int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
  if (left == 0) return mask >> base & 1 ? base : 0xffffffffu;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return (unsigned int)at;
  return 0xffffffffu;
}

/* Bits of one type as another */
#define KIT_CAST(name, to, from) \
  __kit_device__ to name(from x) { return __builtin_bit_cast(to, x); }
KIT_CAST(__int_as_float, float, int)
KIT_CAST(__uint_as_float, float, unsigned int)
KIT_CAST(__float_as_int, int, float)
KIT_CAST(__float_as_uint, unsigned int, float)
KIT_CAST(__longlong_as_double, double, long long)
KIT_CAST(__double_as_longlong, long long, double)
#undef KIT_CAST
__kit_device__ int __double2hiint(double x) {
  return (int)(__builtin_bit_cast(unsigned long long, x) >> 32);
}
__kit_device__ int __double2loint(double x) {
  return (int)__builtin_bit_cast(unsigned long long, x);
}
__kit_device__ double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double,
                            (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* Arithmetic with a rounding mode: _rn nearest even, _rz to zero, _ru up, _rd down.
 *
 * Written out in PTX: the modifier in the instruction keeps ptxas from contracting it, and the
 * compiler can neither fuse nor fold what it cannot see into. Its builtins it takes for plain
 * arithmetic, which x * y + z turns into one fma, and folds them as the host rounds. */
#define KIT_PTX1(to, name, from, instruction, d, a)     \
  __kit_device__ to name(from x) {                      \
    to result;                                          \
    __asm__(instruction " %0, %1;" : d(result) : a(x)); \
    return result;                                      \
  }
#define KIT_PTX2(type, name, instruction, r)                          \
  __kit_device__ type name(type x, type y) {                          \
    type result;                                                      \
    __asm__(instruction " %0, %1, %2;" : "=" r(result) : r(x), r(y)); \
    return result;                                                    \
  }
#define KIT_PTX3(type, name, instruction, r)                                    \
  __kit_device__ type name(type x, type y, type z) {                            \
    type result;                                                                \
    __asm__(instruction " %0, %1, %2, %3;" : "=" r(result) : r(x), r(y), r(z)); \
    return result;                                                              \
  }
/* cuda: rn, rz, ru, rd; ptx: rn, rz, rp, rm */
#define KIT_ROUNDED(cuda, ptx)                                                                     \
  KIT_PTX2(float, __fadd_##cuda, "add." ptx KIT_FTZ ".f32", "f")                                   \
  KIT_PTX2(float, __fsub_##cuda, "sub." ptx KIT_FTZ ".f32", "f")                                   \
  KIT_PTX2(float, __fmul_##cuda, "mul." ptx KIT_FTZ ".f32", "f")                                   \
  KIT_PTX3(float, __fmaf_##cuda, "fma." ptx KIT_FTZ ".f32", "f")                                   \
  KIT_PTX3(float, __fmaf_ieee_##cuda, "fma." ptx ".f32", "f")                                      \
  KIT_PTX2(float, __fdiv_##cuda, "div." ptx KIT_FTZ ".f32", "f")                                   \
  KIT_PTX1(float, __frcp_##cuda, float, "rcp." ptx KIT_FTZ ".f32", "=f", "f")                      \
  KIT_PTX1(float, __fsqrt_##cuda, float, "sqrt." ptx KIT_FTZ ".f32", "=f", "f")                    \
  KIT_PTX2(double, __dadd_##cuda, "add." ptx ".f64", "d")                                          \
  KIT_PTX2(double, __dsub_##cuda, "sub." ptx ".f64", "d")                                          \
  KIT_PTX2(double, __dmul_##cuda, "mul." ptx ".f64", "d")                                          \
  KIT_PTX3(double, __fma_##cuda, "fma." ptx ".f64", "d")                                           \
  KIT_PTX2(double, __ddiv_##cuda, "div." ptx ".f64", "d")                                          \
  KIT_PTX1(double, __drcp_##cuda, double, "rcp." ptx ".f64", "=d", "d")                            \
  KIT_PTX1(double, __dsqrt_##cuda, double, "sqrt." ptx ".f64", "=d", "d")                          \
  KIT_PTX1(int, __float2int_##cuda, float, "cvt." ptx "i" KIT_FTZ ".s32.f32", "=r", "f")           \
  KIT_PTX1(unsigned int, __float2uint_##cuda, float, "cvt." ptx "i" KIT_FTZ ".u32.f32", "=r", "f") \
  KIT_PTX1(long long, __float2ll_##cuda, float, "cvt." ptx "i" KIT_FTZ ".s64.f32", "=l", "f")      \
  KIT_PTX1(unsigned long long, __float2ull_##cuda, float, "cvt." ptx "i" KIT_FTZ ".u64.f32", "=l", \
           "f")                                                                                    \
  KIT_PTX1(int, __double2int_##cuda, double, "cvt." ptx "i.s32.f64", "=r", "d")                    \
  KIT_PTX1(unsigned int, __double2uint_##cuda, double, "cvt." ptx "i.u32.f64", "=r", "d")          \
  KIT_PTX1(long long, __double2ll_##cuda, double, "cvt." ptx "i.s64.f64", "=l", "d")               \
  KIT_PTX1(unsigned long long, __double2ull_##cuda, double, "cvt." ptx "i.u64.f64", "=l", "d")     \
  KIT_PTX1(float, __double2float_##cuda, double, "cvt." ptx KIT_FTZ ".f32.f64", "=f", "d")         \
  KIT_PTX1(float, __int2float_##cuda, int, "cvt." ptx ".f32.s32", "=f", "r")                       \
  KIT_PTX1(float, __uint2float_##cuda, unsigned int, "cvt." ptx ".f32.u32", "=f", "r")             \
  KIT_PTX1(float, __ll2float_##cuda, long long, "cvt." ptx ".f32.s64", "=f", "l")                  \
  KIT_PTX1(float, __ull2float_##cuda, unsigned long long, "cvt." ptx ".f32.u64", "=f", "l")        \
  KIT_PTX1(double, __ll2double_##cuda, long long, "cvt." ptx ".f64.s64", "=d", "l")                \
  KIT_PTX1(double, __ull2double_##cuda, unsigned long long, "cvt." ptx ".f64.u64", "=d", "l")
KIT_ROUNDED(rn, "rn")
KIT_ROUNDED(rz, "rz")
KIT_ROUNDED(ru, "rp")
KIT_ROUNDED(rd, "rm")
#undef KIT_ROUNDED
#undef KIT_PTX1
#undef KIT_PTX2
#undef KIT_PTX3
__kit_device__ double __int2double_rn(int x) { return x; }
__kit_device__ double __uint2double_rn(unsigned int x) { return x; }
__kit_device__ float __frsqrt_rn(float x) {
  return __double2float_rn(__drcp_rn(__dsqrt_rn((double)x)));
}

/* Fast, less exact functions */
__kit_device__ float __saturatef(float x) { return KIT_SINGLE(saturate)(x); }
__kit_device__ float __fdividef(float x, float y) { return KIT_SINGLE(div_approx)(x, y); }
__kit_device__ float __expf(float x) { return KIT_SINGLE(ex2_approx)(x * 1.4426950408889634f); }
__kit_device__ float __exp10f(float x) { return KIT_SINGLE(ex2_approx)(x * 3.3219280948873623f); }
__kit_device__ float __log2f(float x) { return KIT_SINGLE(lg2_approx)(x); }
__kit_device__ float __logf(float x) { return KIT_SINGLE(lg2_approx)(x) * 0.6931471805599453f; }
__kit_device__ float __log10f(float x) { return KIT_SINGLE(lg2_approx)(x) * 0.3010299956639812f; }
__kit_device__ float __sinf(float x) { return KIT_SINGLE(sin_approx)(x); }
__kit_device__ float __cosf(float x) { return KIT_SINGLE(cos_approx)(x); }
__kit_device__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__kit_device__ float __powf(float x, float y) {
  return KIT_SINGLE(ex2_approx)(y * KIT_SINGLE(lg2_approx)(x));
}
__kit_device__ void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}

/* Loads through the read-only cache: ld.global.nc. Other cache hints are plain loads and stores. */
#define KIT_LDG(type, suffix, as) \
  __kit_device__ type __ldg(const type *p) { return (type)__nvvm_ldg_##suffix((const as *)p); }
KIT_LDG(char, c, char)
KIT_LDG(signed char, c, char)
KIT_LDG(unsigned char, uc, unsigned char)
KIT_LDG(short, s, short)
KIT_LDG(unsigned short, us, unsigned short)
KIT_LDG(int, i, int)
KIT_LDG(unsigned int, ui, unsigned int)
KIT_LDG(long, l, long)
KIT_LDG(unsigned long, ul, unsigned long)
KIT_LDG(long long, ll, long long)
KIT_LDG(unsigned long long, ull, unsigned long long)
KIT_LDG(float, f, float)
KIT_LDG(double, d, double)
#undef KIT_LDG
#define KIT_LDG(type, suffix, element, lanes)                              \
  __kit_device__ type __ldg(const type *p) {                               \
    typedef element kit_ldg_lanes __attribute__((ext_vector_type(lanes))); \
    kit_ldg_lanes v = __nvvm_ldg_##suffix((const kit_ldg_lanes *)p);       \
    type result;                                                           \
    __builtin_memcpy(&result, &v, sizeof result);                          \
    return result;                                                         \
  }
KIT_LDG(char2, c2, char, 2)
KIT_LDG(char4, c4, char, 4)
KIT_LDG(uchar2, uc2, unsigned char, 2)
KIT_LDG(uchar4, uc4, unsigned char, 4)
KIT_LDG(short2, s2, short, 2)
KIT_LDG(short4, s4, short, 4)
KIT_LDG(ushort2, us2, unsigned short, 2)
KIT_LDG(ushort4, us4, unsigned short, 4)
KIT_LDG(int2, i2, int, 2)
KIT_LDG(int4, i4, int, 4)
KIT_LDG(uint2, ui2, unsigned int, 2)
KIT_LDG(uint4, ui4, unsigned int, 4)
KIT_LDG(longlong2, ll2, long long, 2)
KIT_LDG(ulonglong2, ull2, unsigned long long, 2)
KIT_LDG(float2, f2, float, 2)
KIT_LDG(float4, f4, float, 4)
KIT_LDG(double2, d2, double, 2)
#undef KIT_LDG

#define KIT_CACHED(hint)                    \
  template <class T>                        \
  __kit_device__ T __ld##hint(const T *p) { \
    T v;                                    \
    v = *p;                                 \
    return v;                               \
  }
#define KIT_STORED(hint)                      \
  template <class T>                          \
  __kit_device__ void __st##hint(T *p, T v) { \
    *p = v;                                   \
  }
KIT_CACHED(ca)
KIT_CACHED(cg)
KIT_CACHED(cs)
KIT_CACHED(cv)
KIT_CACHED(lu)
KIT_STORED(wb)
KIT_STORED(cg)
KIT_STORED(cs)
KIT_STORED(wt)
#undef KIT_CACHED
#undef KIT_STORED
/* To and from the system's memory each time: a loop may wait for what the host stores. */
#define KIT_UNCACHED(T)                                                        \
  __kit_device__ T __ldcv(const T *p) { return *(const volatile T *)p; }       \
  __kit_device__ void __stwt(T *p, T v) { *(volatile T *)p = v; }
KIT_UNCACHED(char)
KIT_UNCACHED(signed char)
KIT_UNCACHED(unsigned char)
KIT_UNCACHED(short)
KIT_UNCACHED(unsigned short)
KIT_UNCACHED(int)
KIT_UNCACHED(unsigned int)
KIT_UNCACHED(long)
KIT_UNCACHED(unsigned long)
KIT_UNCACHED(long long)
KIT_UNCACHED(unsigned long long)
KIT_UNCACHED(float)
KIT_UNCACHED(double)
#undef KIT_UNCACHED

__kit_device__ __SIZE_TYPE__ __cvta_generic_to_shared(const void *p) {
  return (__SIZE_TYPE__)(const void __attribute__((address_space(3))) *)p;
}
#define KIT_IS_IN(name, space)                                                               \
  __kit_device__ unsigned int name(const void *p) {                                          \
    unsigned int is;                                                                         \
    asm("{ .reg .pred %%p; isspacep." space " %%p, %1; selp.u32 %0, 1, 0, %%p; }" : "=r"(is) \
        : "l"(p));                                                                           \
    return is;                                                                               \
  }
KIT_IS_IN(__isShared, "shared")
KIT_IS_IN(__isGlobal, "global")
KIT_IS_IN(__isLocal, "local")
#undef KIT_IS_IN
#define KIT_TO_GENERIC(name, space)                                   \
  __kit_device__ void *name(__SIZE_TYPE__ raw) {                      \
    return (void *)(void __attribute__((address_space(space))) *)raw; \
  }
KIT_TO_GENERIC(__cvta_global_to_generic, 1)
KIT_TO_GENERIC(__cvta_shared_to_generic, 3)
KIT_TO_GENERIC(__cvta_local_to_generic, 5)
#undef KIT_TO_GENERIC
__kit_device__ __SIZE_TYPE__ __cvta_generic_to_local(const void *p) {
  return (__SIZE_TYPE__)(const void __attribute__((address_space(5))) *)p;
}
__kit_device__ __SIZE_TYPE__ __cvta_generic_to_global(const void *p) {
  return (__SIZE_TYPE__)(const void __attribute__((address_space(1))) *)p;
}

#endif
