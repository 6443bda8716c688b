/* kit_curand_quasi.h: distributions of cuRAND's Sobol sequences and of MTGP32: one value from one
 * number, by the inverse of the distribution, so that points stay evenly spread. */
#ifndef KIT_CURAND_QUASI_H
#define KIT_CURAND_QUASI_H

#pragma GCC system_header

#include "curand_mtgp32_kernel.h"
#include "curand_poisson.h"
#include "kit_curand_sobol.h"

#ifdef __CUDA__
KIT_CURAND float kit_quasi_uniform(unsigned x) { return kit_uniform(x); }
KIT_CURAND float kit_quasi_uniform(unsigned long long x) {
  return kit_uniform((unsigned)(x >> 32));
}
KIT_CURAND double kit_quasi_double(unsigned x) { return kit_uniform_32(x); }
KIT_CURAND double kit_quasi_double(unsigned long long x) { return (x >> 11) * 0x1p-53 + 0x1p-54; }

/* The upper half of the numbers mirrors the lower one. */
KIT_CURAND float kit_quasi_normal(unsigned x) {
  bool upper = x > 0x80000000u;
  float root = upper ? 1.4142135f : -1.4142135f;
  return root * erfcinvf(2.0f * kit_uniform(upper ? ~x : x));
}
KIT_CURAND float kit_quasi_normal(unsigned long long x) {
  return kit_quasi_normal((unsigned)(x >> 32));
}
KIT_CURAND double kit_quasi_normal_double(unsigned x) {
  bool upper = x > 0x80000000u;
  double root = upper ? 1.4142135623730951 : -1.4142135623730951;
  return root * erfcinv(2 * ((upper ? ~x : x) * 0x1p-32 + 0x1p-33));
}
KIT_CURAND double kit_quasi_normal_double(unsigned long long x) {
  x >>= 11;
  bool upper = x > 1ull << 52;
  double root = upper ? 1.4142135623730951 : -1.4142135623730951;
  return root * erfcinv(2 * ((upper ? (1ull << 53) - 1 - x : x) * 0x1p-53 + 0x1p-54));
}

/* Adds probabilities until they reach u. They come in steps of exp(-500), which is not zero yet (G.
 * S. Fishman, Discrete-event simulation: modeling, programming, and analysis, 2001). */
KIT_CURAND unsigned kit_poisson_by_inversion(double u, double mean) {
  const int step = 500;
  double probability = 1, sum = 1;
  unsigned count = 0;
  int taken = 0;
  do {
    double scale = exp(mean > taken + step ? -(double)step : taken - mean);
    probability *= scale;
    sum *= scale;
    taken += step;
    while (u > sum) {
      probability *= mean / ++count;
      sum += probability;
    }
  } while (taken < mean);
  return count;
}
/* In (0, 1), or the sum would never reach it. */
KIT_CURAND double kit_quasi_below_one(unsigned x) { return x * 0x1p-32 + 0x1p-33; }
KIT_CURAND double kit_quasi_below_one(unsigned long long x) {
  return (x >> 11) * 0x1p-53 + 0x1p-55;
}
template <class Word>
KIT_CURAND unsigned kit_quasi_poisson(Word x, double mean) {
  if (mean < 1000) return kit_poisson_by_inversion(kit_quasi_below_one(x), mean);
  return kit_poisson_rounded(kit_quasi_normal_double(x), mean);
}

#define KIT_QUASI(type)                                                                    \
  KIT_CURAND float curand_uniform(type *state) { return kit_quasi_uniform(curand(state)); } \
  KIT_CURAND double curand_uniform_double(type *state) {                                   \
    return kit_quasi_double(curand(state));                                                \
  }                                                                                        \
  KIT_CURAND float curand_normal(type *state) { return kit_quasi_normal(curand(state)); }  \
  KIT_CURAND double curand_normal_double(type *state) {                                    \
    return kit_quasi_normal_double(curand(state));                                         \
  }                                                                                        \
  KIT_CURAND float curand_log_normal(type *state, float mean, float stddev) {              \
    return expf(mean + stddev * curand_normal(state));                                     \
  }                                                                                        \
  KIT_CURAND double curand_log_normal_double(type *state, double mean, double stddev) {    \
    return exp(mean + stddev * curand_normal_double(state));                               \
  }                                                                                        \
  KIT_CURAND unsigned curand_poisson(type *state, double mean) {                           \
    return kit_quasi_poisson(curand(state), mean);                                         \
  }
KIT_QUASI(curandStateMtgp32_t)
KIT_QUASI(curandStateSobol32_t)
KIT_QUASI(curandStateScrambledSobol32_t)
KIT_QUASI(curandStateSobol64_t)
KIT_QUASI(curandStateScrambledSobol64_t)
#undef KIT_QUASI
#endif

#endif
