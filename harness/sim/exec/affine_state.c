/* affine_state.c: the affine registers of a warp when a block begins. */
#include "harness/sim/exec/affine_state.h"

#include <stdlib.h>
#include <string.h>

/* Lanes of a block that is so wide are affine by its width, if they are more than one row of it. */
static int shift_of(uint32_t width, int lanes) {
  return width < (uint32_t)lanes && (width & (width - 1)) == 0 ? __builtin_ctz(width) : 5;
}

struct affine_state *affine_open(const struct program *program, int warps, int lanes,
                                 uint32_t width) {
  const struct affine_form *form = program->affine;
  struct affine_state *state =
      calloc(1, sizeof *state + (size_t)form->register_count * sizeof *state->value);
  if (!state) return NULL;
  state->warps = warps;
  state->lanes = lanes;
  state->mask = 0xffffffffu >> (LANES - lanes);
  state->shift = shift_of(width, lanes);
  state->columns = (state->shift < 5 ? 1 << state->shift : lanes) - 1;
  state->rows = (lanes - 1) >> state->shift;
  for (int r = 0; r < form->predicate_first; r++) {
    if (!set_has(&form->constants, r)) continue;
    memcpy(&state->value[r].base, program->constants + (size_t)r * SLOT32,
           set_has(&form->wide, r) ? 8 : 4);
  }
  return state;
}

void affine_begin(struct affine_state *state, const struct affine_form *form) {
  state->known = form->constants;
  memset(&state->stale, 0, sizeof state->stale);
  state->any_stale = false;
}

void affine_set_thread_indices(struct affine_state *state, uint32_t tid[3][LANES],
                               uint32_t next[3][LANES]) {
  int shift = state->shift;
  for (int d = 0; d < 3; d++) {
    const uint32_t *v = tid[d];
    struct affine a = {v[0], state->columns ? (int32_t)(v[1] - v[0]) : 0,
                       state->rows ? (int32_t)(v[1 << shift] - v[0]) : 0,
                       (int32_t)(next[d][0] - v[0])};
    state->tid[d] = a;
    state->tid_is_affine[d] = true;
    for (int i = 0; i < state->lanes; i++)
      state->tid_is_affine[d] &= v[i] == (uint32_t)affine_at(&a, i, shift);
  }
}

void affine_check_thread_indices(struct affine_state *state, uint32_t tid[3][LANES], int warp) {
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < state->lanes; i++) {
      uint64_t value =
          affine_at(&state->tid[d], i, state->shift) + (uint64_t)state->tid[d].w * (uint64_t)warp;
      state->tid_is_affine[d] &= tid[d][i] == (uint32_t)value;
    }
}
