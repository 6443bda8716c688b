/* kit_math.h: CUDA's math functions for device code: float, double and integer arguments, in the
 * global namespace and in std.
 *
 * What PTX has an instruction for is a builtin; the rest calls a __kit_ function of
 * kit_intrinsics.h. Must come before the standard headers (see cuda_runtime.h).
 */
#ifndef KIT_MATH_H
#define KIT_MATH_H

#include "host_defines.h"
#include "kit_device_functions.h"
#include "kit_intrinsics.h"

extern "C" {
#define KIT_DECLARE(type, name, ...) \
  __device__ __attribute__((const, nothrow)) type __kit_##name(type, ##__VA_ARGS__);
#define M1(name) KIT_DECLARE(double, name) KIT_DECLARE(float, name##f)
#define M2(name) KIT_DECLARE(double, name, double) KIT_DECLARE(float, name##f, float)
#define MI(name) KIT_DECLARE(double, name, int) KIT_DECLARE(float, name##f, int)
KIT_INTRINSICS(M1, M2, MI, M1)
#undef M1
#undef M2
#undef MI
KIT_DECLARE(double, j0)
KIT_DECLARE(double, j1)
KIT_DECLARE(double, y0)
KIT_DECLARE(double, y1)
KIT_DECLARE(double, jn, int)
KIT_DECLARE(double, yn, int)
KIT_DECLARE(double, cyl_bessel_i0)
KIT_DECLARE(double, cyl_bessel_i1)
#undef KIT_DECLARE
}

template <bool, class>
struct kit_enable {};
template <class T>
struct kit_enable<true, T> {
  typedef T type;
};
template <class T>
struct kit_integer {
  static constexpr bool value = false;
};
#define KIT_INTEGER(type)               \
  template <>                           \
  struct kit_integer<type> {            \
    static constexpr bool value = true; \
  };
KIT_INTEGER(bool)
KIT_INTEGER(char)
KIT_INTEGER(signed char)
KIT_INTEGER(unsigned char)
KIT_INTEGER(short)
KIT_INTEGER(unsigned short)
KIT_INTEGER(int)
KIT_INTEGER(unsigned int)
KIT_INTEGER(long)
KIT_INTEGER(unsigned long)
KIT_INTEGER(long long)
KIT_INTEGER(unsigned long long)
#undef KIT_INTEGER

/* name(double), name(float), namef(float), name(integer); the bodies are expressions of x. */
#define KIT_MATH1(name, body, bodyf)                                                  \
  __kit_device__ double name(double x) { return body; }                               \
  __kit_device__ float name##f(float x) { return bodyf; }                             \
  __kit_device__ float name(float x) { return bodyf; }                                \
  template <class T>                                                                  \
  __kit_device__ typename kit_enable<kit_integer<T>::value, double>::type name(T x) { \
    return name((double)x);                                                           \
  }                                                                                   \
  namespace std {                                                                     \
  using ::name;                                                                       \
  using ::name##f;                                                                    \
  }
/* The same for two arguments; of mixed types the wider one counts. */
#define KIT_MATH2(name, body, bodyf)                                              \
  __kit_device__ double name(double x, double y) { return body; }                 \
  __kit_device__ float name##f(float x, float y) { return bodyf; }                \
  __kit_device__ float name(float x, float y) { return bodyf; }                   \
  __kit_device__ double name(double x, float y) { return name(x, (double)y); }    \
  __kit_device__ double name(float x, double y) { return name((double)x, y); }    \
  __kit_device__ float name(float x, int y) { return name(x, (float)y); }         \
  __kit_device__ double name(double x, int y) { return name(x, (double)y); }      \
  __kit_device__ double name(int x, double y) { return name((double)x, y); }      \
  __kit_device__ float name(int x, float y) { return name((float)x, y); }         \
  __kit_device__ double name(int x, int y) { return name((double)x, (double)y); } \
  namespace std {                                                                 \
  using ::name;                                                                   \
  using ::name##f;                                                                \
  }
/* -use_fast_math: the fast, less exact functions (kit_device_functions.h) stand for these. */
#ifdef __USE_FAST_MATH__
#define __kit_sinf __sinf
#define __kit_cosf __cosf
#define __kit_tanf __tanf
#define __kit_logf __logf
#define __kit_log2f __log2f
#define __kit_log10f __log10f
#define __kit_expf __expf
#define __kit_exp2f KIT_SINGLE(ex2_approx)
#define __kit_exp10f __exp10f
#define __kit_powf __powf
#define __kit_tanhf __kit_fast_tanhf
__kit_device__ float __kit_fast_tanhf(float x) {
  __asm__("tanh.approx.f32 %0, %0;" : "+f"(x));
  return x;
}
#endif
#if __CUDA_FTZ /* whatever instructions they consist of, denormal operands and results are zero */
__kit_device__ float kit_flushed(float x) {
  __asm__("mul.rn.ftz.f32 %0, %0, 0f3F800000;" : "+f"(x));
  return x;
}
#define KIT_LIBM1(name) \
  KIT_MATH1(name, __kit_##name(x), kit_flushed(__kit_##name##f(kit_flushed(x))))
#else
#define KIT_LIBM1(name) KIT_MATH1(name, __kit_##name(x), __kit_##name##f(x))
#endif
#define KIT_LIBM2(name) KIT_MATH2(name, __kit_##name(x, y), __kit_##name##f(x, y))
#define KIT_BUILTIN1(name) KIT_MATH1(name, __builtin_##name(x), __builtin_##name##f(x))
#define KIT_BUILTIN2(name) KIT_MATH2(name, __builtin_##name(x, y), __builtin_##name##f(x, y))

KIT_BUILTIN1(ceil)
KIT_BUILTIN1(fabs)
KIT_BUILTIN1(floor)
KIT_BUILTIN1(nearbyint)
KIT_BUILTIN1(rint)
KIT_BUILTIN1(trunc)
KIT_BUILTIN2(copysign)
KIT_BUILTIN2(fmax)
KIT_BUILTIN2(fmin)
#if defined __CUDA_PREC_SQRT && !__CUDA_PREC_SQRT
#define KIT_SQRT KIT_SINGLE(sqrt_approx)
#else
#define KIT_SQRT KIT_SINGLE(sqrt_rn)
#endif
KIT_MATH1(sqrt, __nvvm_sqrt_rn_d(x), KIT_SQRT(x))
KIT_MATH2(fdim, x <= y ? 0.0 : x - y, x <= y ? 0.0f : x - y)

#define KIT_BY_HAND(name) /* below */
KIT_INTRINSICS(KIT_LIBM1, KIT_LIBM2, KIT_BY_HAND, KIT_BY_HAND)

__kit_device__ double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__kit_device__ float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__kit_device__ float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__kit_device__ double ldexp(double x, int e) { return __kit_ldexp(x, e); }
__kit_device__ float ldexpf(float x, int e) { return __kit_ldexpf(x, e); }
__kit_device__ float ldexp(float x, int e) { return __kit_ldexpf(x, e); }
__kit_device__ double scalbn(double x, int e) { return __kit_ldexp(x, e); }
__kit_device__ float scalbnf(float x, int e) { return __kit_ldexpf(x, e); }
__kit_device__ float scalbn(float x, int e) { return __kit_ldexpf(x, e); }
__kit_device__ double scalbln(double x, long e) {
  return __kit_ldexp(x, (int)(e > 99999 ? 99999 : e < -99999 ? -99999 : e));
}
__kit_device__ float scalblnf(float x, long e) {
  return __kit_ldexpf(x, (int)(e > 99999 ? 99999 : e < -99999 ? -99999 : e));
}
__kit_device__ float scalbln(float x, long e) { return scalblnf(x, e); }
__kit_device__ double nan(const char *) { return __builtin_nan(""); }
__kit_device__ float nanf(const char *) { return __builtin_nanf(""); }
__kit_device__ long lround(double x) { return (long)__kit_round(x); }
__kit_device__ long lroundf(float x) { return (long)__kit_roundf(x); }
__kit_device__ long lround(float x) { return (long)__kit_roundf(x); }
__kit_device__ long long llround(double x) { return (long long)__kit_round(x); }
__kit_device__ long long llroundf(float x) { return (long long)__kit_roundf(x); }
__kit_device__ long long llround(float x) { return (long long)__kit_roundf(x); }
__kit_device__ long lrint(double x) { return (long)__builtin_rint(x); }
__kit_device__ long lrintf(float x) { return (long)__builtin_rintf(x); }
__kit_device__ long lrint(float x) { return (long)__builtin_rintf(x); }
__kit_device__ long long llrint(double x) { return (long long)__builtin_rint(x); }
__kit_device__ long long llrintf(float x) { return (long long)__builtin_rintf(x); }
__kit_device__ long long llrint(float x) { return (long long)__builtin_rintf(x); }
__kit_device__ double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
__kit_device__ float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
__kit_device__ float modf(float x, float *whole) { return modff(x, whole); }
__kit_device__ double frexp(double x, int *e) {
  *e = x == 0 || !__builtin_isfinite(x) ? 0 : (int)__kit_logb(x) + 1;
  return __kit_ldexp(x, -*e);
}
__kit_device__ float frexpf(float x, int *e) {
  *e = x == 0 || !__builtin_isfinite(x) ? 0 : (int)__kit_logbf(x) + 1;
  return __kit_ldexpf(x, -*e);
}
__kit_device__ float frexp(float x, int *e) { return frexpf(x, e); }
__kit_device__ int ilogb(double x) { return x != x ? -2147483647 - 1 : (int)__kit_logb(x); }
__kit_device__ int ilogbf(float x) { return x != x ? -2147483647 - 1 : (int)__kit_logbf(x); }
__kit_device__ int ilogb(float x) { return ilogbf(x); }

__kit_device__ int abs(int x) { return x < 0 ? -x : x; }
__kit_device__ long abs(long x) { return x < 0 ? -x : x; }
__kit_device__ long labs(long x) { return x < 0 ? -x : x; }
__kit_device__ long long abs(long long x) { return x < 0 ? -x : x; }
__kit_device__ long long llabs(long long x) { return x < 0 ? -x : x; }
__kit_device__ float abs(float x) { return __builtin_fabsf(x); }
__kit_device__ double abs(double x) { return __builtin_fabs(x); }

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::scalbn;
}  // namespace std

/* CUDA's own functions */
__kit_both__ float rsqrtf(float x) {
#ifdef __CUDA_ARCH__
  return KIT_SINGLE(rsqrt_approx)(x);
#else
  return 1.0f / __builtin_sqrtf(x);
#endif
}
__kit_both__ double rsqrt(double x) {
#ifdef __CUDA_ARCH__
  return 1.0 / __nvvm_sqrt_rn_d(x);
#else
  return 1.0 / __builtin_sqrt(x);
#endif
}
__kit_both__ float rsqrt(float x) { return rsqrtf(x); }
__kit_device__ double exp10(double x) { return __kit_exp10(x); }
__kit_device__ float exp10f(float x) { return __kit_exp10f(x); }
__kit_device__ double rcbrt(double x) { return 1.0 / __kit_cbrt(x); }
__kit_device__ float rcbrtf(float x) { return (float)rcbrt((double)x); }
__kit_device__ double rhypot(double x, double y) { return 1.0 / __kit_hypot(x, y); }
__kit_device__ float rhypotf(float x, float y) { return 1.0f / __kit_hypotf(x, y); }
#ifdef __USE_FAST_MATH__
__kit_device__ float fdividef(float x, float y) { return KIT_SINGLE(div_approx)(x, y); }
#else
__kit_device__ float fdividef(float x, float y) { return x / y; }
#endif
/* x is brought into [-0.5, 0.5] first, which is exact, so that multiples of a half turn give 0. */
__kit_device__ double sinpi(double x) {
  double turns = __builtin_rint(x), rest = x - turns;
  double s = __kit_sin(3.14159265358979323846 * rest);
  return rest == 0 ? x * 0.0 : __builtin_rint(turns * 0.5) * 2 == turns ? s : -s;
}
__kit_device__ double cospi(double x) {
  double turns = __builtin_rint(x), rest = x - turns;
  double size = __builtin_fabs(rest), quarter = 0.5 - size; /* exact where it counts */
  double c = size > 0.25 ? __kit_sin(3.14159265358979323846 * quarter)
                         : __kit_cos(3.14159265358979323846 * size);
  if (quarter == 0) return 0.0;
  return __builtin_rint(turns * 0.5) * 2 == turns ? c : -c;
}
__kit_device__ float sinpif(float x) { return (float)sinpi((double)x); }
__kit_device__ float cospif(float x) { return (float)cospi((double)x); }
__kit_device__ void sincos(double x, double *s, double *c) {
  *s = __kit_sin(x);
  *c = __kit_cos(x);
}
__kit_device__ void sincosf(float x, float *s, float *c) {
  *s = sinf(x);
  *c = cosf(x);
}

#ifdef __USE_FAST_MATH__
#undef __kit_sinf
#undef __kit_cosf
#undef __kit_tanf
#undef __kit_logf
#undef __kit_log2f
#undef __kit_log10f
#undef __kit_expf
#undef __kit_exp2f
#undef __kit_exp10f
#undef __kit_powf
#undef __kit_tanhf
#endif

#include "kit_erf.h"
#include "kit_special.h"

/* min and max, on host and device */
#define KIT_MINMAX(a, b, type)                                                      \
  __kit_both__ type min(a x, b y) { return (type)x < (type)y ? (type)x : (type)y; } \
  __kit_both__ type max(a x, b y) { return (type)x > (type)y ? (type)x : (type)y; }
#define KIT_MINMAX_MIXED(s, u) \
  KIT_MINMAX(s, s, s) KIT_MINMAX(u, u, u) KIT_MINMAX(s, u, u) KIT_MINMAX(u, s, u)
KIT_MINMAX_MIXED(int, unsigned int)
KIT_MINMAX_MIXED(long, unsigned long)
KIT_MINMAX_MIXED(long long, unsigned long long)
#undef KIT_MINMAX_MIXED
#undef KIT_MINMAX
#define KIT_MINMAX(a, b, type, suffix)                                                 \
  __kit_both__ type min(a x, b y) { return __builtin_fmin##suffix((type)x, (type)y); } \
  __kit_both__ type max(a x, b y) { return __builtin_fmax##suffix((type)x, (type)y); }
KIT_MINMAX(float, float, float, f)
KIT_MINMAX(double, double, double, )
KIT_MINMAX(float, double, double, )
KIT_MINMAX(double, float, double, )
#undef KIT_MINMAX
__kit_both__ unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
__kit_both__ unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }

#undef KIT_MATH1
#undef KIT_MATH2
#undef KIT_LIBM1
#undef KIT_LIBM2
#undef KIT_BY_HAND
#undef KIT_BUILTIN1
#undef KIT_BUILTIN2

#endif
