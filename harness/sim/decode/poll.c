/* poll.c: which loads may meet an atomic or a volatile store without a race (exec/race.h): volatile
 * loads of flags, on whose value a branch depends, and first guesses before a compare-and-swap. And
 * which looks at the clock decide whether a loop goes on (exec/clock.h). */
#include <stdlib.h>

#include "harness/sim/decode/draft.h"

static bool is_swap(const struct draft_op *d) {
  return d->op.kind == OP_ATOMIC && d->op.access.atomic == ATOMIC_CAS;
}

static bool is_clock(const struct draft_op *d) {
  return d->op.kind == OP_SPECIAL && d->op.special == SPECIAL_CLOCK;
}

static bool is_marked(const bool *marks, vreg reg) { return is_register(reg) && marks[reg]; }

/* Returns whether it was not marked yet. */
static bool mark(bool *marks, vreg reg) {
  if (!is_register(reg) || marks[reg]) return false;
  return marks[reg] = true;
}

/* Marks the sources of an operation whose result is marked. Returns whether some were not. */
static bool mark_sources(const struct draft_op *d, bool *decides) {
  bool written = false, changed = false;
  for (int i = 0; i < d->used; i++)
    written |= is_destination(d, i) && is_marked(decides, d->reg[i]);
  if (!written || op_is_access(&d->op)) return false;
  for (int i = 0; i < d->used; i++)
    if (!is_destination(d, i)) changed |= mark(decides, d->reg[i]);
  return changed;
}

/* Marks the registers whose value reaches the compare operand of a compare-and-swap by moves. */
static void mark_compared(const struct draft *draft, bool *compared) {
  enum { COMPARE = 2, MAX_ROUNDS = 16 };
  bool changed = true;
  for (int i = 0; i < draft->op_count; i++)
    if (is_swap(&draft->ops[i])) mark(compared, draft->ops[i].reg[COMPARE]);
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (int i = draft->op_count - 1; i >= 0; i--) {
      const struct draft_op *d = &draft->ops[i];
      bool moves = d->used == 2 && d->writes == 1 && !op_is_access(&d->op);
      if (moves && is_marked(compared, d->reg[0])) changed |= mark(compared, d->reg[1]);
    }
  }
}

/* A load that provides the first guess for a compare-and-swap loop: a wrong guess does no harm
 * (CUDA C++ Programming Guide, "Atomic Functions", begins its loops so). */
static bool find_guesses(struct draft *draft) {
  bool swaps = false;
  for (int i = 0; i < draft->op_count; i++) swaps |= is_swap(&draft->ops[i]);
  if (!swaps) return true;
  bool *compared = calloc((size_t)draft->vreg_count + 1, sizeof *compared);
  if (!compared) return false;
  mark_compared(draft, compared);
  for (int i = 0; i < draft->op_count; i++) {
    struct draft_op *d = &draft->ops[i];
    if (d->op.kind == OP_LOAD && d->used == 2 && is_marked(compared, d->reg[1])) d->op.polls = true;
  }
  free(compared);
  return true;
}

bool poll_find(struct draft *draft) {
  if (!find_guesses(draft)) return false;
  enum { MAX_ROUNDS = 64 };
  bool looks = false;
  for (int i = 0; i < draft->op_count; i++)
    looks |= is_clock(&draft->ops[i]) ||
             (draft->ops[i].op.kind == OP_LOAD && draft->ops[i].op.is_volatile);
  if (!looks) return true;
  bool *decides = calloc((size_t)draft->vreg_count + 1, sizeof *decides), changed = true;
  if (!decides) return false;
  for (int b = 0; b < draft->block_count; b++) mark(decides, draft->blocks[b].predicate);
  for (int i = 0; i < draft->op_count; i++) mark(decides, draft->ops[i].guard);
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (int i = draft->op_count - 1; i >= 0; i--) changed |= mark_sources(&draft->ops[i], decides);
  }
  for (int i = 0; i < draft->op_count; i++) {
    struct draft_op *d = &draft->ops[i];
    if (is_clock(d)) d->op.polls = is_marked(decides, d->reg[0]);
    if (d->op.kind != OP_LOAD || !d->op.is_volatile) continue;
    for (int k = 1; k < d->used; k++) d->op.polls |= is_marked(decides, d->reg[k]);
    draft->program->has_polls |= d->op.polls;
  }
  free(decides);
  return true;
}
