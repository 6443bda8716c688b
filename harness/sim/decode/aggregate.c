/* aggregate.c: atomics of which the compiler makes one for a warp: where all lanes have one
 * address, as far as it can see, it adds up what they add (VOTE and POPC of equal values, REDUX of
 * others). Found with some 25 small kernels through nvcc 13.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

struct values {
  const struct draft *draft;
  bool *same;        /* by register: in all lanes that are active */
  int *first, *last; /* by register: the basic blocks of its definitions */
  uint8_t *definitions;
};

static bool comes_of_same(const struct draft_op *d) {
  const struct op *op = &d->op;
  switch ((enum op_kind)op->kind) {
    case OP_ROW:
    case OP_LOGIC_3:
    case OP_UNPACK:
      return true;
    case OP_LOAD:
      return op->space != PTX_LOCAL && !op->is_volatile;
    case OP_PARAM:
      return op->body == cold_load_kernel_param;
    case OP_SPECIAL:
      return op->special >= SPECIAL_NTID_X && op->special <= SPECIAL_NCTAID_Z;
    default:
      return op->body == cold_pack || op->body == cold_select_32 || op->body == cold_select_64 ||
             op->body == cold_predicate_and || op->body == cold_predicate_or ||
             op->body == cold_predicate_xor || op->body == cold_predicate_not ||
             op->body == cold_predicate_mov;
  }
}

static bool is_same(const struct values *v, vreg r) { return !is_register(r) || v->same[r]; }

/* Does a branch that lanes may take apart decide which of the register's definitions counts? From
 * the block before the first of them to the last. */
static bool is_chosen_by_lane(const struct values *v, vreg r) {
  if (v->definitions[r] < 2) return false;
  for (int b = v->first[r] > 0 ? v->first[r] - 1 : 0; b <= v->last[r]; b++)
    if (v->draft->blocks[b].end.end == END_BRANCH && !is_same(v, v->draft->blocks[b].predicate))
      return true;
  return false;
}

/* False if nothing has changed. */
static bool narrow(struct values *v, const struct draft_op *d) {
  bool same = comes_of_same(d) && is_same(v, d->guard), changed = false;
  for (int k = 0; k < d->used; k++)
    if (!is_destination(d, k)) same &= is_same(v, d->reg[k]);
  for (int k = 0; k < d->used; k++) {
    vreg r = d->reg[k];
    if (!is_destination(d, k) || !is_register(r) || !v->same[r]) continue;
    if (same && !is_chosen_by_lane(v, r)) continue;
    v->same[r] = false;
    changed = true;
  }
  return changed;
}

static void find_definitions(struct values *v) {
  for (int b = 0; b < v->draft->block_count; b++) {
    const struct draft_block *block = &v->draft->blocks[b];
    for (int i = block->first; i < block->first + block->count; i++) {
      const struct draft_op *d = &v->draft->ops[i];
      for (int k = 0; !d->dead && k < d->used; k++) {
        vreg r = d->reg[k];
        if (!is_destination(d, k) || !is_register(r)) continue;
        if (!v->definitions[r]) v->first[r] = b;
        v->last[r] = b;
        if (v->definitions[r] < 2) v->definitions[r]++;
      }
    }
  }
}

/* Does the compiler do it for this operation, if the address is the same? */
static bool can_aggregate(const struct values *v, const struct draft_op *d) {
  static const char of_values[] = {[ATOMIC_ADD] = 1, [ATOMIC_MIN] = 1, [ATOMIC_MAX] = 1,
                                   [ATOMIC_AND] = 1, [ATOMIC_OR] = 1,  [ATOMIC_XOR] = 1};
  int kind = d->op.access.atomic;
  if (d->op.access.type >= ATOMIC_FLOAT) return false;
  if (kind == ATOMIC_ADD && is_same(v, d->reg[2])) return true;
  return d->op.size == 4 && kind < (int)sizeof of_values && of_values[kind];
}

bool aggregate_atomics(struct draft *draft) {
  size_t count = (size_t)draft->vreg_count + 1;
  bool any = false;
  for (int i = 0; i < draft->op_count; i++) any |= draft->ops[i].op.kind == OP_ATOMIC;
  if (!any) return true;
  struct values v = {.draft = draft,
                     .same = malloc(count * sizeof *v.same),
                     .first = calloc(count, sizeof *v.first),
                     .last = calloc(count, sizeof *v.last),
                     .definitions = calloc(count, sizeof *v.definitions)};
  bool ok = v.same && v.first && v.last && v.definitions;
  if (ok) {
    memset(v.same, true, count * sizeof *v.same);
    find_definitions(&v);
  }
  for (bool changed = ok; changed;) {
    changed = false;
    for (int i = 0; i < draft->op_count; i++)
      if (!draft->ops[i].dead) changed |= narrow(&v, &draft->ops[i]);
  }
  for (int i = 0; ok && i < draft->op_count; i++) {
    struct draft_op *d = &draft->ops[i];
    if (d->op.kind == OP_ATOMIC)
      d->op.access.aggregated = is_same(&v, d->reg[0]) && can_aggregate(&v, d);
  }
  free(v.same);
  free(v.first);
  free(v.last);
  free(v.definitions);
  return ok;
}
