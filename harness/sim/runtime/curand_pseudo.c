/* curand_pseudo.c: XORWOW, MRG32k3a and Philox for cuRAND's host API, which deals the output out to
 * subsequences: 4096 of XORWOW or 81920 of MRG32k3a (4096 in its legacy order), a number each in
 * turn, or 65536 of Philox, four each.
 *
 * XORWOW's and MRG32k3a's subsequences have states that move on: XORWOW's double takes two numbers
 * of the one whose turn it is, a pair of normal values two or, of doubles, four; MRG32k3a's number
 * is a double, and a pair of either takes two. A normal value alone leaves the other of its pair
 * for the subsequence's next turn. Philox's go by the place in the output.
 */
#include "harness/sim/runtime/curand_pseudo.h"

#include <stdlib.h>
#include <string.h>

#include <curand_normal.h>

#include "harness/sim/runtime/curand_values.h"

enum {
  XORWOW_SUBSEQUENCES = 4096,
  MRG_SUBSEQUENCES = 81920,
  MRG_LEGACY_SUBSEQUENCES = 4096,
  PHILOX_SUBSEQUENCES = 65536,
  PHILOX_ROUND = 4 * PHILOX_SUBSEQUENCES
};

bool curand_start_xorwow(struct curand_sequence *sequence) {
  struct curandStateXORWOW *states = sequence->state, first;
  if (!states) states = sequence->state = malloc(XORWOW_SUBSEQUENCES * sizeof *states);
  if (!states) return false;
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

static unsigned mrg_subsequences(const struct curand_sequence *sequence) {
  bool legacy = sequence->order == CURAND_ORDERING_PSEUDO_LEGACY;
  return legacy ? MRG_LEGACY_SUBSEQUENCES : MRG_SUBSEQUENCES;
}

bool curand_start_mrg(struct curand_sequence *sequence) {
  unsigned steps[2][3][3], count = mrg_subsequences(sequence);
  struct curandStateMRG32k3a *states = sequence->state, first;
  if (!states) states = sequence->state = malloc(MRG_SUBSEQUENCES * sizeof *states);
  if (!states) return false;
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

/* Its state: numbers that each subsequence has given beyond one a value. */
bool curand_start_philox(struct curand_sequence *sequence) {
  free(sequence->state);
  sequence->state = calloc(PHILOX_SUBSEQUENCES, sizeof(uint64_t));
  return sequence->state;
}

static union curand_made make_xorwow(enum curand_kind kind, struct curandStateXORWOW *state) {
  unsigned x[4];
  for (unsigned i = 0; i < curand_units[kind].numbers; i++) x[i] = kit_xorwow_next(state);
  return curand_make_unit(kind, x);
}

/* The offset counts units: so does cuRAND's, which shows where a seed is set again. */
size_t curand_next_of_xorwow(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                             size_t n) {
  struct curandStateXORWOW *state = (struct curandStateXORWOW *)sequence->state + sequence->turn;
  union curand_made made = {.single = {state->boxmuller_extra}};
  if (kind != CURAND_NORMAL_ALONE) {
    made = make_xorwow(kind, state);
  } else {
    state->boxmuller_flag = !state->boxmuller_flag;
    if (state->boxmuller_flag) made = make_xorwow(CURAND_NORMAL, state);
    state->boxmuller_extra = made.single[1];
  }
  sequence->turn = (sequence->turn + 1) % XORWOW_SUBSEQUENCES;
  sequence->offset++;
  return curand_put_unit(kind, &made, out, 0, n);
}

static union curand_made make_mrg(enum curand_kind kind, struct curandStateMRG32k3a *state) {
  union curand_made made = {0};
  if (kind == CURAND_INTEGER) {
    made.integer = kit_mrg_integer(state);
    return made;
  }
  double u = kit_mrg_next(state) * KIT_MRG_NORM;
  if (kind == CURAND_UNIFORM) made.single[0] = (float)u;
  if (kind == CURAND_UNIFORM_DOUBLE) made.twice[0] = u;
  if (kind == CURAND_NORMAL)
    curand_polar((float)u, (float)(kit_mrg_next(state) * KIT_MRG_NORM) * 6.2831855f, made.single);
  if (kind == CURAND_NORMAL_DOUBLE)
    curand_polar_double(u, kit_mrg_next(state) * KIT_MRG_NORM, made.twice);
  return made;
}

size_t curand_next_of_mrg(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                          size_t n) {
  struct curandStateMRG32k3a *states = sequence->state;
  struct curandStateMRG32k3a *state = &states[sequence->turn];
  union curand_made made = {.single = {state->boxmuller_extra}};
  if (kind != CURAND_NORMAL_ALONE) {
    made = make_mrg(kind, state);
  } else {
    state->boxmuller_flag = !state->boxmuller_flag;
    if (state->boxmuller_flag) made = make_mrg(CURAND_NORMAL, state);
    state->boxmuller_extra = made.single[1];
  }
  sequence->turn = (sequence->turn + 1) % mrg_subsequences(sequence);
  sequence->offset++;
  return curand_put_unit(kind, &made, out, 0, n);
}

size_t curand_next_of_philox(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                             size_t n) {
  if (kind == CURAND_NORMAL_ALONE) kind = CURAND_NORMAL;
  unsigned x[4], values = curand_units[kind].values, each = curand_units[kind].numbers / values;
  uint64_t *extra = sequence->state, place = sequence->offset, round = place / PHILOX_ROUND;
  unsigned subsequence = place / 4 % PHILOX_SUBSEQUENCES, within = place % 4 / values * values;
  struct curandStatePhilox4_32_10 state;
  kit_philox_init(&state, sequence->seed, subsequence,
                  4 * round + extra[subsequence] + within * each);
  for (unsigned i = 0; i < curand_units[kind].numbers; i++) x[i] = kit_philox_next(&state);
  union curand_made made = curand_make_unit(kind, x);
  size_t count = curand_put_unit(kind, &made, out, (unsigned)(place % values), n);
  sequence->offset += count;
  if (sequence->offset % 4 == 0) extra[subsequence] += 4 * (each - 1);
  return count;
}
