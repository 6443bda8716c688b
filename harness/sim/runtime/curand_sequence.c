/* curand_sequence.c: numbers for cuRAND's host API, from the generators that device code has, too.
 *
 * XORWOW's and MRG32k3a's subsequences have states that move on: XORWOW's double takes two numbers
 * of the one whose turn it is, a pair of normal values two or, of doubles, four; MRG32k3a's number
 * is a double, and a pair of either takes two. Philox's go by the place in the output.
 */
#include "harness/sim/runtime/curand_sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <curand_normal.h>

enum {
  XORWOW_SUBSEQUENCES = 4096,
  MRG_SUBSEQUENCES = 81920,
  MRG_LEGACY_SUBSEQUENCES = 4096,
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

union made {
  unsigned integer;
  float single[2];
  double twice[2];
};

size_t curand_kind_bytes(enum curand_kind kind) { return units[kind].bytes; }

static bool start_xorwow(struct curand_sequence *sequence) {
  struct curandStateXORWOW *states = sequence->xorwow, first;
  if (!states) states = malloc(XORWOW_SUBSEQUENCES * sizeof *states);
  if (!states) return false;
  sequence->xorwow = states;
  sequence->turn = sequence->offset % XORWOW_SUBSEQUENCES;
  kit_xorwow_init(&first, sequence->seed, 0, sequence->offset / XORWOW_SUBSEQUENCES);
  for (unsigned i = 0; i < XORWOW_SUBSEQUENCES; i++) {
    states[i] = first;
    if (i < sequence->turn) kit_xorwow_next(&states[i]);
    kit_xorwow_skip_subsequences(&first, 1);
  }
  return true;
}

/* One subsequence on, for half a state: v = map v mod m. */
static void step_mrg(unsigned v[3], unsigned map[3][3], unsigned m) {
  unsigned before[3] = {v[0], v[1], v[2]};
  for (int i = 0; i < 3; i++) {
    uint64_t sum = 0;
    for (int k = 0; k < 3; k++) sum += kit_mrg_times(map[i][k], before[k], m);
    v[i] = (unsigned)(sum % m);
  }
}

/* The columns of both maps are what becomes of unit vectors. */
static void find_mrg_steps(unsigned first[3][3], unsigned second[3][3]) {
  for (int k = 0; k < 3; k++) {
    struct curandStateMRG32k3a unit = {.s1 = {0}};
    unit.s1[k] = unit.s2[k] = 1;
    kit_mrg_skip_by(&unit, KIT_MRG_SUBSEQUENCE, 1);
    for (int i = 0; i < 3; i++) {
      first[i][k] = unit.s1[i];
      second[i][k] = unit.s2[i];
    }
  }
}

static bool start_mrg(struct curand_sequence *sequence) {
  unsigned steps[2][3][3], count = sequence->legacy ? MRG_LEGACY_SUBSEQUENCES : MRG_SUBSEQUENCES;
  struct curandStateMRG32k3a *states = sequence->mrg, first;
  if (!states) states = malloc(MRG_SUBSEQUENCES * sizeof *states);
  if (!states) return false;
  sequence->mrg = states;
  sequence->subsequences = count;
  sequence->turn = (unsigned)(sequence->offset % count);
  find_mrg_steps(steps[0], steps[1]);
  kit_mrg_init(&first, sequence->seed, 0, sequence->offset / count);
  for (unsigned i = 0; i < count; i++) {
    states[i] = first;
    if (i < sequence->turn) kit_mrg_next(&states[i]);
    step_mrg(first.s1, steps[0], KIT_MRG_M1);
    step_mrg(first.s2, steps[1], KIT_MRG_M2);
  }
  return true;
}

static bool start_philox(struct curand_sequence *sequence) {
  free(sequence->extra);
  sequence->extra = calloc(PHILOX_SUBSEQUENCES, sizeof *sequence->extra);
  return sequence->extra;
}

bool curand_sequence_start(struct curand_sequence *sequence) {
  sequence->started = sequence->type == CURAND_RNG_PSEUDO_XORWOW     ? start_xorwow(sequence)
                      : sequence->type == CURAND_RNG_PSEUDO_MRG32K3A ? start_mrg(sequence)
                                                                     : start_philox(sequence);
  return sequence->started;
}

void curand_sequence_close(struct curand_sequence *sequence) {
  free(sequence->extra);
  free(sequence->xorwow);
  free(sequence->mrg);
}

/* From u in (0, 1] and an angle. */
static void polar(float u, float angle, float out[2]) {
  float radius = sqrtf(-2.0f * logf(u));
  out[0] = sinf(angle) * radius;
  out[1] = cosf(angle) * radius;
}

static void polar_double(double u, double turns, double out[2]) {
  double angle = 2 * 3.14159265358979323846 * turns, radius = sqrt(-2.0 * log(u));
  out[0] = sin(angle) * radius;
  out[1] = cos(angle) * radius;
}

static void box_muller(const unsigned x[2], float out[2]) {
  const float turn = 0x1p-32f * 6.2831855f;
  polar(kit_uniform(x[0]), fmaf((float)x[1], turn, turn / 2), out);
}

static union made make_unit(enum curand_kind kind, const unsigned x[4]) {
  union made made;
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
      polar_double(kit_uniform_53(x[0], x[1]), kit_uniform_53(x[2], x[3]), made.twice);
      break;
  }
  return made;
}

/* The values of a unit, from value first of it on, at most n. Returns how many. */
static unsigned put_unit(enum curand_kind kind, const union made *made, void *out, unsigned first,
                         size_t n) {
  unsigned count = units[kind].values - first;
  if (count > n) count = (unsigned)n;
  memcpy(out, (const char *)made + first * units[kind].bytes, count * units[kind].bytes);
  return count;
}

/* The offset counts units: so does cuRAND's, which shows where a seed is set again. */
static unsigned next_of_xorwow(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                               size_t n) {
  unsigned x[4];
  struct curandStateXORWOW *state = &sequence->xorwow[sequence->turn];
  for (unsigned i = 0; i < units[kind].numbers; i++) x[i] = kit_xorwow_next(state);
  sequence->turn = (sequence->turn + 1) % XORWOW_SUBSEQUENCES;
  sequence->offset++;
  union made made = make_unit(kind, x);
  return put_unit(kind, &made, out, 0, n);
}

static union made make_mrg(enum curand_kind kind, struct curandStateMRG32k3a *state) {
  union made made = {0};
  if (kind == CURAND_INTEGER) {
    made.integer = kit_mrg_integer(state);
    return made;
  }
  double u = kit_mrg_next(state) * KIT_MRG_NORM;
  if (kind == CURAND_UNIFORM) made.single[0] = (float)u;
  if (kind == CURAND_UNIFORM_DOUBLE) made.twice[0] = u;
  if (kind == CURAND_NORMAL)
    polar((float)u, (float)(kit_mrg_next(state) * KIT_MRG_NORM) * 6.2831855f, made.single);
  if (kind == CURAND_NORMAL_DOUBLE) polar_double(u, kit_mrg_next(state) * KIT_MRG_NORM, made.twice);
  return made;
}

static unsigned next_of_mrg(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                            size_t n) {
  union made made = make_mrg(kind, &sequence->mrg[sequence->turn]);
  sequence->turn = (sequence->turn + 1) % sequence->subsequences;
  sequence->offset++;
  return put_unit(kind, &made, out, 0, n);
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
  union made made = make_unit(kind, x);
  unsigned count = put_unit(kind, &made, out, (unsigned)(place % values), n);
  sequence->offset += count;
  if (sequence->offset % 4 == 0) sequence->extra[subsequence] += 4 * (each - 1);
  return count;
}

void curand_sequence_fill(struct curand_sequence *sequence, enum curand_kind kind, void *out,
                          size_t n) {
  unsigned (*next)(struct curand_sequence *, enum curand_kind, char *, size_t) =
      sequence->type == CURAND_RNG_PSEUDO_XORWOW     ? next_of_xorwow
      : sequence->type == CURAND_RNG_PSEUDO_MRG32K3A ? next_of_mrg
                                                     : next_of_philox;
  for (char *to = out; n;) {
    unsigned count = next(sequence, kind, to, n);
    to += count * units[kind].bytes;
    n -= count;
  }
}
