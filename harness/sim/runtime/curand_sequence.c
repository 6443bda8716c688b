/* curand_sequence.c: the table of cuRAND's generators, and numbers from any of them. */
#include "harness/sim/runtime/curand_sequence.h"

#include <stdlib.h>

#include "harness/sim/runtime/curand_pseudo.h"
#include "harness/sim/runtime/curand_sobol.h"
#include "harness/sim/runtime/curand_values.h"

#define ORDER(name) (1u << (CURAND_ORDERING_##name - 100) % 32)
#define KIND(name) (1u << CURAND_##name)
enum {
  DEALT = ORDER(PSEUDO_BEST) | ORDER(PSEUDO_DEFAULT) | ORDER(PSEUDO_LEGACY),
  QUASI = ORDER(QUASI_DEFAULT),
  REAL = KIND(UNIFORM) | KIND(UNIFORM_DOUBLE) | KIND(NORMAL) | KIND(NORMAL_DOUBLE) |
         KIND(NORMAL_ALONE),
  SHORT = REAL | KIND(INTEGER),
  LONG = REAL | KIND(LONG_LONG)
};

static const struct curand_method methods[] = {
    {CURAND_RNG_PSEUDO_XORWOW, DEALT, SHORT, true, curand_start_xorwow, curand_next_of_xorwow},
    {CURAND_RNG_PSEUDO_MRG32K3A, DEALT, SHORT, true, curand_start_mrg, curand_next_of_mrg},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, DEALT, SHORT, false, curand_start_philox,
     curand_next_of_philox},
    {CURAND_RNG_PSEUDO_MTGP32, DEALT, SHORT, false, curand_start_mtgp, curand_next_of_mtgp},
    {CURAND_RNG_PSEUDO_MT19937, DEALT, SHORT, false, curand_start_mt19937, curand_next_of_mt19937},
    {CURAND_RNG_QUASI_SOBOL32, QUASI, SHORT, false, curand_start_sobol, curand_next_of_sobol},
    {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, QUASI, SHORT, false, curand_start_sobol,
     curand_next_of_sobol},
    {CURAND_RNG_QUASI_SOBOL64, QUASI, LONG, false, curand_start_sobol, curand_next_of_sobol},
    {CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, QUASI, LONG, false, curand_start_sobol,
     curand_next_of_sobol},
};

const struct curand_method *curand_find_method(curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (methods[i].type == type) return &methods[i];
  return NULL;
}

bool curand_has_order(const struct curand_method *method, curandOrdering_t order) {
  bool quasi = order == CURAND_ORDERING_QUASI_DEFAULT;
  if (!quasi && (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC))
    return false;
  return method->orders & 1u << (order - CURAND_ORDERING_PSEUDO_BEST) % 32;
}

bool curand_is_quasi(const struct curand_method *method) {
  return method->type >= CURAND_RNG_QUASI_DEFAULT;
}

bool curand_sequence_start(struct curand_sequence *sequence) {
  sequence->started = sequence->method->start(sequence);
  return sequence->started;
}

void curand_sequence_close(struct curand_sequence *sequence) { free(sequence->state); }

void curand_sequence_begin(struct curand_sequence *sequence, size_t n) {
  if (!curand_is_quasi(sequence->method)) return;
  sequence->length = n / sequence->dimensions;
  sequence->place = 0;
}

void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n) {
  for (char *to = out; n;) {
    size_t count = sequence->method->next(sequence, kind, to, n);
    to += count * curand_units[kind].bytes;
    n -= count;
  }
}
