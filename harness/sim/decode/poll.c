/* poll.c: which volatile loads read flags: those on whose value a branch depends. What such a load sees
 * decides what its thread does next; another volatile load just moves data (exec/race.h). */
#include <stdlib.h>

#include "cold.h"
#include "draft.h"

static bool is_memory(const struct draft_op *d) {
  return d->op.body == cold_load_marker || d->op.body == cold_store_marker ||
         d->op.body == cold_atomic;
}

static bool mark(bool *decides, vreg reg) {
  if (reg == NO_VREG || reg < 0 || decides[reg]) return false;
  decides[reg] = true;
  return true;
}

/* What decides a register that decides does so, too. True: something is new. */
static bool mark_sources(const struct draft_op *d, bool *decides) {
  bool written = false, news = false;
  for (int i = 0; i < d->used; i++)
    written |= d->writes >> i & 1 && d->reg[i] >= 0 && d->reg[i] != NO_VREG && decides[d->reg[i]];
  if (!written || is_memory(d)) return false;
  for (int i = 0; i < d->used; i++)
    if (!(d->writes >> i & 1)) news |= mark(decides, d->reg[i]);
  return news;
}

bool poll_find(struct draft *draft) {
  enum { MOST_ROUNDS = 64 };
  bool volatiles = false;
  for (int i = 0; i < draft->op_count; i++)
    volatiles |= draft->ops[i].op.is_load && draft->ops[i].op.is_volatile;
  if (!volatiles) return true;
  bool *decides = calloc((size_t)draft->vreg_count + 1, sizeof *decides), news = true;
  if (!decides) return false;
  for (int b = 0; b < draft->block_count; b++) mark(decides, draft->blocks[b].predicate);
  for (int i = 0; i < draft->op_count; i++) mark(decides, draft->ops[i].guard);
  for (int round = 0; news && round < MOST_ROUNDS; round++) {
    news = false;
    for (int i = draft->op_count - 1; i >= 0; i--) news |= mark_sources(&draft->ops[i], decides);
  }
  for (int i = 0; i < draft->op_count; i++) {
    struct draft_op *d = &draft->ops[i];
    if (!d->op.is_load || !d->op.is_volatile) continue;
    for (int k = 1; k < d->used; k++)
      if (d->reg[k] >= 0 && d->reg[k] != NO_VREG && decides[d->reg[k]]) d->op.polls = true;
    draft->program->has_polls |= d->op.polls;
  }
  free(decides);
  return true;
}
