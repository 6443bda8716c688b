/* decode_compare.c: setp and set: the comparisons of PTX, made of the few that the tables have. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

static const struct comparison {
  const char *name, *base;
  bool swap, negate, unsigned_type;
} integer_comparisons[] =
    {
        {"eq", "eq", 0, 0, 0},
        {"ne", "eq", 0, 1, 0},
        {"lt", "lt", 0, 0, 0},
        {"le", "le", 0, 0, 0},
        {"gt", "lt", 1, 0, 0},
        {"ge", "le", 1, 0, 0},
        {"lo", "lt", 0, 0, 1},
        {"ls", "le", 0, 0, 1},
        {"hi", "lt", 1, 0, 1},
        {"hs", "le", 1, 0, 1},
        {NULL},
},
  float_comparisons[] = {
      {"eq", "eq", 0, 0, 0},   {"ne", "ne", 0, 0, 0},   {"lt", "lt", 0, 0, 0},
      {"le", "le", 0, 0, 0},   {"gt", "lt", 1, 0, 0},   {"ge", "le", 1, 0, 0},
      {"equ", "ne", 0, 1, 0},  {"neu", "eq", 0, 1, 0},  {"ltu", "le", 1, 1, 0},
      {"leu", "lt", 1, 1, 0},  {"gtu", "le", 0, 1, 0},  {"geu", "lt", 0, 1, 0},
      {"num", "num", 0, 0, 0}, {"nan", "num", 0, 1, 0}, {NULL},
};

static const struct comparison *find_comparison(const char *name, bool is_float) {
  const struct comparison *c = is_float ? float_comparisons : integer_comparisons;
  while (c->name && strcmp(c->name, name) != 0) c++;
  return c->name ? c : NULL;
}

static bool is_float_type(enum ptx_type type) {
  return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_BF16;
}

static bool comparison_key(const struct comparison *c, enum ptx_type type, char *key, size_t size) {
  static const char *const suffixes[PTX_TYPES] = {
      [PTX_B16] = "u16",  [PTX_B32] = "u32", [PTX_B64] = "u64", [PTX_U16] = "u16",
      [PTX_U32] = "u32",  [PTX_U64] = "u64", [PTX_S16] = "s16", [PTX_S32] = "s32",
      [PTX_S64] = "s64",  [PTX_F32] = "f32", [PTX_F64] = "f64", [PTX_F16] = "f16",
      [PTX_BF16] = "bf16"};
  const char *suffix = suffixes[type];
  if (!suffix) return false;
  if (is_float_type(type))
    snprintf(key, size, "setp_%s_%s", c->base, suffix);
  else if (strcmp(c->base, "eq") == 0)
    snprintf(key, size, "setp_eq_%s", suffix + 1);
  else
    snprintf(key, size, "setp_%s_%c%s", c->base, c->unsigned_type ? 'u' : suffix[0], suffix + 1);
  return true;
}

static void add_predicate_op(struct draft *draft, op_function *run, int line, vreg d, vreg a,
                             vreg b, uint8_t negated) {
  struct draft_op *op = draft_add_lanewise(draft, run, line, d, 'p');
  op->reg[1] = a, op->reg[2] = b;
  op->used = b == NO_VREG ? 2 : 3;
  op->in_place = true;
  op->op.negated = negated;
  op->op.counted = false;
}

/* The comparison's row in the tables: "setp_lt_f32", or "set_lt_f16x2". */
static const struct op_info *comparison_row(const struct draft *draft, const struct comparison *c,
                                            enum ptx_type type) {
  char key[32];
  if (!c) return NULL;
  if (type == PTX_F16X2 || type == PTX_BF16X2)
    snprintf(key, sizeof key, "set_%s_%s", c->base, ptx_type_names[type]);
  else if (!comparison_key(c, type, key, sizeof key))
    return NULL;
  return decode_row(draft, key);
}

/* p: the result, a predicate or a word. */
static void add_comparison(struct draft *draft, const struct op_info *row,
                           const struct comparison *c, int line, vreg p, vreg a, vreg b) {
  struct draft_op *d = draft_add_row(draft, row, line);
  d->reg[0] = p;
  d->reg[1] = c->swap ? b : a;
  d->reg[2] = c->swap ? a : b;
  d->op.negated = c->negate ? 1 << 0 : 0;
}

/* Writes p and q, which come from temporary ones: either may also be a source, or the guard, which
 * is written last. */
static void move_pair(struct draft *draft, const struct ptx_instruction *in, const vreg to[2],
                      const vreg from[2]) {
  int first = in->guard == to[0];
  add_predicate_op(draft, cold_predicate_mov, in->line, to[first], from[first], NO_VREG, 0);
  add_predicate_op(draft, cold_predicate_mov, in->line, to[!first], from[!first], NO_VREG, 0);
}

/* setp.cmp.f16x2 p|q, a, b: p of the lower halves, q of the upper ones. */
static bool decode_setp_halves(struct draft *draft, const struct ptx_instruction *in,
                               enum ptx_type type) {
  const struct comparison *c = find_comparison(in->parts[1], true);
  const struct op_info *row = comparison_row(draft, c, type == PTX_F16X2 ? PTX_F16 : PTX_BF16);
  if (!row || in->part_count != 3 || in->operand_count != 3 || in->operands[0].kind != PTX_PAIR)
    return false;
  vreg to[2], both[2], from[2];
  for (int k = 0; k < 2; k++) {
    to[k] = decode_destination(draft, in, &in->operands[0].elements[k], 'p');
    from[k] = decode_source(draft, in, &in->operands[1 + k], 'w');
  }
  for (int k = 0; k < 2; k++) {
    both[k] = draft_temporary(draft, 'p');
    add_comparison(draft, row, c, in->line, both[k], from[0], from[1]);
    for (int i = 0; k == 0 && i < 2; i++) {
      vreg upper = draft_temporary(draft, 'w');
      struct draft_op *d = draft_add_helper(draft, "shr_u32", in->line, upper);
      d->reg[1] = from[i];
      d->reg[2] = draft_constant(draft, 16, 'w');
      from[i] = upper;
    }
  }
  move_pair(draft, in, to, both);
  return true;
}

static op_function *combination_of(const char *name) {
  static op_function *const combinations[] = {cold_predicate_and, cold_predicate_or,
                                              cold_predicate_xor};
  int combination = decode_word("and or xor", name);
  return combination < 0 ? NULL : combinations[combination];
}

static vreg comparand(struct draft *draft, const struct ptx_instruction *in, int operand,
                      const struct op_info *row, bool flushes) {
  if (flushes) return decode_flushed_source(draft, in, &in->operands[operand]);
  return decode_source(draft, in, &in->operands[operand], row->types[1]);
}

/* setp.cmp[.bool][.ftz].type p[|q], a, b[, c]: the comparison, then its combination with c, then
 * the opposite for q. */
static bool decode_setp(struct draft *draft, const struct ptx_instruction *in) {
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  if (type == PTX_F16X2 || type == PTX_BF16X2) return decode_setp_halves(draft, in, type);
  const struct comparison *c =
      find_comparison(in->part_count > 2 ? in->parts[1] : "", is_float_type(type));
  const struct op_info *info = comparison_row(draft, c, type);
  bool flushes = decode_has(in, "ftz") && type == PTX_F32;
  bool combine = in->part_count - flushes == 4;
  op_function *combine_op = combine ? combination_of(in->parts[2]) : NULL;
  if (!info || in->operand_count < 3 || (combine && (!combine_op || in->operand_count < 4)))
    return false;
  const struct ptx_operand *to = &in->operands[0];
  bool pair = to->kind == PTX_PAIR;
  vreg p = decode_destination(draft, in, pair ? &to->elements[0] : to, 'p');
  vreg a = comparand(draft, in, 1, info, flushes), b = comparand(draft, in, 2, info, flushes);
  vreg result = combine || pair ? draft_temporary(draft, 'p') : p;
  add_comparison(draft, info, c, in->line, result, a, b);
  if (!combine && !pair) return true;
  vreg other = combine ? decode_source(draft, in, &in->operands[3], 'p') : NO_VREG;
  uint8_t negated = combine && in->operands[3].negated ? 1 << 2 : 0;
  if (!pair) {
    add_predicate_op(draft, combine_op, in->line, p, result, other, negated);
    return true;
  }
  vreg q = decode_destination(draft, in, &to->elements[1], 'p');
  vreg both[2] = {draft_temporary(draft, 'p'), draft_temporary(draft, 'p')};
  for (int k = 0; k < 2; k++) {
    if (combine)
      add_predicate_op(draft, combine_op, in->line, both[k], result, other,
                       k ? negated | 1u << 1 : negated);
    else
      add_predicate_op(draft, k ? cold_predicate_not : cold_predicate_mov, in->line, both[k],
                       result, NO_VREG, 0);
  }
  move_pair(draft, in, (vreg[2]){p, q}, both);
  return true;
}

/* What set gives where the comparison holds: all ones, or 1 in the format of the result. */
static bool set_value(enum ptx_type type, uint32_t *value) {
  static const uint32_t values[PTX_TYPES] = {
      [PTX_U32] = 0xffffffff, [PTX_S32] = 0xffffffff,   [PTX_U16] = 0xffff,
      [PTX_S16] = 0xffff,     [PTX_F32] = 0x3f800000,   [PTX_F16] = 0x3c00,
      [PTX_BF16] = 0x3f80,    [PTX_F16X2] = 0x3c003c00, [PTX_BF16X2] = 0x3f803f80};
  *value = values[type];
  return *value != 0;
}

/* set.cmp[.bool][.ftz].type.type d, a, b[, c] */
static bool decode_set(struct draft *draft, const struct ptx_instruction *in) {
  bool flushes = decode_has(in, "ftz") && strcmp(in->parts[in->part_count - 1], "f32") == 0;
  int part_count = in->part_count - flushes;
  if (part_count < 4 || part_count > 5) return false;
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]),
                result = ptx_type_from(in->parts[in->part_count - 2]);
  bool halves = type == PTX_F16X2 || type == PTX_BF16X2, combine = part_count == 5;
  const struct comparison *c = find_comparison(in->parts[1], halves || is_float_type(type));
  const struct op_info *row = comparison_row(draft, c, type);
  op_function *combine_op = combine ? combination_of(in->parts[2]) : NULL;
  uint32_t value;
  if (!row || in->operand_count != 3 + combine || !set_value(result, &value) ||
      (combine && (halves || !combine_op)))
    return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w'),
       a = comparand(draft, in, 1, row, flushes), b = comparand(draft, in, 2, row, flushes);
  if (halves) { /* ones where it holds, then those that the result has of them */
    vreg held = draft_temporary(draft, 'w');
    add_comparison(draft, row, c, in->line, held, a, b);
    struct draft_op *d = draft_add_helper(draft, "xor_32", in->line, held);
    d->reg[1] = held;
    d->reg[2] = draft_constant(draft, c->negate ? 0xffffffff : 0, 'w');
    d = draft_add_helper(draft, "and_32", in->line, to);
    d->reg[1] = held;
    d->reg[2] = draft_constant(draft, value, 'w');
    return true;
  }
  vreg p = draft_temporary(draft, 'p');
  add_comparison(draft, row, c, in->line, p, a, b);
  if (combine)
    add_predicate_op(draft, combine_op, in->line, p, p,
                     decode_source(draft, in, &in->operands[3], 'p'),
                     in->operands[3].negated ? 1 << 2 : 0);
  struct draft_op *d = draft_add_row(draft, decode_row(draft, "selp.b32"), in->line);
  d->reg[0] = to;
  d->reg[1] = draft_constant(draft, value, 'w');
  d->reg[2] = draft_constant(draft, 0, 'w');
  d->reg[3] = p;
  d->op.counted = false;
  return true;
}

/* testp.kind.type p, a */
static bool decode_testp(struct draft *draft, const struct ptx_instruction *in) {
  char key[32];
  if (in->part_count != 3 || in->operand_count != 2) return false;
  snprintf(key, sizeof key, "setp_testp_%.12s_%.4s", in->parts[1], in->parts[2]);
  const struct op_info *row = decode_row(draft, key);
  if (!row) return false;
  vreg p = decode_destination(draft, in, &in->operands[0], 'p'),
       a = decode_source(draft, in, &in->operands[1], row->types[1]);
  struct draft_op *d = draft_add_row(draft, row, in->line);
  d->reg[0] = p;
  d->reg[1] = d->reg[2] = a;
  return true;
}

bool decode_compare(struct draft *draft, const struct ptx_instruction *in) {
  if (decode_is(in, "testp")) return decode_testp(draft, in);
  if (decode_is(in, "setp")) return decode_setp(draft, in);
  return decode_is(in, "set") && decode_set(draft, in);
}
