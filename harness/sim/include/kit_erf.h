/* kit_erf.h: CUDA's functions around the error function that the C library lacks: the normal
 * distribution, its inverse, erf's and erfc's inverses, erfcx; on host and device. */
#ifndef KIT_ERF_H
#define KIT_ERF_H

#ifdef __CUDA_ARCH__
#define KIT_MATH(name) __kit_##name
#else
#define KIT_MATH(name) __builtin_##name
#endif

__kit_both__ double erfinv(double y);

/* Abramowitz and Stegun 26.2.22, to 5e-3, then steps by Halley's rule, each of which triples the
 * digits. Near y = 1, where erfc's digits say little of x, erf has them. */
__kit_both__ double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_inf() : -__builtin_inf();
  if (y > 0.5 && y < 1.5) return erfinv(1 - y);
  double p = y < 1 ? y : 2 - y;
  double t = __builtin_sqrt(-2 * KIT_MATH(log)(p / 2));
  double x = 0.7071067811865476 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3; i++) {
    double over = (KIT_MATH(erfc)(x) - p) / (1.1283791670955126 * KIT_MATH(exp)(-x * x));
    x += over / (1 - x * over);
  }
  return y < 1 ? x : -x;
}
__kit_both__ double erfinv(double y) {
  if (!(y >= -1 && y <= 1)) return __builtin_nan("");
  if (y < -0.5 || y > 0.5) return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
  double x = 0.8862269254527580 * y * (1 + 0.2617993877991494 * y * y);  // the series
  for (int i = 0; i < 3; i++) {
    double over = (KIT_MATH(erf)(x) - y) / (1.1283791670955126 * KIT_MATH(exp)(-x * x));
    x -= over / (1 + x * over);
  }
  return x;
}
/* With what the product lost, for erfc falls so steeply. */
__kit_both__ double normcdf(double x) {
  const double high = -0.70710678118654752440, low = 4.8336466567264567e-17; /* -sqrt(1/2) */
  double a = high * x, lost = 0;
  if (__builtin_fabs(x) < 40)
    lost = (__builtin_fma(high, x, -a) + low * x) * 1.1283791670955126 * KIT_MATH(exp)(-a * a);
  return 0.5 * (KIT_MATH(erfc)(a) - lost);
}
__kit_both__ double normcdfinv(double y) { return 0 - 1.4142135623730950488 * erfcinv(2 * y); }
/* exp(x * x) * erfc(x), with what x * x lost; where that is infinity times zero, the continued
 * fraction of erfc. */
__kit_both__ double erfcx(double x) {
  double square = x * x;
  if (x < 10) return KIT_MATH(exp)(square) * (1 + __builtin_fma(x, x, -square)) * KIT_MATH(erfc)(x);
  double fraction = x;
  for (int i = 20; i > 0; i--) fraction = x + i * 0.5 / fraction;
  return 0.5641895835477563 / fraction;
}

#define KIT_OF_FLOAT(name)                                               \
  __kit_both__ float name##f(float x) { return (float)name((double)x); } \
  __kit_both__ float name(float x) { return name##f(x); }
KIT_OF_FLOAT(erfinv)
KIT_OF_FLOAT(erfcinv)
KIT_OF_FLOAT(normcdf)
KIT_OF_FLOAT(normcdfinv)
KIT_OF_FLOAT(erfcx)
#undef KIT_OF_FLOAT
#undef KIT_MATH

#endif
