/* kit_intrinsics.h: the math functions that are no PTX instruction. Device code calls them as
 * __kit_ + libm's name, and the simulator answers with libm. A line per function, which has two
 * versions, f for double and ff for float; the word says the signature:
 *
 *   M1 double f(double)   M2 double f(double, double)   MI double f(double, int)
 *   C1 double f(double), which only CUDA has, not the C++ library
 */
#ifndef KIT_INTRINSICS_H
#define KIT_INTRINSICS_H

/* clang-format off */
#define KIT_INTRINSICS(M1, M2, MI, C1) \
  M1(acos) \
  M1(acosh) \
  M1(asin) \
  M1(asinh) \
  M1(atan) \
  M2(atan2) \
  M1(atanh) \
  M1(cbrt) \
  M1(cos) \
  M1(cosh) \
  M1(erf) \
  M1(erfc) \
  M1(exp) \
  C1(exp10) \
  M1(exp2) \
  M1(expm1) \
  M2(fmod) \
  M2(hypot) \
  MI(ldexp) \
  M1(lgamma) \
  M1(log) \
  M1(log10) \
  M1(log1p) \
  M1(log2) \
  M1(logb) \
  M2(nextafter) \
  M2(pow) \
  M2(remainder) \
  M1(round) \
  M1(sin) \
  M1(sinh) \
  M1(tan) \
  M1(tanh) \
  M1(tgamma)
/* clang-format on */

#endif
