/* plan_fuse.c: what ptxas makes one instruction of two operations: the scaling of an index and its
 * addition to an address (IMAD.WIDE, LEA), three additions or operations of logic (IADD3, LOP3), a
 * right shift and an addition (LEA.HI), the extremes of sums and of three values (VIADDMNMX,
 * VIMNMX3, from compute capability 9.0 on), logic and a comparison with zero (LOP3 with a
 * predicate), a comparison and what combines its result with others (ISETP.AND, PLOP3); signs and
 * absolute values of floating-point operands are part of the instruction that has them. Seen in
 * what nvcc 13 makes of the kernels of tests/model, and of each of these by itself.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/model/planner.h"

enum family {
  OTHER,
  WIDE_PRODUCT,
  LONG_PRODUCT,
  PRODUCT,
  SHIFT,
  RIGHT_SHIFT,
  WIDE_SHIFT,
  SUM,
  DIFFERENCE,
  WIDE_SUM,
  LOGIC,
  WIDE_LOGIC,
  TEST,
  COMBINATION,
  EXTREME,
  SIGN,
  FLOATING
};

/* Has the instruction room for its operands' signs? */
static bool has_signs(const struct op *op) {
  const char *name = op->row->name;
  return (strstr(name, "_f32") || strstr(name, "_f64")) && !op_branches(op) &&
         strncmp(name, "copysign_", 9) != 0 && strncmp(name, "flush_", 6) != 0;
}

static enum family family_of(const struct op *op) {
  static const struct {
    const char *start;
    enum family family;
  } rows[] = {{"mul_wide_", WIDE_PRODUCT},
              {"mul_lo_64", LONG_PRODUCT},
              {"mul_lo_32", PRODUCT},
              {"shl_32", SHIFT},
              {"shr_u32", RIGHT_SHIFT},
              {"shr_s32", RIGHT_SHIFT},
              {"shl_64", WIDE_SHIFT},
              {"add_32", SUM},
              {"sub_32", DIFFERENCE},
              {"add_64", WIDE_SUM},
              {"and_32", LOGIC},
              {"or_32", LOGIC},
              {"xor_32", LOGIC},
              {"not_32", LOGIC},
              {"and_64", WIDE_LOGIC},
              {"or_64", WIDE_LOGIC},
              {"xor_64", WIDE_LOGIC},
              {"not_64", WIDE_LOGIC},
              {"lt_", TEST},
              {"le_", TEST},
              {"eq_", TEST},
              {"ne_", TEST},
              {"min_s32", EXTREME},
              {"min_u32", EXTREME},
              {"max_s32", EXTREME},
              {"max_u32", EXTREME},
              {"neg_f32", SIGN},
              {"neg_f64", SIGN},
              {"abs_f32", SIGN},
              {"abs_f64", SIGN}};
  if (op->body == cold_predicate_and || op->body == cold_predicate_or ||
      op->body == cold_predicate_xor || op->body == cold_predicate_not)
    return COMBINATION;
  if (op->kind != OP_ROW) return OTHER;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strncmp(op->row->name, rows[i].start, strlen(rows[i].start)) == 0) return rows[i].family;
  return has_signs(op) ? FLOATING : OTHER;
}

/* Does it ask whether an operand is zero? */
static bool tests_for_zero(const struct planner *b, const struct op *op) {
  if (strncmp(op->row->name, "eq_32", 5) != 0 && strncmp(op->row->name, "ne_32", 5) != 0)
    return false;
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->read >> k & 1 && is_constant(b, op->slot[k]) && !constant_of(b, op->slot[k]))
      return true;
  return false;
}

/* Can operation i, which uses the result of `from`, take that in? */
static bool takes_in(const struct planner *b, int i, enum family second, int from,
                     enum family first) {
  const struct operands *operands = &b->operands[i];
  switch (second) {
    case WIDE_SUM:
      return first == WIDE_PRODUCT || first == WIDE_SHIFT || first == LONG_PRODUCT;
    case SUM:
      return first == PRODUCT || first == SHIFT || first == SUM || first == DIFFERENCE ||
             (first == RIGHT_SHIFT && is_constant(b, op_at(b, from)->slot[2]));
    case DIFFERENCE: /* only what is subtracted from: LEA and IMAD add */
      return first == SUM || first == DIFFERENCE ||
             (operands->of[0] == from && !is_constant(b, op_at(b, i)->slot[1]) &&
              (first == PRODUCT || first == SHIFT ||
               (first == RIGHT_SHIFT && is_constant(b, op_at(b, from)->slot[2]))));
    case COMBINATION:
      return first == TEST || first == COMBINATION;
    case EXTREME:
      return b->sm->version >= 90 &&
             (first == SUM || first == DIFFERENCE ||
              (first == EXTREME && op_at(b, i)->row == op_at(b, from)->row));
    case TEST:
      return first == LOGIC && tests_for_zero(b, op_at(b, i));
    default:
      return false;
  }
}

enum { LEAVES = 3 }; /* operands of LOP3 */

/* Each result by those that use it in the block. */
struct fusion {
  enum family family;
  int uses, taken;        /* taken: by operations that can take it in */
  bool full;              /* has taken one in */
  int leaf_count;         /* operations of logic: of the operands of all that it stands for, */
  int constants;          /* those that are constants, */
  int16_t leaves[LEAVES]; /* and the others; more than LEAVES in all: not known */
};

/* ---- logic ---- */

static bool is_logic(enum family family) { return family == LOGIC || family == WIDE_LOGIC; }

static void add_leaf(struct fusion *to, int16_t input) {
  for (int i = 0; i < to->leaf_count && i < LEAVES; i++)
    if (to->leaves[i] == input) return;
  if (to->leaf_count < LEAVES) to->leaves[to->leaf_count] = input;
  to->leaf_count++;
}

/* One LOP3 does any logic of three operands: the operation takes in those that make its operands
 * while these are all that is needed. */
static void take_in_logic(const struct planner *b, struct fusion *ops, int i) {
  const struct plan_op *op = &b->to->ops[i];
  struct fusion *own = &ops[i];
  for (int k = 0; k < OP_SLOTS; k++)
    own->constants += op_at(b, i)->read >> k & 1 && op_at(b, i)->slot[k] < b->values->constants;
  for (int k = 0; k < op->input_count; k++) add_leaf(own, op->inputs[k]);
  for (int k = 0; k < op->input_count; k++) {
    int from = op->inputs[k];
    if (from < 0 || from >= i || ops[from].family != own->family || ops[from].uses > 1 ||
        op_at(b, from)->guarded)
      continue;
    struct fusion with = {.constants = own->constants + ops[from].constants};
    for (int leaf = 0; leaf < own->leaf_count && leaf < LEAVES; leaf++)
      if (own->leaves[leaf] != from) add_leaf(&with, own->leaves[leaf]);
    for (int leaf = 0; leaf < ops[from].leaf_count && leaf < LEAVES; leaf++)
      add_leaf(&with, ops[from].leaves[leaf]);
    if (own->leaf_count > LEAVES || ops[from].leaf_count > LEAVES ||
        with.leaf_count + with.constants > LEAVES)
      continue;
    if (b->to->ops[from].cost.slots > op->cost.slots) b->to->ops[i].cost = b->to->ops[from].cost;
    own->leaf_count = with.leaf_count;
    own->constants = with.constants;
    memcpy(own->leaves, with.leaves, sizeof own->leaves);
    ops[from].taken++;
  }
}

/* Of floating-point operands. */
static void take_in_signs(const struct planner *b, struct fusion *ops, int i) {
  const struct plan_op *op = &b->to->ops[i];
  for (int k = 0; k < op->input_count; k++) {
    int from = op->inputs[k];
    if (from >= 0 && from < i && ops[from].family == SIGN && !op_at(b, from)->guarded)
      ops[from].taken++;
  }
}

/* Whatever its values. */
static void set_cost(struct plan_op *op, struct cost cost) {
  op->cost = cost;
  for (int way = 0; way < LONGER_WAYS; way++) op->longer[way] = cost;
}

/* ---- sine and cosine of one angle ---- */

/* The operation that made the argument of a function of one, or ~value; INT_MAX: it is none. */
static int argument_of(const struct planner *b, int i) {
  const struct plan_op *op = &b->to->ops[i];
  if (op_at(b, i)->body != cold_intrinsic || op->input_count != 1 || op->inputs[0] < 0)
    return INT_MAX;
  const struct plan_op *store = &b->to->ops[op->inputs[0]];
  return store->input_count == 1 ? store->inputs[0] : INT_MAX;
}

/* sincos() reduces the angle once: what the second function takes more was measured by
 * gpus/calibrate_functions.cu, "sincosf" and "sincos". */
static void share_reductions(struct planner *b) {
  static const struct cost more = {UNIT_FP32, 8, 8, 8}, more_wide = {UNIT_FP64, 20, 22, 8};
  for (int i = 0; i < b->to->count; i++) {
    if (op_at(b, i)->varies != VARIES_BY_ANGLE) continue;
    const struct intrinsic *own = op_at(b, i)->call->intrinsic;
    int argument = argument_of(b, i);
    for (int j = i - 1; j >= 0 && argument != INT_MAX; j--) {
      if (op_at(b, j)->varies != VARIES_BY_ANGLE || argument_of(b, j) != argument) continue;
      const struct intrinsic *other = op_at(b, j)->call->intrinsic;
      if (own->signature[0] != other->signature[0] || own->name[0] == other->name[0]) continue;
      set_cost(&b->to->ops[i], own->signature[0] == 'd' ? more_wide : more);
      add_input(&b->to->ops[i], j);
      break;
    }
  }
}

/* ---- what is known of a function's arguments ---- */

enum known { UNKNOWN, OF_THE_LOOP, CONSTANT }; /* of the loop: the same in each turn */

static enum known known_of(const struct planner *b, int input) {
  while (input >= 0 && b->to->ops[input].cost.unit == UNIT_NONE &&
         b->to->ops[input].input_count == 1)
    input = b->to->ops[input].inputs[0];
  if (input < 0) return b->loops && b->maker[~input] < 0 ? OF_THE_LOOP : UNKNOWN;
  if (op_at(b, input)->body == cold_load_kernel_param) return b->loops ? OF_THE_LOOP : UNKNOWN;
  bool constant = b->to->ops[input].cost.unit == UNIT_NONE && !b->to->ops[input].input_count;
  return constant ? CONSTANT : UNKNOWN;
}

/* Of the function's k-th argument. */
static enum known argument_known(const struct planner *b, int i, int k) {
  const struct plan_op *op = &b->to->ops[i];
  for (int input = 0; input < op->input_count; input++) {
    int from = op->inputs[input];
    if (from < 0 || op_at(b, from)->body != cold_store_param ||
        op_at(b, from)->access.offset != op_at(b, i)->call->arguments[k])
      continue;
    return known_of(b, from);
  }
  return UNKNOWN;
}

/* A compiler computes what has but constant arguments, and once before a loop what is the same in
 * each turn; of a power, the logarithm of its base, and some tests of its exponent. What is left of
 * powf was measured by gpus/calibrate_functions.cu, "powf(0.9, x)" and "powf(x, 1.5)"; pow has as
 * much to do. */
static void share_arguments(struct planner *b) {
  static const struct cost nothing = {.unit = UNIT_NONE}, of_base = {UNIT_FP32, 32, 32, 100, 93},
                           to_exponent = {UNIT_FP32, 73, 73, 229, 232};
  for (int i = 0; i < b->to->count; i++) {
    struct plan_op *op = &b->to->ops[i];
    if (op_at(b, i)->body != cold_intrinsic) continue;
    const struct intrinsic *intrinsic = op_at(b, i)->call->intrinsic;
    enum known all = CONSTANT;
    for (int k = 0; intrinsic->signature[k + 1]; k++) {
      enum known argument = argument_known(b, i, k);
      if (argument < all) all = argument;
    }
    if (all != UNKNOWN)
      set_cost(op, nothing);
    else if (strcmp(intrinsic->name, "powf") == 0 && argument_known(b, i, 0) != UNKNOWN)
      set_cost(op, of_base);
    else if (strcmp(intrinsic->name, "powf") == 0 && argument_known(b, i, 1) != UNKNOWN)
      set_cost(op, to_exponent);
  }
}

/* Does it add 0 or 1, by a predicate? ptxas makes an addition and a predicated move of that. */
static bool counts(const struct planner *b, int i) {
  for (int k = 0; k < b->to->ops[i].input_count; k++) {
    int from = b->to->ops[i].inputs[k];
    if (from >= 0 && op_at(b, from)->body == cold_select_32 &&
        is_constant(b, op_at(b, from)->slot[1]) && is_constant(b, op_at(b, from)->slot[2]))
      return true;
  }
  return false;
}

/* A field of bits at either end of a word takes one instruction: the lowest ones a mask, the
 * highest ones a shift. */
static void find_outer_fields(struct planner *b) {
  for (int i = 0; i < b->to->count; i++) {
    const struct op *op = op_at(b, i);
    bool is_signed = op->kind == OP_ROW && strcmp(op->row->name, "bfe_s32") == 0;
    if (op->kind != OP_ROW || (!is_signed && strcmp(op->row->name, "bfe_u32") != 0)) continue;
    if (!is_constant(b, op->slot[2]) || !is_constant(b, op->slot[3])) continue;
    uint32_t from = constant_of(b, op->slot[2]), bits = constant_of(b, op->slot[3]);
    if (from + bits < 32 && (is_signed || from > 0)) continue;
    struct cost *cost = &b->to->ops[i].cost;
    cost->slots /= 2, cost->cycles /= 2, cost->latency /= 2;
  }
}

/* A byte or half word that was loaded without sign has nothing above it: its conversion is that of
 * 32 bits (I2FP.F32.U32). Halves of words that were loaded as one keep I2F.U16. */
static void convert_loaded(struct planner *b) {
  static const struct cost of_words = {UNIT_ALU, 1, 2, 4};
  for (int i = 0; i < b->to->count; i++) {
    struct plan_op *plan = &b->to->ops[i];
    const struct op *op = op_at(b, i);
    if (op->kind != OP_ROW || strcmp(op->row->name, "cvt_f32_u16") != 0 || plan->input_count != 1 ||
        plan->inputs[0] < 0)
      continue;
    const struct op *from = op_at(b, plan->inputs[0]);
    if (from->kind == OP_LOAD && from->count == 1) plan->cost = of_words;
  }
}

/* ---- all ---- */

void fuse_ops(struct planner *b) {
  share_reductions(b);
  share_arguments(b);
  find_outer_fields(b);
  convert_loaded(b);
  static const struct cost nothing = {UNIT_NONE, 0, 0, 0};
  struct plan_block *to = b->to;
  struct fusion *ops = calloc((size_t)to->count + 1, sizeof *ops);
  if (!ops) return; /* they cost more, then */
  for (int i = 0; i < to->count; i++) {
    ops[i].family = to->ops[i].cost.unit == UNIT_NONE ? OTHER : family_of(op_at(b, i));
    if (is_needed_after(b, i)) ops[i].uses++;
    for (int k = 0; k < to->ops[i].input_count; k++)
      if (to->ops[i].inputs[k] >= 0) ops[to->ops[i].inputs[k]].uses++;
  }
  for (int i = 0; i < to->count; i++) {
    struct plan_op *op = &to->ops[i];
    if (is_logic(ops[i].family)) take_in_logic(b, ops, i);
    if (ops[i].family == SIGN || ops[i].family == FLOATING || ops[i].family == TEST)
      take_in_signs(b, ops, i);
    if (ops[i].family == SUM && counts(b, i)) ops[i].full = true;
    for (int k = 0; k < op->input_count && !ops[i].full && !is_logic(ops[i].family); k++) {
      int from = op->inputs[k];
      if (from < 0 || from >= i || ops[from].full || op_at(b, from)->guarded) continue;
      if (!takes_in(b, i, ops[i].family, from, ops[from].family)) continue;
      bool scales = ops[i].family == WIDE_SUM && ops[from].family != LONG_PRODUCT;
      if (!scales && ops[from].uses > 1) continue;
      ops[i].full = true;
      ops[from].taken++;
      if (ops[i].family != EXTREME && (ops[from].family == SUM || ops[from].family == DIFFERENCE ||
                                       ops[from].family == RIGHT_SHIFT))
        op->cost.unit = UNIT_ALU; /* IADD3, LEA.HI: products add two operands only */
      if (ops[from].family == WIDE_PRODUCT || ops[from].family == LONG_PRODUCT ||
          ops[from].family == PRODUCT)
        op->cost = to->ops[from].cost;
    }
  }
  for (int i = 0; i < to->count; i++)
    if (ops[i].taken && ops[i].taken == ops[i].uses) to->ops[i].cost = nothing;
  for (int i = 0; i < to->count; i++)
    to->ops[i].returns = op_at(b, i)->kind == OP_ATOMIC && ops[i].uses > 0;
  free(ops);
}
