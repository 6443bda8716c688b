/* curand_uniform.h: numbers in (0, 1] from those of a generator (cuRAND, "Distributions"). */
#ifndef KIT_CURAND_UNIFORM_H
#define KIT_CURAND_UNIFORM_H

#pragma GCC system_header

#include "kit_curand_mrg.h"
#include "kit_curand_philox.h"
#include "kit_curand_xorwow.h"

KIT_CURAND float kit_uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
KIT_CURAND double kit_uniform_32(unsigned x) { return x * 0x1p-32 + 0x1p-32; }
KIT_CURAND double kit_uniform_53(unsigned x, unsigned y) {
  return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

#ifdef __CUDA__
template <class State>
KIT_CURAND float curand_uniform(State *state) {
  return kit_uniform(curand(state));
}
KIT_CURAND float curand_uniform(curandStateMRG32k3a_t *state) {
  return (float)(kit_mrg_next(state) * KIT_MRG_NORM);
}
KIT_CURAND float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return float4{kit_uniform(x.x), kit_uniform(x.y), kit_uniform(x.z), kit_uniform(x.w)};
}

KIT_CURAND double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned x = curand(state);
  return kit_uniform_53(x, curand(state));
}
/* One number, as cuRAND has it: it takes every double from as many bits as a float. */
KIT_CURAND double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return kit_uniform_32(curand(state));
}
KIT_CURAND double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return kit_mrg_next(state) * KIT_MRG_NORM;
}
KIT_CURAND double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return double2{kit_uniform_53(x.x, x.y), kit_uniform_53(x.z, x.w)};
}
KIT_CURAND double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
#endif

#endif
