/* curand_sequence.h: the numbers that a generator of cuRAND's host API gives out, in NVIDIA's order
 * (cuRAND, "Host API", "Generator Options"; CURAND_ORDERING_PSEUDO_DEFAULT): the output is dealt
 * out to the subsequences of the generator, 4096 of XORWOW or 81920 of MRG32k3a (4096 in its legacy
 * order), a number each in turn, or 65536 of Philox, four each. */
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
  curandRngType_t type; /* CURAND_RNG_PSEUDO_XORWOW, _MRG32K3A or _PHILOX4_32_10 */
  bool legacy;          /* CURAND_ORDERING_PSEUDO_LEGACY */
  uint64_t seed;
  uint64_t offset; /* where its next number is in the output of the seed */
  bool started;    /* else the rest goes by seed and offset when next asked for a number */
  uint64_t *extra; /* of Philox: numbers that each subsequence has given beyond one a value */
  unsigned turn;   /* of XORWOW and MRG32k3a: the subsequence whose turn it is */
  struct curandStateXORWOW *xorwow;
  struct curandStateMRG32k3a *mrg;
  unsigned subsequences; /* of MRG32k3a */
};

/* False: there is no memory. */
bool curand_sequence_start(struct curand_sequence *sequence);
void curand_sequence_close(struct curand_sequence *sequence);
/* The next n values; n is even for the normal distribution, but of Philox. */
void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n);
size_t curand_kind_bytes(enum curand_kind kind);

#endif
