/* curand_sequence.h: the numbers that a generator of cuRAND's host API gives out, in NVIDIA's order
 * (cuRAND, "Host API", "Generator Options"). */
#ifndef KIT_CURAND_SEQUENCE_H
#define KIT_CURAND_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curand.h>

enum curand_kind {
  CURAND_INTEGER,   /* unsigned */
  CURAND_LONG_LONG, /* 64 bits, of the sequences that have them */
  CURAND_UNIFORM,   /* float */
  CURAND_UNIFORM_DOUBLE,
  CURAND_NORMAL, /* float */
  CURAND_NORMAL_DOUBLE,
  CURAND_NORMAL_ALONE, /* float; each from the next number, and none in pairs */
};

struct curand_sequence {
  const struct curand_method *method;
  curandOrdering_t order;
  uint64_t seed;
  uint64_t offset;     /* where its next number is in the output of the seed */
  unsigned dimensions; /* of a quasirandom generator */
  bool started;        /* else the rest goes by what stands above when next asked for a number */
  void *state;         /* one block of memory */
  unsigned turn;       /* the subsequence whose turn it is */
  size_t length;       /* quasirandom: how many values the call asks of each dimension, */
  size_t place;        /*   and how many it has got, of all together */
};

/* A kind of generator: a row of the table in curand_sequence.c. */
struct curand_method {
  curandRngType_t type;
  unsigned orders; /* a bit for each curandOrdering_t that it has: 1 << (order - 100) % 32 */
  unsigned kinds;  /* a bit for each curand_kind that it has: 1 << kind */
  bool even;       /* normal values come in pairs, and only an even number may be asked for */
  /* Makes the state for seed, offset, order and dimensions. False: there is no memory. */
  bool (*start)(struct curand_sequence *sequence);
  /* Writes at least one value and at most n, and returns how many. */
  size_t (*next)(struct curand_sequence *sequence, enum curand_kind kind, char *out, size_t n);
};

enum { CURAND_MAX_DIMENSIONS = 20000 };

/* The generator of that type, or NULL. */
const struct curand_method *curand_find_method(curandRngType_t type);
bool curand_has_order(const struct curand_method *method, curandOrdering_t order);
bool curand_is_quasi(const struct curand_method *method);
bool curand_sequence_start(struct curand_sequence *sequence);
void curand_sequence_close(struct curand_sequence *sequence);
/* A call begins that asks for n values: a multiple of the dimensions. */
void curand_sequence_begin(struct curand_sequence *sequence, size_t n);
/* The next n values of it; n is even for the normal distribution where the method wants that. */
void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n);

#endif
