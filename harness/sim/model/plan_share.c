/* plan_share.c: what nvcc computes otherwise than the PTX here says, for what lies around it:
 * quotients by the same divisor share its reciprocal; accesses whose addresses differ by a constant
 * share one address; an index that grows by a register from turn to turn of a loop becomes an
 * address that does; an index into a row of an array that begins at an index of its own is added
 * to that in 64 bits. Seen in what nvcc 13 makes of each.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/model/planner.h"

static bool is_row(const struct op *op, const char *name) {
  return op->kind == OP_ROW && !op->guarded && strncmp(op->row->name, name, strlen(name)) == 0;
}

/* Does it make an offset in bytes of an index? */
static bool scales(const struct op *op) {
  return op && (is_row(op, "mul_wide_") || is_row(op, "shl_64") || is_row(op, "mul_lo_64"));
}

/* ---- quotients ---- */

static bool divides(const struct op *op) { return is_row(op, "div_") || is_row(op, "rem_"); }

/* The register of the divisor: the operation that made it, or ~value; NO_OPERAND: a constant. */
static int divisor_of(const struct planner *b, int i) {
  const struct operands *operands = &b->operands[i];
  bool has = !is_constant(b, op_at(b, i)->slot[2]) && operands->count > 0 && operands->count < 3;
  return has ? operands->of[operands->count - 1] : NO_OPERAND;
}

/* What a quotient or remainder of integers takes if another one by the same divisor came before, or
 * the divisor is the same in all turns of a loop: its reciprocal and absolute value are there. */
static void share_reciprocals(struct planner *b) {
  static const struct {
    const char *name;
    struct cost cost;
  } rest[] = {{"div_s32", {UNIT_FP32, 13, 8, 56, 0, 0, 14}},
              {"rem_s32", {UNIT_FP32, 12, 8, 52, 0, 0, 12}},
              {"div_u32", {UNIT_FP32, 9, 6, 44, 0, 0, 10}},
              {"rem_u32", {UNIT_FP32, 8, 6, 40, 0, 0, 8}}};
  for (int i = 0; i < b->to->count; i++) {
    const struct op *op = op_at(b, i);
    int divisor = divides(op) ? divisor_of(b, i) : NO_OPERAND;
    if (divisor == NO_OPERAND) continue;
    bool there = b->loops && divisor < 0 && b->maker[~divisor] < 0;
    for (int j = 0; j < i && !there; j++)
      there = divides(op_at(b, j)) && divisor_of(b, j) == divisor &&
              strcmp(op_at(b, j)->row->name + 3, op->row->name + 3) == 0;
    for (size_t k = 0; there && k < sizeof rest / sizeof rest[0]; k++)
      if (is_row(op, rest[k].name)) b->to->ops[i].cost = rest[k].cost;
  }
}

/* ---- addresses that differ by a constant ---- */

enum { TERMS = 6, OUTER = INT_MIN / 2 };
/* A sum: of values, each so many times, and a constant, which is left out. */
struct sum {
  int count; /* 0: not known */
  struct term {
    int value; /* operation of the block, ~value from outside, or OUTER and the number of an
                  operation outside the block */
    int64_t times;
  } term[TERMS];
};

static bool add_term(struct sum *sum, int value, int64_t times) {
  for (int i = 0; i < sum->count; i++)
    if (sum->term[i].value == value) {
      sum->term[i].times += times;
      return true;
    }
  if (sum->count == TERMS) return false;
  int at = sum->count++;
  for (; at > 0 && sum->term[at - 1].value > value; at--) sum->term[at] = sum->term[at - 1];
  sum->term[at] = (struct term){value, times};
  return true;
}

/* By how much an operation multiplies its first operand; 0: it does not. */
static int64_t factor_of(const struct planner *b, const struct op *op) {
  if (is_row(op, "mov_") || is_row(op, "cvt_s64_s32")) return 1;
  if (!is_constant(b, op->slot[2])) return 0;
  if (is_row(op, "mul_wide_s32")) return (int32_t)constant_of(b, op->slot[2]);
  return is_row(op, "shl_64") ? INT64_C(1) << constant_of(b, op->slot[2]) % 64 : 0;
}

/* Adds what `user` reads in a slot which one operation outside the block has written, or what has
 * led to that. */
static bool add_outer(const struct planner *b, struct sum *to, const struct op *user, uint32_t slot,
                      int64_t times, int depth) {
  const struct op *made = maker_of(b->makers, user, slot);
  if (!made) return false;
  int64_t factor = factor_of(b, made);
  bool is_sum = is_row(made, "add_32") || is_row(made, "add_64");
  bool known = depth > 0 && (factor || is_sum);
  struct sum before = *to;
  for (int k = 1; known && k <= (factor ? 1 : 2); k++)
    known = is_constant(b, made->slot[k]) ||
            add_outer(b, to, made, made->slot[k], times * (factor ? factor : 1), depth - 1);
  if (known) return true;
  *to = before;
  return add_term(to, OUTER + number_of(b->makers, made), times);
}

/* Adds what the value is that operation i reads in a slot, so many times. */
static bool add_sum(const struct planner *b, const struct sum *sums, struct sum *to, int i,
                    uint32_t slot, int value, int64_t times) {
  enum { DEPTH = 4 };
  if (value >= 0 && __builtin_popcount(op_at(b, value)->written) > 1) return false;
  if (value < 0 && b->to->turns == 1 && add_outer(b, to, op_at(b, i), slot, times, DEPTH))
    return true;
  if (value < 0 || !sums[value].count) return add_term(to, value, times);
  const struct sum *sum = &sums[value];
  for (int k = 0; k < sum->count; k++)
    if (!add_term(to, sum->term[k].value, times * sum->term[k].times)) return false;
  return true;
}

/* Operand k (1 or 2) of operation i, as in struct operands. */
static int operand_of(const struct planner *b, int i, int k) {
  const struct op *op = op_at(b, i);
  const struct operands *operands = &b->operands[i];
  if (is_constant(b, op->slot[k]) || operands->wide[k - 1] != NO_OPERAND)
    return operands->wide[k - 1];
  int before = k == 2 && op->read >> 1 & 1 && !is_constant(b, op->slot[1]);
  return before < operands->count && operands->count < 4 ? operands->of[before] : NO_OPERAND;
}

/* The sum that operation i makes; count 0: it is none, or too long. */
static struct sum sum_of(const struct planner *b, const struct sum *sums, int i) {
  const struct op *op = op_at(b, i);
  struct sum sum = {.count = 0}, none = {.count = 0};
  bool may_be_skipped = b->guards[i % (b->to->count / b->to->turns)] >= 0;
  if (may_be_skipped && op->lives_on) return none; /* there is another value */
  int64_t factor = factor_of(b, op);
  bool is_sum = is_row(op, "add_32") || is_row(op, "add_64"), known = factor || is_sum;
  for (int k = 1; known && k <= (factor ? 1 : 2); k++) {
    int value = operand_of(b, i, k);
    if (value != NO_OPERAND)
      known = add_sum(b, sums, &sum, i, op->slot[k], value, factor ? factor : 1);
    else
      known = is_constant(b, op->slot[k]);
  }
  return known ? sum : none;
}

static bool same_sum(const struct sum *a, const struct sum *b) {
  if (!a->count || a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (a->term[i].value != b->term[i].value || a->term[i].times != b->term[i].times) return false;
  return true;
}

/* Takes a use of the operation away; one that nothing uses any more costs nothing, nor does what
 * only it used. */
static void drop_use(struct planner *b, int *uses, int i) {
  if (i < 0 || --uses[i] > 0) return;
  struct plan_op *op = &b->to->ops[i];
  if (op_at(b, i)->kind != OP_ROW || op_is_access(op_at(b, i))) return;
  op->cost = (struct cost){.unit = UNIT_NONE};
  for (int k = 0; k < op->input_count; k++) drop_use(b, uses, op->inputs[k]);
}

/* Is a - b, of addresses of a loop's block, the same in all turns? */
static bool differ_by_same(const struct planner *b, const struct sum *x, const struct sum *y) {
  int same = 0;
  for (int i = 0; i < x->count; i++) {
    bool in_both = false;
    for (int j = 0; j < y->count; j++)
      in_both |= x->term[i].value == y->term[j].value && x->term[i].times == y->term[j].times;
    int value = x->term[i].value;
    bool is_inner = value >= 0 || (value > INT16_MIN && b->maker[~value] >= 0);
    if (!in_both && is_inner) return false;
    same += in_both;
  }
  return same >= 2;
}

/* In a loop, the index of an address that lies so far from another one needs no addition: the
 * address is made of the other one. */
static void step_addresses(struct planner *b, const bool *is_address, const struct sum *sums,
                           int *uses) {
  struct plan_block *to = b->to;
  for (int i = 0; b->loops && i < to->count; i++) {
    if (!is_address[i] || to->ops[i].cost.unit == UNIT_NONE || sums[i].count < 2) continue;
    for (int j = 0; j < i; j++) {
      if (!is_address[j] || !differ_by_same(b, &sums[i], &sums[j])) continue;
      for (int k = 0; k < to->ops[i].input_count; k++) {
        int scaled = to->ops[i].inputs[k];
        if (scaled < 0 || !scales(op_at(b, scaled)) || uses[scaled] > 1) continue;
        int index = to->ops[scaled].input_count == 1 ? to->ops[scaled].inputs[0] : -1;
        if (index >= 0 && uses[index] == 1 && is_row(op_at(b, index), "add_32"))
          to->ops[index].cost = (struct cost){.unit = UNIT_NONE};
      }
      break;
    }
  }
}

static void share_addresses(struct planner *b, const bool *is_address) {
  struct plan_block *to = b->to;
  struct sum *sums = calloc((size_t)to->count + 1, sizeof *sums);
  int *uses = calloc((size_t)to->count + 1, sizeof *uses);
  for (int i = 0; sums && uses && i < to->count; i++) {
    sums[i] = sum_of(b, sums, i);
    uses[i] += is_needed_after(b, i);
    for (int k = 0; k < to->ops[i].input_count; k++)
      if (to->ops[i].inputs[k] >= 0) uses[to->ops[i].inputs[k]]++;
  }
  if (sums && uses && b->predicate >= 0 && b->maker[b->predicate] >= 0)
    uses[b->maker[b->predicate]]++;
  for (int i = 0; sums && uses && i < to->count; i++) {
    if (!is_address[i] || !is_row(op_at(b, i), "add_64") || sums[i].count < 2) continue;
    for (int j = 0; j < i; j++) {
      struct plan_op *op = &to->ops[i];
      if (!is_address[j] || !same_sum(&sums[i], &sums[j]) || op->cost.unit == UNIT_NONE) continue;
      op->cost = (struct cost){.unit = UNIT_NONE};
      for (int k = 0; k < op->input_count; k++) drop_use(b, uses, op->inputs[k]);
      op->input_count = 0;
      add_input(op, j);
      break;
    }
  }
  if (sums && uses) step_addresses(b, is_address, sums, uses);
  free(sums);
  free(uses);
}

/* Which operations make addresses and nothing else. */
static bool *find_addresses(const struct planner *b) {
  bool *is = calloc((size_t)b->to->count + 1, sizeof *is);
  bool *other = calloc((size_t)b->to->count + 1, sizeof *other);
  for (int i = 0; is && other && i < b->to->count; i++) {
    const struct op *op = op_at(b, i);
    bool accesses = op->kind == OP_LOAD || op->kind == OP_STORE || op->kind == OP_ATOMIC;
    for (int k = 0; k < b->to->ops[i].input_count; k++) {
      int from = b->to->ops[i].inputs[k];
      if (from >= 0) *(accesses ? &is[from] : &other[from]) = true;
    }
    if (is_needed_after(b, i)) other[i] = true;
  }
  for (int i = 0; is && other && i < b->to->count; i++) is[i] &= !other[i];
  free(other);
  return is;
}

void share_work(struct planner *b) {
  share_reciprocals(b);
  bool *is_address = find_addresses(b);
  if (is_address) share_addresses(b, is_address);
  free(is_address);
}

/* ---- indices that grow from turn to turn ---- */

/* Adds what is the same in all turns to what it made in the turn before, and only offsets are made
 * of that? */
static bool grows(const struct planner *b, int i, int turn_ops) {
  const struct plan_op *op = &b->to->ops[i];
  if (!is_row(op_at(b, i), "add_32") || op->input_count != 2 || is_needed_after(b, i)) return false;
  bool before = false, same = false;
  for (int k = 0; k < 2; k++) {
    before |= i >= turn_ops ? op->inputs[k] == i - turn_ops : op->inputs[k] < 0;
    same |= op->inputs[k] < 0 && b->maker[~op->inputs[k]] < 0;
  }
  if (!before || !same) return false;
  for (int j = i + 1; j < b->to->count; j++)
    for (int k = 0; k < b->to->ops[j].input_count; k++)
      if (b->to->ops[j].inputs[k] == i && j != i + turn_ops &&
          !(scales(op_at(b, j)) && b->to->ops[j].cost.unit == UNIT_NONE))
        return false;
  return true;
}

/* ---- indices into rows ---- */

/* The operation that has made what `by` reads in a register, copies left out; NULL: several have.
 */
static const struct op *source_of(const struct planner *b, const struct op *by, uint32_t slot) {
  const struct op *op = maker_of(b->makers, by, slot);
  for (int i = 0; i < 4 && op && is_row(op, "mov_64"); i++)
    op = maker_of(b->makers, op, op->slot[1]);
  return op;
}

/* Is the address that the operation makes itself used, in its basic block? */
static bool is_accessed(const struct planner *b, const struct op *made) {
  const struct op *end = block_end(b->makers, made);
  for (const struct op *op = made + 1; op < end; op++) {
    bool accesses = op->kind == OP_LOAD || op->kind == OP_STORE || op->kind == OP_ATOMIC;
    if (accesses && op->slot[0] == made->slot[0]) return true;
    for (int k = 0; k < OP_SLOTS; k++)
      if (op->written >> k & 1 && op->slot[k] == made->slot[0]) return false;
  }
  return false;
}

/* Is what `by` reads there the beginning of a row: a parameter and an index, scaled? */
static bool begins_row(const struct planner *b, const struct op *by, uint32_t slot) {
  const struct op *op = source_of(b, by, slot);
  if (!op || !is_row(op, "add_64") || is_accessed(b, op)) return false;
  for (int k = 1; k <= 2; k++) {
    const struct op *base = source_of(b, op, op->slot[k]);
    if (base && base->body == cold_load_kernel_param && scales(source_of(b, op, op->slot[3 - k])))
      return true;
  }
  return false;
}

/* nvcc adds the two indices, in 64 bits, and then scales the sum and adds the array (two
 * instructions each); of several arrays with the same indices the sum is made and scaled once. */
static void add_rows(struct planner *b) {
  static const struct cost all = {UNIT_ADD, 4, 8, 16}, another = {UNIT_ADD, 2, 4, 8};
  struct plan_block *to = b->to;
  for (int i = 0; i < to->count; i++) {
    const struct op *op = op_at(b, i);
    if (!is_row(op, "add_64") || to->ops[i].cost.unit == UNIT_NONE) continue;
    for (int k = 1; k <= 2; k++) {
      const struct op *index = source_of(b, op, op->slot[3 - k]);
      if (!scales(index) || !begins_row(b, op, op->slot[k])) continue;
      int same = 0;
      for (int j = 0; j < i; j++) {
        const struct op *other = op_at(b, j);
        for (int l = 1; l <= 2 && is_row(other, "add_64"); l++)
          same += source_of(b, other, other->slot[3 - l]) == index &&
                  begins_row(b, other, other->slot[l]);
      }
      to->ops[i].cost = same > 1 ? another : all;
      break;
    }
  }
}

/* ---- what a register has if an operation is left out ---- */

/* A move of a constant costs nothing, for the instruction that uses it has it; unless an operation
 * that some lanes leave out may put something else into the register. */
static void keep_defaults(struct planner *b) {
  static const struct cost move = {UNIT_ADD, 1, 2, 4};
  int turn_ops = b->to->count / b->to->turns;
  for (int i = 0; i < b->to->count; i++) {
    const struct op *op = op_at(b, i);
    if (!is_row(op, "mov_32") || b->guards[i % turn_ops] >= 0) continue;
    const struct op *from =
        is_constant(b, op->slot[1]) ? NULL : maker_of(b->makers, op, op->slot[1]);
    bool constant = is_constant(b, op->slot[1]) ||
                    (from && is_row(from, "mov_32") && is_constant(b, from->slot[1]));
    for (int j = i % turn_ops + 1; constant && j < turn_ops; j++) {
      const struct op *other = b->ops[j];
      if (!(other->written & 1) || other->slot[0] != op->slot[0]) continue;
      if (b->guards[j] >= 0) b->to->ops[i].cost = move;
      break;
    }
  }
}

void share_indices(struct planner *b) {
  int turn_ops = b->to->count / b->to->turns;
  if (b->to->turns == 1) add_rows(b);
  keep_defaults(b);
  for (int i = 0; b->to->turns > 1 && i < b->to->count; i++)
    if (grows(b, i, turn_ops)) b->to->ops[i].cost = (struct cost){.unit = UNIT_NONE};
}
