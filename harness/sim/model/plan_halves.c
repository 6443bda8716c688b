/* plan_halves.c: what operations of 64 bits cost if only a part of them is left to do. Registers
 * have 32 bits, and ptxas keeps track of each half: one that is known to be zero needs no
 * instruction, nor does one that nothing asks for; a shift by 32 is none at all; two shifts that
 * make a rotation are two instructions, not six. Seen in what nvcc 13 makes of each.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/model/planner.h"

enum { LOW = 1, HIGH = 2, BOTH = LOW | HIGH, HALF_BITS = 32 };

enum task {
  OTHER,
  EXTENSION, /* of what has 32 bits or fewer, and no sign */
  SIGN,      /* the same of a signed integer of 32 bits */
  COPY,
  TRUNCATION,
  LOGIC_AND,
  LOGIC, /* or, xor */
  INVERSION,
  LEFT,
  RIGHT,
  SIGNED_RIGHT,
  SUM,
  PRODUCT
};

/* What is known of an operation and its result. */
struct halves {
  enum task task;
  uint8_t zero, needed; /* halves of the result */
  int uses;
};

static enum task task_of(const struct planner *b, int i) {
  static const struct {
    const char *name;
    enum task task;
  } rows[] = {{"cvt_u64_u32", EXTENSION},
              {"cvt_64_u16", EXTENSION},
              {"cvt_64_u8", EXTENSION},
              {"mov_64", COPY},
              {"cvt_64_64", COPY},
              {"cvt_u32_u64", TRUNCATION},
              {"cvt_s64_s32", SIGN},
              {"and_64", LOGIC_AND},
              {"or_64", LOGIC},
              {"xor_64", LOGIC},
              {"not_64", INVERSION},
              {"shl_64", LEFT},
              {"shr_u64", RIGHT},
              {"shr_s64", SIGNED_RIGHT},
              {"add_64", SUM},
              {"sub_64", SUM},
              {"mul_lo_64", PRODUCT}};
  const struct op *op = op_at(b, i);
  if (op->guarded) return OTHER;
  if (op->kind == OP_LOAD)
    return op->wide && op->size < 8 && op->count == 1 && !op->access.sign_extends ? EXTENSION
                                                                                  : OTHER;
  if (op->kind != OP_ROW) return OTHER;
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    if (strcmp(op->row->name, rows[k].name) == 0) return rows[k].task;
  return OTHER;
}

/* By how many bits a shift goes; -1: that is known at run time only. */
static int shift_of(const struct planner *b, int i) {
  const struct op *op = op_at(b, i);
  return is_constant(b, op->slot[2]) ? (int)constant_of(b, op->slot[2]) : -1;
}

/* The predicate of the part in which an operation stands; < 0: none. */
static int guard_of(const struct planner *b, int i) {
  return b->guards[i % (b->to->count / b->to->turns)];
}

/* Halves of operand k (0, 1) that are known to be zero. Of what is predicated, only there. */
static int zero_of(const struct planner *b, const struct halves *all, int i, int k) {
  uint32_t slot = op_at(b, i)->slot[1 + k];
  int from = b->operands[i].wide[k];
  if (from != NO_OPERAND) {
    if (from < 0 || from >= i) return 0;
    return guard_of(b, from) < 0 || guard_of(b, from) == guard_of(b, i) ? all[from].zero : 0;
  }
  if (!is_constant(b, slot)) return 0;
  uint64_t value = wide_constant_of(b, slot);
  return ((uint32_t)value ? 0 : LOW) | (value >> HALF_BITS ? 0 : HIGH);
}

/* Halves of a constant operand that have all bits set. */
static int ones_of(const struct planner *b, int i, int k) {
  uint32_t slot = op_at(b, i)->slot[1 + k];
  if (b->operands[i].wide[k] != NO_OPERAND || !is_constant(b, slot)) return 0;
  uint64_t value = wide_constant_of(b, slot);
  return ((uint32_t)value == UINT32_MAX ? LOW : 0) | (value >> HALF_BITS == UINT32_MAX ? HIGH : 0);
}

static int known_zero(const struct planner *b, const struct halves *all, int i) {
  int zero = zero_of(b, all, i, 0);
  switch (all[i].task) {
    case EXTENSION:
      return HIGH;
    case COPY:
      return zero;
    case LOGIC_AND:
      return zero | zero_of(b, all, i, 1);
    case LOGIC:
      return zero & zero_of(b, all, i, 1);
    case LEFT:
      return shift_of(b, i) >= HALF_BITS ? LOW : 0;
    case RIGHT:
      return shift_of(b, i) >= HALF_BITS || zero & HIGH ? HIGH : 0;
    default:
      return 0;
  }
}

/* Which halves of its operands it needs for those of its result that are needed. Addresses have 32
 * bits, but for global memory. */
static int needed_of_operands(const struct planner *b, const struct halves *own, int i) {
  const struct op *op = op_at(b, i);
  int needed = own->needed, shift;
  if (op->kind == OP_LOAD || (op->kind == OP_STORE && op->size < 8))
    return op->space == PTX_SHARED || op->space == PTX_LOCAL || op->constant ? LOW : BOTH;
  switch (own->task) {
    case TRUNCATION:
      return LOW;
    case COPY:
    case LOGIC_AND:
    case LOGIC:
    case INVERSION:
      return needed;
    case SUM:
    case PRODUCT:
      return needed & HIGH ? BOTH : needed;
    case LEFT:
      shift = shift_of(b, i);
      if (shift >= HALF_BITS) return needed & HIGH ? LOW : 0;
      return needed & HIGH ? BOTH : needed;
    case RIGHT:
    case SIGNED_RIGHT:
      shift = shift_of(b, i);
      if (shift >= HALF_BITS) return needed & LOW || own->task == SIGNED_RIGHT ? HIGH : 0;
      return needed & LOW ? BOTH : needed;
    default:
      return BOTH;
  }
}

/* Instructions that shifts by a constant take. */
static int parts_of_shift(const struct halves *own, int shift, int zero) {
  bool low = own->needed & LOW, high = own->needed & HIGH;
  if (own->task == LEFT) return shift > HALF_BITS ? high : shift == HALF_BITS ? 0 : low + high;
  if (own->task == RIGHT && zero & HIGH) high = false;
  if (own->task == SIGNED_RIGHT && shift >= HALF_BITS) return (shift > HALF_BITS && low) + high;
  return shift > HALF_BITS ? low : shift == HALF_BITS ? 0 : low + high;
}

static void set_parts(struct plan_op *op, int parts) {
  static const struct cost nothing = {.unit = UNIT_NONE}, one = {UNIT_ALU, 1, 2, 4};
  if (parts < 2) op->cost = parts ? one : nothing;
}

static void reduce_cost(struct planner *b, const struct halves *all, int i) {
  static const struct cost low_sum = {UNIT_ADD, 1, 2, 4}, low_product = {UNIT_FP32, 1, 2, 4},
                           of_32_bits = {UNIT_FP32, 1, 2, 8}, by_32_bits = {UNIT_FP32, 3, 6, 15};
  const struct halves *own = &all[i];
  struct plan_op *op = &b->to->ops[i];
  int zero = zero_of(b, all, i, 0), other = zero_of(b, all, i, 1);
  int left = own->needed & ~(zero | other);
  switch (own->task) {
    case SIGN:
      if (!(own->needed & HIGH)) set_parts(op, 0);
      break;
    case LOGIC_AND:
      left &= ~(ones_of(b, i, 0) | ones_of(b, i, 1));
      set_parts(op, (left & LOW) + (left >> 1));
      break;
    case LOGIC:
      set_parts(op, (left & LOW) + (left >> 1));
      break;
    case INVERSION:
      set_parts(op, (own->needed & LOW) + (own->needed >> 1));
      break;
    case LEFT:
    case RIGHT:
    case SIGNED_RIGHT:
      if (shift_of(b, i) >= 0) set_parts(op, parts_of_shift(own, shift_of(b, i), zero));
      break;
    case SUM:
      if (own->needed == LOW) op->cost = low_sum;
      break;
    case PRODUCT:
      if (own->needed == LOW)
        op->cost = low_product;
      else if (zero & other & HIGH)
        op->cost = of_32_bits;
      else if ((zero | other) & HIGH)
        op->cost = by_32_bits;
      break;
    default:
      break;
  }
}

/* Is it a shift of `of` that nothing else uses? */
static bool shifts(const struct planner *b, const struct halves *all, int i, int to, enum task task,
                   int of) {
  return i >= 0 && i < to && all[i].task == task && all[i].uses == 1 &&
         b->operands[i].wide[0] == of && shift_of(b, i) > 0;
}

/* Two funnel shifts. */
static void find_rotation(struct planner *b, const struct halves *all, int i) {
  static const struct cost nothing = {.unit = UNIT_NONE}, rotation = {UNIT_ALU, 2, 4, 4};
  if (all[i].task != LOGIC && all[i].task != SUM) return;
  for (int k = 0; k < 2; k++) {
    int left = b->operands[i].wide[k], right = b->operands[i].wide[1 - k];
    if (left < 0 || left >= i) continue;
    int of = b->operands[left].wide[0];
    if (of == NO_OPERAND || !shifts(b, all, left, i, LEFT, of) ||
        !shifts(b, all, right, i, RIGHT, of) ||
        shift_of(b, left) + shift_of(b, right) != 2 * HALF_BITS)
      continue;
    b->to->ops[left].cost = b->to->ops[right].cost = nothing;
    b->to->ops[i].cost = rotation;
    set_parts(&b->to->ops[i],
              shift_of(b, left) == HALF_BITS ? 0 : (all[i].needed & LOW) + (all[i].needed >> 1));
    return;
  }
}

void halve_ops(struct planner *b) {
  const struct plan_block *to = b->to;
  struct halves *all = calloc((size_t)to->count + 1, sizeof *all);
  if (!all) return; /* they cost more, then */
  for (int i = 0; i < to->count; i++) {
    all[i].task = task_of(b, i);
    all[i].zero = (uint8_t)known_zero(b, all, i);
    if (is_needed_after(b, i)) all[i].needed = BOTH, all[i].uses++;
    for (int k = 0; k < to->ops[i].input_count; k++) {
      int from = to->ops[i].inputs[k];
      if (from < 0) continue;
      all[from].uses++;
      if (from >= i) all[from].needed = BOTH;
    }
  }
  for (int i = to->count - 1; i >= 0; i--) {
    int needed = needed_of_operands(b, &all[i], i);
    for (int k = 0; k < to->ops[i].input_count; k++)
      if (to->ops[i].inputs[k] >= 0) all[to->ops[i].inputs[k]].needed |= (uint8_t)needed;
  }
  for (int i = 0; i < to->count; i++) reduce_cost(b, all, i);
  for (int i = 0; i < to->count; i++) find_rotation(b, all, i);
  free(all);
}
