/* curand_mtgp.c: MTGP32 for cuRAND's host API: blocks with parameters of their own, 192 or, in the
 * legacy order, 64, which give 256 numbers each in turn; a value takes one number. */
#include <stdlib.h>

#include <curand_mtgp32_host.h>

#include "harness/sim/runtime/curand_pseudo.h"
#include "harness/sim/runtime/curand_values.h"

enum { BLOCKS = 192, LEGACY_BLOCKS = 64, AT_ONCE = 256 };

static unsigned blocks_of(const struct curand_sequence *sequence) {
  return sequence->order == CURAND_ORDERING_PSEUDO_LEGACY ? LEGACY_BLOCKS : BLOCKS;
}

bool curand_start_mtgp(struct curand_sequence *sequence) {
  struct curandStateMtgp32 *states = sequence->state;
  if (!states) states = sequence->state = malloc(BLOCKS * sizeof *states);
  if (!states) return false;
  for (unsigned i = 0; i < BLOCKS; i++) {
    mtgp32_init_state(states[i].s, &mtgp32dc_params_fast_11213[i],
                      (unsigned)(sequence->seed ^ sequence->seed >> 32) + i + 1);
    states[i].offset = 0;
  }
  sequence->offset = 0;
  return true;
}

static unsigned next_number(struct curandStateMtgp32 *state, const mtgp32_params_fast_t *set) {
  unsigned *s = state->s, at = (unsigned)state->offset++, pos = (unsigned)set->pos;
  unsigned x = (s[at & MTGP32_STATE_MASK] & set->mask) ^ s[(at + 1) & MTGP32_STATE_MASK];
  x ^= x << set->sh1;
  unsigned y = x ^ s[(at + pos) & MTGP32_STATE_MASK] >> set->sh2;
  unsigned made = y ^ set->tbl[y & 15];
  s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = made;
  unsigned helper = s[(at + pos - 1) & MTGP32_STATE_MASK];
  helper ^= helper >> 16;
  helper ^= helper >> 8;
  return made ^ set->tmp_tbl[helper & 15];
}

size_t curand_next_of_mtgp(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                           size_t n) {
  unsigned block = sequence->offset / AT_ONCE % blocks_of(sequence);
  struct curandStateMtgp32 *state = sequence->state;
  unsigned x = next_number(state + block, &mtgp32dc_params_fast_11213[block]);
  union curand_made made = curand_make_value(kind, x, false);
  state[block].offset &= MTGP32_STATE_MASK;
  sequence->offset++;
  return curand_put_unit(kind, &made, out, 0, n ? 1 : 0);
}
