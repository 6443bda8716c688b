/* curand_poisson.h: numbers with the distribution of Poisson: products of uniform numbers for a
 * small mean (Knuth), rounded normal ones for a large one, and rejection in between. */
#ifndef KIT_CURAND_POISSON_H
#define KIT_CURAND_POISSON_H

#pragma GCC system_header

#include "curand_normal.h"

#ifdef __CUDA__
/* The candidate for u, and how likely at least one below it is, go by two lines that approximate
 * the inverse of the incomplete gamma function. */
struct kit_poisson_lines {
  float slope, start;
};
KIT_CURAND kit_poisson_lines kit_poisson_fit(float mean) {
  return kit_poisson_lines{
      1.43248035075540910f * __nvvm_rsqrt_approx_ftz_f(mean - 0.12400979329415655f) +
          0.00025361074907033f,
      0.21096734870196546f * __nvvm_rsqrt_approx_ftz_f(mean - 1.97381164089999420f) +
          0.94201734077887530f};
}
KIT_CURAND float kit_poisson_exp(float x) {
  return __nvvm_ex2_approx_ftz_f((float)(x * 1.4426950408889634074));
}
KIT_CURAND float kit_poisson_log(float x) {
  return (float)(__nvvm_lg2_approx_ftz_f(x) * 0.69314718055994530942);
}
KIT_CURAND float kit_poisson_reciprocal(float x) {
  asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
KIT_CURAND float kit_poisson_below(kit_poisson_lines fit, float mean, float x) {
  float t = 1.0f + kit_poisson_exp(fit.slope * (mean - x) - fit.start);
  return kit_poisson_reciprocal(t * t);
}

template <class State>
KIT_CURAND unsigned kit_poisson_by_rejection(State *state, float mean) {
  kit_poisson_lines fit = kit_poisson_fit(mean);
  float log_mean = kit_poisson_log(mean);
  for (;;) {
    float u = curand_uniform(state);
    float t = kit_poisson_log(__nvvm_rsqrt_approx_ftz_f(u) - 1.0f) + fit.start;
    float x = floorf(-t * kit_poisson_reciprocal(fit.slope) + mean);
    float height =
        (kit_poisson_below(fit, mean, x + 1.0f) - kit_poisson_below(fit, mean, x)) * 1.3f;
    float under = curand_uniform(state) * height;
    float probability = kit_poisson_exp(-mean + x * log_mean - (float)lgamma(1.0 + x));
    if (under < probability && height >= 1e-20) return (unsigned)x;
  }
}
template <class State>
KIT_CURAND unsigned kit_poisson_by_products(State *state, float mean) {
  unsigned count = 0;
  for (float product = expf(mean);; count++) {
    product *= curand_uniform(state);
    if (!(product > 1.0f)) return count;
  }
}
KIT_CURAND unsigned kit_poisson_rounded(double normal, double mean) {
  return (unsigned)(sqrt(mean) * normal + mean + 0.5);
}

enum { KIT_POISSON_SMALL = 64, KIT_POISSON_LARGE = 4000 };

template <class State>
KIT_CURAND unsigned curand_poisson(State *state, double mean) {
  if (mean < KIT_POISSON_SMALL) return kit_poisson_by_products(state, (float)mean);
  if (mean > KIT_POISSON_LARGE) return kit_poisson_rounded(curand_normal_double(state), mean);
  return kit_poisson_by_rejection(state, (float)mean);
}
KIT_CURAND uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
  if (mean > KIT_POISSON_LARGE) {
    double4 x = curand_normal4_double(state);
    return uint4{kit_poisson_rounded(x.x, mean), kit_poisson_rounded(x.y, mean),
                 kit_poisson_rounded(x.z, mean), kit_poisson_rounded(x.w, mean)};
  }
  uint4 x;
  x.x = curand_poisson(state, mean);
  x.y = curand_poisson(state, mean);
  x.z = curand_poisson(state, mean);
  x.w = curand_poisson(state, mean);
  return x;
}
#endif

#endif
