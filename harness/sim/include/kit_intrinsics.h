/* kit_intrinsics.h: the math functions that are no PTX instruction. Device code calls them as
 * __kit_ + libm's name, and the simulator answers with libm. A line per function, sorted by name;
 * the letter says the signature:
 *
 *   D1 double f(double)   D2 double f(double, double)   DI double f(double, int)
 *   F1 float f(float)     F2 float f(float, float)      FI float f(float, int)
 */
#ifndef KIT_INTRINSICS_H
#define KIT_INTRINSICS_H

/* clang-format off */
#define KIT_INTRINSICS(D1, D2, DI, F1, F2, FI) \
  D1(acos) \
  F1(acosf) \
  D1(acosh) \
  F1(acoshf) \
  D1(asin) \
  F1(asinf) \
  D1(asinh) \
  F1(asinhf) \
  D1(atan) \
  D2(atan2) \
  F2(atan2f) \
  F1(atanf) \
  D1(atanh) \
  F1(atanhf) \
  D1(cbrt) \
  F1(cbrtf) \
  D1(cos) \
  F1(cosf) \
  D1(cosh) \
  F1(coshf) \
  D1(erf) \
  D1(erfc) \
  F1(erfcf) \
  F1(erff) \
  D1(exp) \
  D1(exp10) \
  F1(exp10f) \
  D1(exp2) \
  F1(exp2f) \
  F1(expf) \
  D1(expm1) \
  F1(expm1f) \
  D2(fmod) \
  F2(fmodf) \
  D2(hypot) \
  F2(hypotf) \
  DI(ldexp) \
  FI(ldexpf) \
  D1(lgamma) \
  F1(lgammaf) \
  D1(log) \
  D1(log10) \
  F1(log10f) \
  D1(log1p) \
  F1(log1pf) \
  D1(log2) \
  F1(log2f) \
  D1(logb) \
  F1(logbf) \
  F1(logf) \
  D2(nextafter) \
  F2(nextafterf) \
  D2(pow) \
  F2(powf) \
  D2(remainder) \
  F2(remainderf) \
  D1(round) \
  F1(roundf) \
  D1(sin) \
  F1(sinf) \
  D1(sinh) \
  F1(sinhf) \
  D1(tan) \
  F1(tanf) \
  D1(tanh) \
  F1(tanhf) \
  D1(tgamma) \
  F1(tgammaf)
/* clang-format on */

#endif
