/* plan_constants.c: loads of constants (ld.const) whose addresses a compiler knows. ptxas unrolls
 * loops of a known number of turns in which there are such, even of a thousand, so that arithmetic
 * has them as operands (c[3][..], or ULDC.64 for two); only where they are under a predicate they
 * are loaded one by one (LDC). Seen in what nvcc 13 makes of filters of 3 x 3 to 41 x 41 elements.
 */
#include "harness/sim/model/planner.h"

enum { MOST_OPS = 24 };
/* Operations that lead to an address. */
struct chain {
  const struct op *path[MOST_OPS], *known[MOST_OPS]; /* known: those before them are known, too */
  int path_count, known_count;
  bool counts; /* it is the end of a loop that is asked for: what it counts by is known */
};

static bool is_known(const struct planner *b, struct chain *chain, const struct op *by,
                     uint32_t slot);

static int find_op(const struct op *const *ops, int count, const struct op *op) {
  int i = 0;
  while (i < count && ops[i] != op) i++;
  return i;
}

/* Is it at the end of a loop whose number of turns a compiler knows? */
static bool counts_known(const struct planner *b, const struct op *op) {
  const struct basic_block *block = block_of(b->makers, op);
  const struct op *last = block_end(b->makers, op) - 1;
  if (block->end != END_BRANCH) return false;
  struct chain chain = {.counts = true};
  if (!(last->written & 1) || last->slot[0] != block->predicate)
    return is_known(b, &chain, last, block->predicate);
  for (int k = 0; k < OP_SLOTS; k++)
    if (last->read >> k & 1 && !is_known(b, &chain, last, last->slot[k])) return false;
  return true;
}

/* Is what the operation makes known? If it depends on what it made a turn before, it is if the
 * number of turns is. */
static bool makes_known(const struct planner *b, struct chain *chain, const struct op *op) {
  if (find_op(chain->known, chain->known_count, op) < chain->known_count) return true;
  int again = find_op(chain->path, chain->path_count, op);
  for (int i = again; i < chain->path_count; i++)
    if (chain->counts || counts_known(b, chain->path[i])) return true;
  if (again < chain->path_count || op->kind != OP_ROW || op->guarded ||
      chain->path_count == MOST_OPS || chain->known_count == MOST_OPS)
    return false;
  chain->path[chain->path_count++] = op;
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->read >> k & 1 && !is_known(b, chain, op, op->slot[k])) return false;
  chain->path_count--;
  if (chain->known_count < MOST_OPS) chain->known[chain->known_count++] = op;
  return true;
}

static bool is_known(const struct planner *b, struct chain *chain, const struct op *by,
                     uint32_t slot) {
  if (is_constant(b, slot)) return true;
  const struct op *makers[MAKERS];
  int count = makers_of(b->makers, by, slot, makers);
  for (int i = 0; i < count; i++)
    if (!makes_known(b, chain, makers[i])) return false;
  return count > 0;
}

/* Does the operation add a constant to a register of its own? */
static bool steps(const struct planner *b, const struct op *op) {
  if (op->kind != OP_ROW || op->guarded || strncmp(op->row->name, "add_", 4) != 0) return false;
  return (op->slot[1] == op->slot[0] && is_constant(b, op->slot[2])) ||
         (op->slot[2] == op->slot[0] && is_constant(b, op->slot[1]));
}

void fold_constants(struct planner *b) {
  static const struct cost nothing = {.unit = UNIT_NONE}, two = {UNIT_CONSTANT, 1, 0, 12};
  struct plan_block *to = b->to;
  int turn_ops = to->count / to->turns, folded = 0;
  bool unrolls = false;
  for (int i = 0; i < to->count; i++) {
    const struct op *op = op_at(b, i);
    struct chain chain = {.counts = false};
    if (!op->constant || op->guarded || !is_known(b, &chain, op, op->slot[0])) continue;
    unrolls |= !is_constant(b, op->slot[0]);
    if (b->guards[i % turn_ops] < 0) to->ops[i].cost = folded++ % 2 ? nothing : two;
  }
  if (!unrolls || !b->loops) return;
  to->unrolled = true;
  for (int i = 0; i < to->count; i++)
    if (steps(b, op_at(b, i))) to->ops[i].cost = nothing;
  if (b->predicate >= 0 && b->maker[b->predicate] >= 0)
    to->ops[b->maker[b->predicate]].cost = nothing;
}
