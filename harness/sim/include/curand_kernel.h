/* curand_kernel.h: cuRAND's random numbers in device code (cuRAND, "Device API"): the generators
 * XORWOW, Philox4x32-10, MRG32k3a, MTGP32 and Sobol's sequences, all with NVIDIA's numbers, and
 * their distributions. */
#ifndef KIT_CURAND_KERNEL_H
#define KIT_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#pragma GCC system_header

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32_kernel.h"
#include "kit_curand_mrg.h"
#include "kit_curand_philox.h"
#include "kit_curand_xorwow.h"

typedef struct curandStateXORWOW curandState_t, curandState;

#ifdef __CUDA__
#define KIT_CURAND_GENERATOR(type, name)                                               \
  KIT_CURAND void curand_init(unsigned long long seed, unsigned long long subsequence, \
                              unsigned long long offset, type *state) {                \
    kit_##name##_init(state, seed, subsequence, offset);                               \
  }
#define KIT_CURAND_SKIPS(type, name)                                           \
  KIT_CURAND_GENERATOR(type, name)                                             \
  KIT_CURAND unsigned curand(type *state) { return kit_##name##_next(state); } \
  KIT_CURAND void skipahead(unsigned long long n, type *state) {               \
    kit_##name##_skip_numbers(state, n);                                       \
  }                                                                            \
  KIT_CURAND void skipahead_sequence(unsigned long long n, type *state) {      \
    kit_##name##_skip_subsequences(state, n);                                  \
  }
KIT_CURAND_SKIPS(curandStateXORWOW_t, xorwow)
KIT_CURAND_SKIPS(curandStatePhilox4_32_10_t, philox)
KIT_CURAND_GENERATOR(curandStateMRG32k3a_t, mrg)
#undef KIT_CURAND_SKIPS
#undef KIT_CURAND_GENERATOR

KIT_CURAND uint4 curand4(curandStatePhilox4_32_10_t *state) { return kit_philox_next4(state); }

KIT_CURAND unsigned curand(curandStateMRG32k3a_t *state) { return kit_mrg_integer(state); }
KIT_CURAND void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  kit_mrg_skip_by(state, 0, n);
}
KIT_CURAND void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  kit_mrg_skip_by(state, KIT_MRG_SUBSEQUENCE, n);
}
KIT_CURAND void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  kit_mrg_skip_by(state, KIT_MRG_SEQUENCE, n);
}

#include "curand_lognormal.h"
#include "curand_normal.h"
#include "curand_poisson.h"
#include "curand_uniform.h"
#include "kit_curand_quasi.h"

template <class State>
KIT_LACKS("cuRAND's discrete distributions; search a table of your own with curand_uniform")
__device__ unsigned curand_discrete(State *state, curandDiscreteDistribution_t distribution);
template <class State>
KIT_LACKS("cuRAND's discrete distributions; search a table of your own with curand_uniform4")
__device__ uint4 curand_discrete4(State *state, curandDiscreteDistribution_t distribution);
#endif

#endif
