/* curand_sequence.c: numbers for cuRAND's host API, from the generators that device code has, too.
 *
 * XORWOW's subsequences have states that move on: a double takes two numbers of the one whose turn
 * it is, a pair of normal values two or, of doubles, four. Philox's go by the place in the output.
 */
#include "harness/sim/runtime/curand_sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <curand_normal.h>

enum {
  XORWOW_SUBSEQUENCES = 4096,
  PHILOX_SUBSEQUENCES = 65536,
  PHILOX_ROUND = 4 * PHILOX_SUBSEQUENCES
};

/* A unit is what is made at a time: values, from so many numbers. */
static const struct unit {
  unsigned values, numbers, bytes; /* bytes of a value */
} units[] = {
    [CURAND_INTEGER] = {1, 1, sizeof(unsigned)},      [CURAND_UNIFORM] = {1, 1, sizeof(float)},
    [CURAND_UNIFORM_DOUBLE] = {1, 2, sizeof(double)}, [CURAND_NORMAL] = {2, 2, sizeof(float)},
    [CURAND_NORMAL_DOUBLE] = {2, 4, sizeof(double)},
};

size_t curand_kind_bytes(enum curand_kind kind) { return units[kind].bytes; }

bool curand_sequence_start(struct curand_sequence *sequence) {
  if (sequence->type == CURAND_RNG_PSEUDO_XORWOW) {
    struct curandStateXORWOW *states = sequence->subsequences, first;
    if (!states) states = malloc(XORWOW_SUBSEQUENCES * sizeof *states);
    if (!states) return false;
    sequence->subsequences = states;
    sequence->turn = sequence->offset % XORWOW_SUBSEQUENCES;
    kit_xorwow_init(&first, sequence->seed, 0, sequence->offset / XORWOW_SUBSEQUENCES);
    for (unsigned i = 0; i < XORWOW_SUBSEQUENCES; i++) {
      states[i] = first;
      if (i < sequence->turn) kit_xorwow_next(&states[i]);
      kit_xorwow_skip_subsequences(&first, 1);
    }
  } else {
    free(sequence->extra);
    sequence->extra = calloc(PHILOX_SUBSEQUENCES, sizeof *sequence->extra);
    if (!sequence->extra) return false;
  }
  sequence->started = true;
  return true;
}

void curand_sequence_close(struct curand_sequence *sequence) {
  free(sequence->extra);
  free(sequence->subsequences);
}

static void box_muller(const unsigned x[2], float out[2]) {
  const float turn = 0x1p-32f * 6.2831855f;
  float angle = fmaf((float)x[1], turn, turn / 2);
  float radius = sqrtf(-2.0f * logf(kit_uniform(x[0])));
  out[0] = sinf(angle) * radius;
  out[1] = cosf(angle) * radius;
}

static void box_muller_double(const unsigned x[4], double out[2]) {
  double angle = 2 * 3.14159265358979323846 * kit_uniform_53(x[2], x[3]);
  double radius = sqrt(-2.0 * log(kit_uniform_53(x[0], x[1])));
  out[0] = sin(angle) * radius;
  out[1] = cos(angle) * radius;
}

/* The values of a unit, from value first of it on, at most n. Returns how many. */
static unsigned put_unit(enum curand_kind kind, const unsigned x[4], void *out, unsigned first,
                         size_t n) {
  union {
    unsigned integer;
    float single[2];
    double twice[2];
  } made;
  switch (kind) {
    case CURAND_INTEGER:
      made.integer = x[0];
      break;
    case CURAND_UNIFORM:
      made.single[0] = kit_uniform(x[0]);
      break;
    case CURAND_UNIFORM_DOUBLE:
      made.twice[0] = kit_uniform_53(x[0], x[1]);
      break;
    case CURAND_NORMAL:
      box_muller(x, made.single);
      break;
    case CURAND_NORMAL_DOUBLE:
      box_muller_double(x, made.twice);
      break;
  }
  unsigned count = units[kind].values - first;
  if (count > n) count = (unsigned)n;
  memcpy(out, (char *)&made + first * units[kind].bytes, count * units[kind].bytes);
  return count;
}

/* The offset counts units: so does cuRAND's, which shows where a seed is set again. */
static unsigned next_of_xorwow(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                               size_t n) {
  unsigned x[4];
  struct curandStateXORWOW *state = &sequence->subsequences[sequence->turn];
  for (unsigned i = 0; i < units[kind].numbers; i++) x[i] = kit_xorwow_next(state);
  sequence->turn = (sequence->turn + 1) % XORWOW_SUBSEQUENCES;
  sequence->offset++;
  return put_unit(kind, x, out, 0, n);
}

static unsigned next_of_philox(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                               size_t n) {
  unsigned x[4], values = units[kind].values, each = units[kind].numbers / values;
  uint64_t place = sequence->offset, round = place / PHILOX_ROUND;
  unsigned subsequence = place / 4 % PHILOX_SUBSEQUENCES, within = place % 4 / values * values;
  struct curandStatePhilox4_32_10 state;
  kit_philox_init(&state, sequence->seed, subsequence,
                  4 * round + sequence->extra[subsequence] + within * each);
  for (unsigned i = 0; i < units[kind].numbers; i++) x[i] = kit_philox_next(&state);
  unsigned count = put_unit(kind, x, out, (unsigned)(place % values), n);
  sequence->offset += count;
  if (sequence->offset % 4 == 0) sequence->extra[subsequence] += 4 * (each - 1);
  return count;
}

void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n) {
  bool xorwow = sequence->type == CURAND_RNG_PSEUDO_XORWOW;
  for (char *to = out; n;) {
    unsigned count =
        xorwow ? next_of_xorwow(sequence, kind, to, n) : next_of_philox(sequence, kind, to, n);
    to += count * units[kind].bytes;
    n -= count;
  }
}
