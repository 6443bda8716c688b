/* curand_pseudo.h: the functions of the pseudorandom generators for the table in curand_sequence.c.
 */
#ifndef KIT_CURAND_PSEUDO_H
#define KIT_CURAND_PSEUDO_H

#include "harness/sim/runtime/curand_sequence.h"

#define CURAND_METHOD(name)                                                                        \
  bool curand_start_##name(struct curand_sequence *sequence);                                      \
  size_t curand_next_of_##name(struct curand_sequence *sequence, enum curand_kind kind, char *out, \
                               size_t n);
CURAND_METHOD(xorwow)
CURAND_METHOD(mrg)
CURAND_METHOD(philox)
CURAND_METHOD(mtgp)
CURAND_METHOD(mt19937)
#undef CURAND_METHOD

#endif
