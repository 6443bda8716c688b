/* kit_special.h: those of CUDA's math functions that are made of others: norms, Bessel functions,
 * sines and cosines of half turns. For kit_math.h. */
#ifndef KIT_SPECIAL_H
#define KIT_SPECIAL_H

__kit_device__ void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__kit_device__ void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}

/* *quotient: its sign, and its last three bits. */
__kit_device__ double remquo(double x, double y, int *quotient) {
  double few = __kit_fmod(x, 8 * y), rest = __kit_remainder(x, y);
  *quotient = rest == rest && !__builtin_isinf(y) ? (int)__builtin_rint((few - rest) / y) : 0;
  return rest;
}
__kit_device__ float remquof(float x, float y, int *quotient) {
  return (float)remquo((double)x, (double)y, quotient);
}
__kit_device__ float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }

/* ---- Euclidean norms ---- */

/* The sum of squares, with what its roundings lost. */
struct kit_squares {
  double sum, lost;
};
__kit_device__ void kit_add_square(kit_squares *to, double x) {
  double square = x * x, sum = to->sum + square, part = sum - to->sum;
  to->lost += (to->sum - (sum - part)) + (square - part) + __builtin_fma(x, x, -square);
  to->sum = sum;
}
/* Of numbers that were divided by 2 to the power of `scale`. */
__kit_device__ double kit_root(const kit_squares *of, int scale) {
  double root = __nvvm_sqrt_rn_d(of->sum);
  if (root > 0) root += (__builtin_fma(-root, root, of->sum) + of->lost) / (2 * root);
  return __kit_ldexp(root, scale);
}
__kit_device__ double norm(int n, const double *x) {
  double most = 0;
  bool is_nan = false;
  for (int i = 0; i < n; i++) {
    most = __builtin_fmax(most, __builtin_fabs(x[i]));
    is_nan |= x[i] != x[i];
  }
  if (__builtin_isinf(most)) return most;
  if (is_nan) return __builtin_nan("");
  if (most == 0) return 0;
  int scale = (int)__kit_logb(most);
  kit_squares squares = {0, 0};
  for (int i = 0; i < n; i++) kit_add_square(&squares, __kit_ldexp(x[i], -scale));
  return kit_root(&squares, scale);
}
__kit_device__ float normf(int n, const float *x) { /* no square of a float leaves a double */
  double sum = 0;
  bool is_infinite = false;
  for (int i = 0; i < n; i++) {
    sum += (double)x[i] * x[i];
    is_infinite |= __builtin_isinf(x[i]);
  }
  return is_infinite ? __builtin_inff() : (float)__nvvm_sqrt_rn_d(sum);
}
__kit_device__ double rnorm(int n, const double *x) { return 1 / norm(n, x); }
__kit_device__ float rnormf(int n, const float *x) { return 1 / normf(n, x); }

#define KIT_NORMS(type, suffix)                                         \
  __kit_device__ type norm3d##suffix(type a, type b, type c) {          \
    type x[] = {a, b, c};                                               \
    return norm##suffix(3, x);                                          \
  }                                                                     \
  __kit_device__ type norm4d##suffix(type a, type b, type c, type d) {  \
    type x[] = {a, b, c, d};                                            \
    return norm##suffix(4, x);                                          \
  }                                                                     \
  __kit_device__ type rnorm3d##suffix(type a, type b, type c) {         \
    return 1 / norm3d##suffix(a, b, c);                                 \
  }                                                                     \
  __kit_device__ type rnorm4d##suffix(type a, type b, type c, type d) { \
    return 1 / norm4d##suffix(a, b, c, d);                              \
  }
KIT_NORMS(double, )
KIT_NORMS(float, f)
#undef KIT_NORMS

/* ---- Bessel functions ---- */

#define KIT_BESSEL(name)                                           \
  __kit_device__ double name(double x) { return __kit_##name(x); } \
  __kit_device__ float name##f(float x) { return (float)__kit_##name((double)x); }
KIT_BESSEL(j0)
KIT_BESSEL(j1)
KIT_BESSEL(y0)
KIT_BESSEL(y1)
KIT_BESSEL(cyl_bessel_i0)
KIT_BESSEL(cyl_bessel_i1)
#undef KIT_BESSEL
__kit_device__ double jn(int n, double x) { return __kit_jn(x, n); }
__kit_device__ double yn(int n, double x) { return __kit_yn(x, n); }
__kit_device__ float jnf(int n, float x) { return (float)__kit_jn((double)x, n); }
__kit_device__ float ynf(int n, float x) { return (float)__kit_yn((double)x, n); }

#endif
