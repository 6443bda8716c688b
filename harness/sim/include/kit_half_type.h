/* kit_half_type.h: one 16-bit floating-point format and pairs of it. cuda_fp16.h and cuda_bf16.h
 * include this file, each with its names in these macros:
 *
 *   KIT_T, KIT_T2, KIT_RAW, KIT_RAW2   the types: __half, __half2, __half_raw, __half2_raw
 *   KIT_OTHER                          the other format, which is converted explicitly
 *   KIT_PTX                            the format in PTX: "f16"
 *   KIT_FROM(to, how)                  a conversion's name: __half2int_rn of int, _rn
 *   KIT_TO(from, how)                  __int2half_rn of int, _rn
 *   KIT_TO2(from, how)                 __float2half2_rn of float, _rn
 *   KIT_OF(what, how)                  __low2half of low and nothing, __lows2half2 of lows and 2
 *   KIT_AS(type), KIT_AS_FROM(type)    __short_as_half, __half_as_short
 *   KIT_NAME(word)                     a name of our own
 *   KIT_VALUE, KIT_ROUND, KIT_FUSED    functions of kit_half_bits.h
 *   KIT_CONVERSIONS, KIT_OPERATORS, KIT_OPERATORS2   1 for those of C++, else 0
 */
#pragma GCC system_header

#include "kit_half_code.h"

typedef struct __align__(2) {
  unsigned short x;
}
KIT_RAW;
typedef struct __align__(4) {
  unsigned short x, y;
}
KIT_RAW2;

#ifdef __cplusplus

#define KIT_MAKE KIT_NAME(make)
#define KIT_MAKE2 KIT_NAME(make2)
#define KIT_BITS_OF KIT_NAME(bits_of)
#define KIT_BITS2_OF KIT_NAME(bits2_of)

/* Numbers, but for float and double: CUDA's word for it, the type, its register, bits, how it is
 * made of a float and how it becomes one. */
#define KIT_NUMBERS(X)                                                         \
  X(short, short, "h", "s16", kit_to_signed(x, 16), kit_odd(x, 0))             \
  X(ushort, unsigned short, "h", "u16", kit_to_unsigned(x, 16), kit_odd(x, 0)) \
  X(int, int, "r", "s32", kit_to_signed(x, 32), kit_odd(x, 0))                 \
  X(uint, unsigned int, "r", "u32", kit_to_unsigned(x, 32), kit_odd(x, 0))     \
  X(ll, long long, "l", "s64", kit_to_signed(x, 64), kit_odd_of_long(x))       \
  X(ull, unsigned long long, "l", "u64", kit_to_unsigned(x, 64), kit_odd_of_ulong(x))

/* ---- types ---- */

struct KIT_T;
struct KIT_OTHER;
#define KIT_DECLARE(word, type, ...)            \
  __kit_both__ KIT_T KIT_TO(word, _rn)(type x); \
  __kit_both__ type KIT_FROM(word, _rz)(KIT_T x);
KIT_NUMBERS(KIT_DECLARE)
#undef KIT_DECLARE
__kit_both__ KIT_T KIT_TO(float, _rn)(float x);
__kit_both__ KIT_T KIT_TO(double, )(double x);
__kit_both__ float KIT_FROM(float, )(KIT_T x);
__kit_both__ signed char KIT_FROM(char, _rz)(KIT_T x);
__kit_both__ unsigned char KIT_FROM(uchar, _rz)(KIT_T x);

struct __align__(2) KIT_T {
 protected:
  unsigned short __x;

 public:
  KIT_T() = default;
  __kit_member__ constexpr KIT_T(const KIT_RAW &raw) : __x(raw.x) {}
  __kit_member__ explicit KIT_T(const KIT_OTHER &x);
  __kit_member__ KIT_T &operator=(const KIT_RAW &raw) {
    __x = raw.x;
    return *this;
  }
  __kit_member__ operator KIT_RAW() const {
    KIT_RAW raw = {__x};
    return raw;
  }
#if KIT_CONVERSIONS
#define KIT_MEMBERS(type, from)                               \
  __kit_member__ KIT_T(type x) : __x(((KIT_RAW)from(x)).x) {} \
  __kit_member__ KIT_T &operator=(type x) { return *this = from(x); }
#define KIT_INTEGER(word, type, ...)   \
  KIT_MEMBERS(type, KIT_TO(word, _rn)) \
  __kit_member__ operator type() const { return KIT_FROM(word, _rz)(*this); }
  KIT_NUMBERS(KIT_INTEGER)
  KIT_MEMBERS(long, KIT_TO(ll, _rn))
  KIT_MEMBERS(unsigned long, KIT_TO(ull, _rn))
  KIT_MEMBERS(float, KIT_TO(float, _rn))
  KIT_MEMBERS(double, KIT_TO(double, ))
#undef KIT_INTEGER
#undef KIT_MEMBERS
  __kit_member__ operator long() const { return (long)KIT_FROM(ll, _rz)(*this); }
  __kit_member__ operator unsigned long() const { return (unsigned long)KIT_FROM(ull, _rz)(*this); }
  __kit_member__ operator float() const { return KIT_FROM(float, )(*this); }
  __kit_member__ operator bool() const { return (__x & 0x7fff) != 0; }
  __kit_member__ operator char() const { return (char)KIT_FROM(char, _rz)(*this); }
  __kit_member__ operator signed char() const { return KIT_FROM(char, _rz)(*this); }
  __kit_member__ operator unsigned char() const { return KIT_FROM(uchar, _rz)(*this); }
#endif
};

void kit_raw(KIT_RAW2, KIT_RAW2 *); /* of this type and of no other */

struct __align__(4) KIT_T2 {
  KIT_T x, y;

  KIT_T2() = default;
  __kit_member__ constexpr KIT_T2(const KIT_T &a, const KIT_T &b) : x(a), y(b) {}
  __kit_member__ KIT_T2(const KIT_RAW2 &raw) { *this = raw; }
  /* A template, so that {} is a KIT_T2 and not a raw one. */
  template <class Raw, class = decltype(kit_raw(KIT_RAW2(), (Raw *)0))>
  __kit_member__ KIT_T2 &operator=(const Raw &raw) {
    __builtin_memcpy((void *)this, &raw, sizeof raw);
    return *this;
  }
  __kit_member__ operator KIT_RAW2() const {
    KIT_RAW2 raw;
    __builtin_memcpy(&raw, this, sizeof raw);
    return raw;
  }
};

/* ---- bits ---- */

__kit_both__ KIT_T KIT_MAKE(unsigned int bits) {
  KIT_RAW raw = {(unsigned short)bits};
  return raw;
}
__kit_both__ unsigned short KIT_BITS_OF(KIT_T x) { return ((KIT_RAW)x).x; }
__kit_both__ KIT_T2 KIT_MAKE2(unsigned int bits) {
  KIT_T2 pair;
  __builtin_memcpy((void *)&pair, &bits, sizeof pair);
  return pair;
}
__kit_both__ unsigned int KIT_BITS2_OF(KIT_T2 x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
__kit_both__ KIT_T KIT_AS(short)(short x) { return KIT_MAKE((unsigned short)x); }
__kit_both__ KIT_T KIT_AS(ushort)(unsigned short x) { return KIT_MAKE(x); }
__kit_both__ short KIT_AS_FROM(short)(KIT_T x) { return (short)KIT_BITS_OF(x); }
__kit_both__ unsigned short KIT_AS_FROM(ushort)(KIT_T x) { return KIT_BITS_OF(x); }

/* ---- conversions ---- */

#define KIT_MODE(cuda, ptx, mode)                                                           \
  KIT_ROUND_TO(KIT_TO(float, cuda), float, "f", ptx "." KIT_PTX ".f32", KIT_ROUND(x, mode)) \
  KIT_NUMBERS(KIT_NUMBER_##mode)
#define KIT_NUMBER(cuda, ptx, mode, word, type, r, of, to, odd)                           \
  KIT_ROUND_TO(KIT_TO(word, cuda), type, r, ptx "." KIT_PTX "." of, KIT_ROUND(odd, mode)) \
  KIT_CONVERT(KIT_FROM(word, cuda), type, r, ptx "i." of,                                 \
              KIT_NAME(word##_of)(kit_integral(a, mode)))
#define KIT_INTEGER(word, type, r, of, to, odd) \
  KIT_BITS type KIT_NAME(word##_of)(float x) { return (type)to; }
#define KIT_NUMBER_KIT_RN(...) KIT_NUMBER(_rn, "rn", KIT_RN, __VA_ARGS__)
#define KIT_NUMBER_KIT_RZ(...) KIT_NUMBER(_rz, "rz", KIT_RZ, __VA_ARGS__)
#define KIT_NUMBER_KIT_RD(...) KIT_NUMBER(_rd, "rm", KIT_RD, __VA_ARGS__)
#define KIT_NUMBER_KIT_RU(...) KIT_NUMBER(_ru, "rp", KIT_RU, __VA_ARGS__)
KIT_NUMBERS(KIT_INTEGER)
KIT_MODE(_rn, "rn", KIT_RN)
KIT_MODE(_rz, "rz", KIT_RZ)
KIT_MODE(_rd, "rm", KIT_RD)
KIT_MODE(_ru, "rp", KIT_RU)
#undef KIT_INTEGER
KIT_ROUND_TO(KIT_TO(double, ), double, "d", "rn." KIT_PTX ".f64", KIT_ROUND(kit_odd(x, 0), KIT_RN))
KIT_CONVERT(KIT_FROM(float, ), float, "f", "f32", a)
__kit_both__ KIT_T KIT_TO(float, )(float x) { return KIT_TO(float, _rn)(x); }
__kit_both__ signed char KIT_FROM(char, _rz)(KIT_T x) {
  int v = KIT_FROM(int, _rz)(x);
  return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
__kit_both__ unsigned char KIT_FROM(uchar, _rz)(KIT_T x) {
  unsigned int v = KIT_FROM(uint, _rz)(x);
  return (unsigned char)(v > 255 ? 255 : v);
}

/* ---- pairs ---- */

__kit_both__ KIT_T2 KIT_TO2(floats, _rn)(float x, float y) {
#ifdef __CUDA_ARCH__
  unsigned int result;
  __asm__("cvt.rn." KIT_PTX "x2.f32 %0, %1, %2;" : "=r"(result) : "f"(y), "f"(x));
  return KIT_MAKE2(result);
#else
  return KIT_T2(KIT_TO(float, _rn)(x), KIT_TO(float, _rn)(y));
#endif
}
__kit_both__ KIT_T2 KIT_TO2(float, _rn)(float x) { return KIT_TO2(floats, _rn)(x, x); }
__kit_both__ KIT_T2 KIT_TO2(float2, _rn)(float2 v) { return KIT_TO2(floats, _rn)(v.x, v.y); }
__kit_both__ float __low2float(KIT_T2 x) { return KIT_FROM(float, )(x.x); }
__kit_both__ float __high2float(KIT_T2 x) { return KIT_FROM(float, )(x.y); }
__kit_both__ float2 KIT_FROM2(float2)(KIT_T2 x) {
  float2 v = {__low2float(x), __high2float(x)};
  return v;
}
__kit_both__ KIT_T2 KIT_OF(halves, 2)(KIT_T x, KIT_T y) { return KIT_T2(x, y); }
__kit_both__ KIT_T2 KIT_NAME(of_one)(KIT_T x) { return KIT_T2(x, x); }
__kit_both__ KIT_T KIT_OF(low, )(KIT_T2 x) { return x.x; }
__kit_both__ KIT_T KIT_OF(high, )(KIT_T2 x) { return x.y; }
__kit_both__ KIT_T2 KIT_OF(low, 2)(KIT_T2 x) { return KIT_T2(x.x, x.x); }
__kit_both__ KIT_T2 KIT_OF(high, 2)(KIT_T2 x) { return KIT_T2(x.y, x.y); }
__kit_both__ KIT_T2 KIT_OF(lows, 2)(KIT_T2 x, KIT_T2 y) { return KIT_T2(x.x, y.x); }
__kit_both__ KIT_T2 KIT_OF(highs, 2)(KIT_T2 x, KIT_T2 y) { return KIT_T2(x.y, y.y); }
__kit_both__ KIT_T2 __lowhigh2highlow(KIT_T2 x) { return KIT_T2(x.y, x.x); }

/* ---- arithmetic ---- */

KIT_BINARY(__hadd, __hadd2, "add", a + b)
KIT_BINARY(__hsub, __hsub2, "sub", a - b)
KIT_BINARY(__hmul, __hmul2, "mul", a *b)
KIT_BINARY(__hadd_rn, __hadd2_rn, "add.rn", a + b)
KIT_BINARY(__hsub_rn, __hsub2_rn, "sub.rn", a - b)
KIT_BINARY(__hmul_rn, __hmul2_rn, "mul.rn", a *b)
KIT_TERNARY(__hfma, __hfma2, "fma.rn", KIT_FUSED(a, b, c))
KIT_TERNARY(__hfma_relu, __hfma2_relu, "fma.rn.relu", kit_relu(KIT_FUSED(a, b, c)))
KIT_UNARY(__hneg, __hneg2, "neg", -a)
KIT_UNARY(__habs, __habs2, "abs", __builtin_fabsf(a))
KIT_BINARY(__hmin, __hmin2, "min", kit_least(a, b))
KIT_BINARY(__hmax, __hmax2, "max", -kit_least(-a, -b))
KIT_BINARY(__hmin_nan, __hmin2_nan, "min.NaN", a != a || b != b ? a + b : kit_least(a, b))
KIT_BINARY(__hmax_nan, __hmax2_nan, "max.NaN", a != a || b != b ? a + b : -kit_least(-a, -b))
/* In a kernel no precise quotient of floats, which would take several times as long. */
__kit_both__ KIT_T __hdiv(KIT_T x, KIT_T y) {
  float a = KIT_FROM(float, )(x), b = KIT_FROM(float, )(y);
#ifdef __CUDA_ARCH__
  asm("div.full.f32 %0, %1, %2;" : "=f"(a) : "f"(a), "f"(b));
  return KIT_TO(float, _rn)(a);
#else
  return KIT_TO(float, _rn)(a / b);
#endif
}
__kit_both__ KIT_T2 __h2div(KIT_T2 x, KIT_T2 y) {
  return KIT_T2(__hdiv(x.x, y.x), __hdiv(x.y, y.y));
}
/* x * y + z of complex numbers */
__kit_both__ KIT_T2 __hcmadd(KIT_T2 x, KIT_T2 y, KIT_T2 z) {
  KIT_T2 sum = __hfma2(KIT_OF(low, 2)(x), y, z);
  return __hfma2(KIT_T2(__hneg(x.y), x.y), __lowhigh2highlow(y), sum);
}

/* ---- comparisons ---- */

KIT_COMPARE(eq, a == b)
KIT_COMPARE(ne, a<b || a> b)
KIT_COMPARE(lt, a < b)
KIT_COMPARE(le, a <= b)
KIT_COMPARE(gt, a > b)
KIT_COMPARE(ge, a >= b)
KIT_COMPARE(equ, !(a < b || a > b))
KIT_COMPARE(neu, a != b)
KIT_COMPARE(ltu, !(a >= b))
KIT_COMPARE(leu, !(a > b))
KIT_COMPARE(gtu, !(a <= b))
KIT_COMPARE(geu, !(a < b))
__kit_both__ bool __hisnan(KIT_T x) { return __hneu(x, x); }
__kit_both__ KIT_T2 __hisnan2(KIT_T2 x) { return __hneu2(x, x); }
__kit_both__ int __hisinf(KIT_T x) {
  float v = KIT_FROM(float, )(x);
  return __builtin_isinf(v) ? (v > 0 ? 1 : -1) : 0;
}

#if KIT_OPERATORS
#define KIT_OPERATOR(T, op, name)                                           \
  __kit_both__ T operator op(const T &x, const T &y) { return name(x, y); } \
  __kit_both__ T &operator op##=(T &x, const T &y) { return x = name(x, y); }
#define KIT_RELATION(T, op, name) \
  __kit_both__ bool operator op(const T &x, const T &y) { return name(x, y); }
#define KIT_STEP(T, op, name, one)                               \
  __kit_both__ T &operator op(T &x) { return x = name(x, one); } \
  __kit_both__ T operator op(T &x, int) {                        \
    T old = x;                                                   \
    x = name(x, one);                                            \
    return old;                                                  \
  }
KIT_OPERATOR(KIT_T, +, __hadd)
KIT_OPERATOR(KIT_T, -, __hsub)
KIT_OPERATOR(KIT_T, *, __hmul)
KIT_OPERATOR(KIT_T, /, __hdiv)
KIT_STEP(KIT_T, ++, __hadd, KIT_MAKE(KIT_ROUND_ONE))
KIT_STEP(KIT_T, --, __hsub, KIT_MAKE(KIT_ROUND_ONE))
__kit_both__ KIT_T operator+(const KIT_T &x) { return x; }
__kit_both__ KIT_T operator-(const KIT_T &x) { return __hneg(x); }
KIT_RELATION(KIT_T, ==, __heq)
KIT_RELATION(KIT_T, !=, __hneu)
KIT_RELATION(KIT_T, <, __hlt)
KIT_RELATION(KIT_T, >, __hgt)
KIT_RELATION(KIT_T, <=, __hle)
KIT_RELATION(KIT_T, >=, __hge)
#endif
#if KIT_OPERATORS2
KIT_OPERATOR(KIT_T2, +, __hadd2)
KIT_OPERATOR(KIT_T2, -, __hsub2)
KIT_OPERATOR(KIT_T2, *, __hmul2)
KIT_OPERATOR(KIT_T2, /, __h2div)
KIT_STEP(KIT_T2, ++, __hadd2, KIT_NAME(of_one)(KIT_MAKE(KIT_ROUND_ONE)))
KIT_STEP(KIT_T2, --, __hsub2, KIT_NAME(of_one)(KIT_MAKE(KIT_ROUND_ONE)))
__kit_both__ KIT_T2 operator+(const KIT_T2 &x) { return x; }
__kit_both__ KIT_T2 operator-(const KIT_T2 &x) { return __hneg2(x); }
KIT_RELATION(KIT_T2, ==, __hbeq2)
KIT_RELATION(KIT_T2, !=, __hbneu2)
KIT_RELATION(KIT_T2, <, __hblt2)
KIT_RELATION(KIT_T2, >, __hbgt2)
KIT_RELATION(KIT_T2, <=, __hble2)
KIT_RELATION(KIT_T2, >=, __hbge2)
#endif

#ifdef __CUDA__

/* ---- functions ---- */

#define KIT_FUNCTION(name, code) KIT_BY_FLOAT(h##name, h2##name, code)
KIT_FUNCTION(sqrt, __nvvm_sqrt_rn_f(a))
KIT_FUNCTION(rsqrt, __nvvm_rsqrt_approx_f(a))
KIT_FUNCTION(rcp, 1.0f / a)
KIT_FUNCTION(exp2, __nvvm_ex2_approx_f(a))
KIT_FUNCTION(exp, __nvvm_ex2_approx_f(a * 1.4426950408889634f))
KIT_FUNCTION(exp10, __nvvm_ex2_approx_f(a * 3.3219280948873623f))
KIT_FUNCTION(log2, __nvvm_lg2_approx_f(a))
KIT_FUNCTION(log, __nvvm_lg2_approx_f(a) * 0.6931471805599453f)
KIT_FUNCTION(log10, __nvvm_lg2_approx_f(a) * 0.3010299956639812f)
KIT_FUNCTION(sin, __kit_sinf(a))
KIT_FUNCTION(cos, __kit_cosf(a))
KIT_FUNCTION(tanh, __kit_tanhf(a))
#undef KIT_FUNCTION
KIT_UNARY(htanh_approx, h2tanh_approx, "tanh.approx", __builtin_tanhf(a))
#define KIT_INTEGRAL(name, r)                                                                  \
  __kit_device__ KIT_T h##name(KIT_T x) {                                                      \
    unsigned short result;                                                                     \
    __asm__("cvt." r "." KIT_PTX "." KIT_PTX " %0, %1;" : "=h"(result) : "h"(KIT_BITS_OF(x))); \
    return KIT_MAKE(result);                                                                   \
  }                                                                                            \
  __kit_device__ KIT_T2 h2##name(KIT_T2 x) { return KIT_T2(h##name(x.x), h##name(x.y)); }
KIT_INTEGRAL(rint, "rni")
KIT_INTEGRAL(trunc, "rzi")
KIT_INTEGRAL(floor, "rmi")
KIT_INTEGRAL(ceil, "rpi")
#undef KIT_INTEGRAL

/* ---- memory and other lanes ---- */

__kit_device__ KIT_T __ldg(const KIT_T *p) { return KIT_MAKE(__ldg((const unsigned short *)p)); }
__kit_device__ KIT_T2 __ldg(const KIT_T2 *p) { return KIT_MAKE2(__ldg((const unsigned int *)p)); }
__kit_device__ KIT_T atomicAdd(KIT_T *p, KIT_T v) {
  unsigned short old;
  __asm__ volatile("atom.add.noftz." KIT_PTX " %0, [%1], %2;"
                   : "=h"(old)
                   : "l"(p), "h"(KIT_BITS_OF(v))
                   : "memory");
  return KIT_MAKE(old);
}
__kit_device__ KIT_T2 atomicAdd(KIT_T2 *p, KIT_T2 v) {
  unsigned int old;
  __asm__ volatile("atom.add.noftz." KIT_PTX "x2 %0, [%1], %2;"
                   : "=r"(old)
                   : "l"(p), "r"(KIT_BITS2_OF(v))
                   : "memory");
  return KIT_MAKE2(old);
}
#define KIT_SHUFFLED(name, offset_type)                                                    \
  __kit_device__ KIT_T name(unsigned int mask, KIT_T v, offset_type o, int width = 32) {   \
    return KIT_MAKE(name(mask, (unsigned int)KIT_BITS_OF(v), o, width));                   \
  }                                                                                        \
  __kit_device__ KIT_T2 name(unsigned int mask, KIT_T2 v, offset_type o, int width = 32) { \
    return KIT_MAKE2(name(mask, KIT_BITS2_OF(v), o, width));                               \
  }
KIT_SHUFFLED(__shfl_sync, int)
KIT_SHUFFLED(__shfl_up_sync, unsigned int)
KIT_SHUFFLED(__shfl_down_sync, unsigned int)
KIT_SHUFFLED(__shfl_xor_sync, int)
#undef KIT_SHUFFLED

#endif
#endif
