/* kit_device_functions.h: integer and floating-point intrinsics, casts of bits, read-only loads,
 * printf and assert. */
#ifndef KIT_DEVICE_FUNCTIONS_H
#define KIT_DEVICE_FUNCTIONS_H

#include "vector_types.h"

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
__kit_device__ int __dp4a(int x, int y, int z) {
  for (int i = 0; i < 4; i++) z += (signed char)(x >> (8 * i)) * (signed char)(y >> (8 * i));
  return z;
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

/* Arithmetic with a rounding mode: _rn nearest even, _rz to zero, _ru up, _rd down (rn, rz, rp, rm
 * in PTX) */
#define KIT_ROUNDED(cuda, ptx)                                                                    \
  __kit_device__ float __fadd_##cuda(float x, float y) { return __nvvm_add_##ptx##_f(x, y); }     \
  __kit_device__ float __fsub_##cuda(float x, float y) { return __nvvm_add_##ptx##_f(x, -y); }    \
  __kit_device__ float __fmul_##cuda(float x, float y) { return __nvvm_mul_##ptx##_f(x, y); }     \
  __kit_device__ float __fmaf_##cuda(float x, float y, float z) {                                 \
    return __nvvm_fma_##ptx##_f(x, y, z);                                                         \
  }                                                                                               \
  __kit_device__ float __fdiv_##cuda(float x, float y) { return __nvvm_div_##ptx##_f(x, y); }     \
  __kit_device__ float __frcp_##cuda(float x) { return __nvvm_rcp_##ptx##_f(x); }                 \
  __kit_device__ float __fsqrt_##cuda(float x) { return __nvvm_sqrt_##ptx##_f(x); }               \
  __kit_device__ double __dadd_##cuda(double x, double y) { return __nvvm_add_##ptx##_d(x, y); }  \
  __kit_device__ double __dsub_##cuda(double x, double y) { return __nvvm_add_##ptx##_d(x, -y); } \
  __kit_device__ double __dmul_##cuda(double x, double y) { return __nvvm_mul_##ptx##_d(x, y); }  \
  __kit_device__ double __fma_##cuda(double x, double y, double z) {                              \
    return __nvvm_fma_##ptx##_d(x, y, z);                                                         \
  }                                                                                               \
  __kit_device__ double __ddiv_##cuda(double x, double y) { return __nvvm_div_##ptx##_d(x, y); }  \
  __kit_device__ double __drcp_##cuda(double x) { return __nvvm_rcp_##ptx##_d(x); }               \
  __kit_device__ double __dsqrt_##cuda(double x) { return __nvvm_sqrt_##ptx##_d(x); }             \
  __kit_device__ int __float2int_##cuda(float x) { return __nvvm_f2i_##ptx(x); }                  \
  __kit_device__ unsigned int __float2uint_##cuda(float x) { return __nvvm_f2ui_##ptx(x); }       \
  __kit_device__ long long __float2ll_##cuda(float x) { return __nvvm_f2ll_##ptx(x); }            \
  __kit_device__ unsigned long long __float2ull_##cuda(float x) { return __nvvm_f2ull_##ptx(x); } \
  __kit_device__ int __double2int_##cuda(double x) { return __nvvm_d2i_##ptx(x); }                \
  __kit_device__ unsigned int __double2uint_##cuda(double x) { return __nvvm_d2ui_##ptx(x); }     \
  __kit_device__ long long __double2ll_##cuda(double x) { return __nvvm_d2ll_##ptx(x); }          \
  __kit_device__ unsigned long long __double2ull_##cuda(double x) {                               \
    return __nvvm_d2ull_##ptx(x);                                                                 \
  }                                                                                               \
  __kit_device__ float __double2float_##cuda(double x) { return __nvvm_d2f_##ptx(x); }            \
  __kit_device__ float __int2float_##cuda(int x) { return __nvvm_i2f_##ptx(x); }                  \
  __kit_device__ float __uint2float_##cuda(unsigned int x) { return __nvvm_ui2f_##ptx(x); }       \
  __kit_device__ float __ll2float_##cuda(long long x) { return __nvvm_ll2f_##ptx(x); }            \
  __kit_device__ float __ull2float_##cuda(unsigned long long x) { return __nvvm_ull2f_##ptx(x); } \
  __kit_device__ double __ll2double_##cuda(long long x) { return __nvvm_ll2d_##ptx(x); }          \
  __kit_device__ double __ull2double_##cuda(unsigned long long x) { return __nvvm_ull2d_##ptx(x); }
KIT_ROUNDED(rn, rn)
KIT_ROUNDED(rz, rz)
KIT_ROUNDED(ru, rp)
KIT_ROUNDED(rd, rm)
#undef KIT_ROUNDED
__kit_device__ double __int2double_rn(int x) { return x; }
__kit_device__ double __uint2double_rn(unsigned int x) { return x; }
__kit_device__ float __frsqrt_rn(float x) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)x)); }

/* Fast, less exact functions */
__kit_device__ float __saturatef(float x) { return __nvvm_saturate_f(x); }
__kit_device__ float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
__kit_device__ float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
__kit_device__ float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
__kit_device__ float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
__kit_device__ float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
__kit_device__ float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.3010299956639812f; }
__kit_device__ float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__kit_device__ float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__kit_device__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__kit_device__ float __powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
__kit_device__ void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}

/* Loads through the read-only cache: ld.global.nc. The other cache hints are plain loads and
 * stores. */
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

__kit_device__ __SIZE_TYPE__ __cvta_generic_to_shared(const void *p) {
  return (__SIZE_TYPE__)(const void __attribute__((address_space(3))) *)p;
}
__kit_device__ __SIZE_TYPE__ __cvta_generic_to_global(const void *p) {
  return (__SIZE_TYPE__)(const void __attribute__((address_space(1))) *)p;
}

#endif
