/* kit_curand_sobol.h: cuRAND's Sobol sequences in device code, of 32 and 64 bits, plain and
 * scrambled. Point i of a dimension is its constant plus the sum, over bits, of its direction
 * vectors at i's Gray code, so that one vector takes it to the next (I. A. Antonov, V. M. Saleev,
 * 1979). A scrambled sequence has other vectors and a constant (curandGetDirectionVectors32). */
#ifndef KIT_CURAND_SOBOL_H
#define KIT_CURAND_SOBOL_H

#pragma GCC system_header

#include "curand.h"
#include "kit_curand_xorwow.h"

/* i: of the next point; x: that point; c: the constant. */
#define KIT_SOBOL_STATE(name, word, bits) \
  struct name {                           \
    word i, x, c;                         \
    word direction_vectors[bits];         \
  };                                      \
  typedef struct name name##_t;
KIT_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
KIT_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
KIT_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
KIT_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef KIT_SOBOL_STATE

#ifdef __CUDA__
template <class State, class Word>
KIT_CURAND void kit_sobol_skip(State *state, Word n) {
  state->i += n;
  Word gray = state->i ^ state->i >> 1;
  state->x = state->c;
  for (int k = 0; gray; k++, gray >>= 1)
    if (gray & 1) state->x ^= state->direction_vectors[k];
}
template <class State, class Word>
KIT_CURAND void kit_sobol_init(State *state, const Word *vectors, Word constant, Word offset) {
  for (unsigned k = 0; k < 8 * sizeof(Word); k++) state->direction_vectors[k] = vectors[k];
  state->i = 0;
  state->c = constant;
  kit_sobol_skip(state, offset);
}
/* Behind the last point comes the first. */
template <class State>
KIT_CURAND auto kit_sobol_next(State *state) -> decltype(state->x) {
  auto point = state->x;
  int zero = __ffsll(~(unsigned long long)state->i) - 1, last = 8 * sizeof point - 1;
  state->x ^= state->direction_vectors[zero < 0 || zero > last ? last : zero];
  state->i++;
  return point;
}

#define KIT_SOBOL(type, word)                                           \
  KIT_CURAND void skipahead(word n, type *state) { kit_sobol_skip(state, n); } \
  KIT_CURAND word curand(type *state) { return kit_sobol_next(state); }
#define KIT_PLAIN_SOBOL(type, word)                                        \
  KIT_SOBOL(type, word)                                                    \
  KIT_CURAND void curand_init(word *vectors, word offset, type *state) {   \
    kit_sobol_init(state, vectors, (word)0, offset);                       \
  }
#define KIT_SCRAMBLED_SOBOL(type, word)                                                     \
  KIT_SOBOL(type, word)                                                                     \
  KIT_CURAND void curand_init(word *vectors, word constant, word offset, type *state) {     \
    kit_sobol_init(state, vectors, constant, offset);                                       \
  }
KIT_PLAIN_SOBOL(curandStateSobol32_t, unsigned int)
KIT_SCRAMBLED_SOBOL(curandStateScrambledSobol32_t, unsigned int)
KIT_PLAIN_SOBOL(curandStateSobol64_t, unsigned long long)
KIT_SCRAMBLED_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef KIT_SOBOL
#undef KIT_PLAIN_SOBOL
#undef KIT_SCRAMBLED_SOBOL
#endif

#endif
