/* affine_loop.c: which basic blocks are affine loops (affine.h).
 *
 * A register that a block's steps write is taken to begin an iteration with what it began the one
 * before with, plus something that stays the same. On this the kind of each value follows, from
 * step to step; a value that is carried into the next iteration must keep the promise. */
#include "harness/sim/decode/affine_flow.h"

enum growth { SAME, ADVANCED, LINEAR, ANY }; /* from the most to the least that is known */

struct value {
  enum growth kind;
  int root; /* ADVANCED: the register whose value this was when the iteration began */
};

static bool reads_operand(const struct op *op, int k) { return op->read >> k & 1; }

static struct value sum(struct value a, struct value b) {
  enum growth worse = a.kind > b.kind ? a.kind : b.kind;
  if (worse == ADVANCED && (a.kind == SAME || b.kind == SAME)) return a.kind == ADVANCED ? a : b;
  return (struct value){worse == ADVANCED ? LINEAR : worse, 0};
}

static struct value linear(struct value a) {
  return (struct value){a.kind == ADVANCED ? LINEAR : a.kind, 0};
}

static struct value product(struct value a, struct value b) {
  if (a.kind != SAME && b.kind != SAME) return (struct value){ANY, 0};
  return linear(a.kind == SAME ? b : a);
}

/* What a step makes of its operands. */
static struct value result(const struct affine_step *step, const struct value *v) {
  static const struct value same = {SAME, 0}, any = {ANY, 0};
  struct value a = reads_operand(step->op, 1) ? v[step->a] : same,
               b = reads_operand(step->op, 2) ? v[step->b] : same,
               c = reads_operand(step->op, 3) ? v[step->c] : same;
  switch ((enum affine_code)step->code) {
    case AFFINE_PARAM:
    case AFFINE_SPECIAL:
      return same;
    case AFFINE_mov_32:
    case AFFINE_mov_64:
      return a;
    case AFFINE_add_32:
    case AFFINE_add_64:
      return sum(a, b);
    case AFFINE_sub_32:
    case AFFINE_sub_64:
      return sum(a, linear(b));
    case AFFINE_neg_s32:
    case AFFINE_cvt_s64_s32:
    case AFFINE_cvt_u64_u32:
    case AFFINE_cvt_u32_u64:
      return linear(a);
    case AFFINE_mul_lo_32:
    case AFFINE_mul_lo_64:
    case AFFINE_mul_wide_s32:
    case AFFINE_mul_wide_u32:
      return product(a, b);
    case AFFINE_mad_lo_32:
    case AFFINE_mad_lo_64:
    case AFFINE_mad_wide_s32:
    case AFFINE_mad_wide_u32:
      return linear(sum(product(a, b), c));
    case AFFINE_shl_32:
    case AFFINE_shl_64:
      return b.kind == SAME ? linear(a) : any;
    default:
      return a.kind == SAME && b.kind == SAME && c.kind == SAME ? same : any;
  }
}

/* Is the step a comparison of values that grow evenly? */
static bool compares(const struct affine_step *step, const struct value *v) {
  return step->code >= AFFINE_eq_32 && step->code <= AFFINE_le_u64 && v[step->a].kind != ANY &&
         v[step->b].kind != ANY;
}

/* Do the items need nothing that differs from one iteration to the next, but memory? */
static bool items_suit(const struct affine_form *form, const struct program *program,
                       const struct affine_segment *segment, const struct register_set *written) {
  for (int i = 0; i < segment->item_count; i++) {
    const struct affine_item *item = &form->items[segment->first_item + i];
    if (item->kind == ITEM_STORE) return false;
    if (item->kind == ITEM_FILL && set_has(written, item->at)) return false;
    for (int k = 0; item->kind == ITEM_ROW && k < OP_SLOTS; k++)
      if (reads_operand(item->op, k) &&
          set_has(written, affine_register(form, program, item->op->slot[k])))
        return false;
    if (item->kind == ITEM_ROW && item->op->guarded) return false;
  }
  return true;
}

/* Does the block at `to` lead back to b, at once or by way of an empty block? */
static bool leads_back(const struct program *program, int to, int b) {
  if (to == b || to == NO_BLOCK) return to == b;
  const struct basic_block *block = &program->blocks[to];
  return block->count == 0 && ((block->end == END_JUMP && block->target == b) ||
                               (block->end == END_NEXT && block->next == b));
}

void affine_find_loop(const struct affine_form *form, const struct program *program, int b,
                      struct affine_block *plan) {
  const struct basic_block *block = &program->blocks[b];
  plan->again = NO_BLOCK;
  if (block->end != END_BRANCH || plan->segment_count != 1 ||
      leads_back(program, block->target, b) == leads_back(program, block->next, b))
    return;
  const struct affine_segment *segment = &form->segments[plan->first_segment];
  struct value values[MAX_AFFINE];
  struct register_set written = segment->scalars;
  if (segment->op_count != block->count) return;
  for (int r = 0; r < form->register_count; r++)
    values[r] = (struct value){set_has(&segment->rows, r)      ? ANY
                               : set_has(&segment->scalars, r) ? ADVANCED
                                                               : SAME,
                               r};
  int predicate = affine_register(form, program, block->predicate);
  bool ends = false;
  for (int i = 0; i < segment->step_count; i++) {
    const struct affine_step *step = &form->steps[segment->first_step + i];
    if (step->code == AFFINE_CHECK) {
      if (values[form->groups[segment->first_group + step->group].address].kind == ANY) return;
    } else if (step->op->predicate) {
      bool compared = compares(step, values);
      if (!compared) return;
      set_add(&written, step->to);
      if (step->to == predicate) plan->last_compare = i;
      ends |= step->to == predicate;
    } else {
      struct value v = result(step, values);
      if (v.kind == ANY) return;
      values[step->to] = v;
    }
  }
  if (!ends || set_has(&segment->rows, predicate)) return;
  plan->carried_count = 0;
  for (int r = 0; r < form->predicate_first; r++) {
    if (!set_has(&segment->scalars, r) || !set_has(&plan->needs, r)) continue;
    if (values[r].kind != ADVANCED || values[r].root != r || plan->carried_count == MAX_CARRIED)
      return;
    plan->carried[plan->carried_count++] = (uint16_t)r;
  }
  if (items_suit(form, program, segment, &written))
    plan->again = leads_back(program, block->target, b) ? block->target : block->next;
}
