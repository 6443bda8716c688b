/* curand_sobol.c: Sobol's quasirandom sequences for cuRAND's host API, of 32 and 64 bits, plain and
 * scrambled: n values of each dimension, those of the first dimension first; the next call goes on
 * in all dimensions. Point i is the sum of the direction vectors at i's Gray code (I. A. Antonov,
 * V. M. Saleev, 1979). */
#include "harness/sim/runtime/curand_sobol.h"

#include <stdlib.h>

#include "harness/sim/runtime/curand_values.h"

struct dimension {
  uint64_t constant, vectors[64];
};

static bool is_wide(const struct curand_sequence *sequence) {
  return sequence->method->type >= CURAND_RNG_QUASI_SOBOL64;
}
static bool is_scrambled(const struct curand_sequence *sequence) {
  curandRngType_t type = sequence->method->type;
  return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool curand_start_sobol(struct curand_sequence *sequence) {
  unsigned count = sequence->dimensions;
  struct dimension *dimensions = malloc(count * sizeof *dimensions);
  uint64_t(*vectors)[64] = malloc(count * sizeof *vectors);
  uint64_t *constants = calloc(count, sizeof *constants);
  bool scrambled = is_scrambled(sequence);
  bool made = dimensions && vectors && constants &&
              curand_make_vectors(count, scrambled, vectors) &&
              (!scrambled || curand_make_constants(count, constants));
  for (unsigned d = 0; made && d < count; d++) {
    dimensions[d].constant = constants[d];
    for (int i = 0; i < 64; i++) dimensions[d].vectors[i] = vectors[d][i];
  }
  free(vectors);
  free(constants);
  free(sequence->state);
  sequence->state = made ? dimensions : NULL;
  if (!made) free(dimensions);
  return made;
}

size_t curand_next_of_sobol(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                            size_t n) {
  bool wide = is_wide(sequence);
  size_t first = sequence->place % sequence->length, count = sequence->length - first;
  if (count > n) count = n;
  const struct dimension *dimension = sequence->state;
  dimension += sequence->place / sequence->length;
  uint64_t mask = wide ? ~0ull : 0xffffffffu, x = dimension->constant, i = sequence->offset + first;
  for (uint64_t gray = (i ^ (i & mask) >> 1) & mask; gray; gray &= gray - 1)
    x ^= dimension->vectors[__builtin_ctzll(gray)];
  for (size_t k = 0; k < count; k++, i++, out += curand_units[kind].bytes) {
    union curand_made made = curand_make_value(kind, wide ? x : x >> 32, wide);
    curand_put_unit(kind, &made, out, 0, 1);
    int zero = ~i & mask ? __builtin_ctzll(~i & mask) : wide ? 63 : 31;
    x ^= dimension->vectors[zero];
  }
  sequence->place += count;
  if (sequence->place == sequence->length * sequence->dimensions)
    sequence->offset += sequence->length;
  return count;
}
