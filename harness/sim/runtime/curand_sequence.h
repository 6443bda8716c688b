/* curand_sequence.h: the numbers that a generator of cuRAND's host API gives out, in NVIDIA's order
 * (cuRAND, "Host API", "Generator Options"; CURAND_ORDERING_PSEUDO_DEFAULT): the output is dealt
 * out to the subsequences of the generator, 4096 of XORWOW, a number each in turn, or 65536 of
 * Philox, four each. */
#ifndef KIT_CURAND_SEQUENCE_H
#define KIT_CURAND_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curand.h>

enum curand_kind {
  CURAND_INTEGER, /* unsigned */
  CURAND_UNIFORM, /* float */
  CURAND_UNIFORM_DOUBLE,
  CURAND_NORMAL, /* two at a time, float */
  CURAND_NORMAL_DOUBLE,
};

struct curand_sequence {
  curandRngType_t type; /* CURAND_RNG_PSEUDO_XORWOW or CURAND_RNG_PSEUDO_PHILOX4_32_10 */
  uint64_t seed;
  uint64_t offset; /* where its next number is in the output of the seed */
  bool started;    /* else the rest goes by seed and offset when next asked for a number */
  uint64_t *extra; /* of Philox: numbers that each subsequence has given beyond one a value */
  unsigned turn;   /* of XORWOW: the subsequence whose turn it is */
  struct curandStateXORWOW *subsequences;
};

/* False: there is no memory. */
bool curand_sequence_start(struct curand_sequence *sequence);
void curand_sequence_close(struct curand_sequence *sequence);
/* The next n values; n is even for the normal distribution of XORWOW. For it, mean and deviation.
 */
void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n);
size_t curand_kind_bytes(enum curand_kind kind);

#endif
