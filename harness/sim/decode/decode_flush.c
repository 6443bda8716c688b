/* decode_flush.c: .ftz of single precision, as nvcc -use_fast_math and -ftz=true write it: the same
 * instruction without it, between operations that make zeros of denormal operands and results.
 *
 * An H100 flushes a result that is below 2^-126 when rounded to 24 bits, whatever its exponent:
 * 2^-126 (1 - 2^-24) becomes 0, 2^-126 (1 - 2^-25) does not. So products and quotients are computed
 * twice, the second time 2^64 times as large: that one is rounded to 24 bits. */
#include <float.h>
#include <string.h>

#include "harness/sim/decode/draft.h"

static const char flush_key[] = "cvt.ftz.f32.f32"; /* its row makes a zero of a denormal number */

/* Was the register flushed before, in this block? */
static bool is_flushed(const struct draft *draft, vreg r) {
  enum { MAX_STEPS = 256 };
  int first = draft->blocks[draft->block_count - 1].first;
  for (int i = draft->op_count - 1, left = MAX_STEPS; i >= first && left > 0; i--, left--) {
    const struct draft_op *d = &draft->ops[i];
    if (draft_defines(d, r))
      return d->op.kind == OP_ROW && !d->op.guarded &&
             (d->op.row == decode_row(draft, flush_key) ||
              d->op.row == decode_row(draft, "flush_tiny"));
  }
  return false;
}

static void add_flush(struct draft *draft, int line, vreg to, vreg from) {
  struct draft_op *d = draft_add_row(draft, decode_row(draft, flush_key), line);
  d->reg[0] = to;
  d->reg[1] = from;
  d->op.counted = false;
}

vreg decode_flushed_source(struct draft *draft, const struct ptx_instruction *in,
                           const struct ptx_operand *operand) {
  vreg from = decode_source(draft, in, operand, 'w');
  if (is_register(from) && is_flushed(draft, from)) return from;
  vreg to = draft_temporary(draft, 'w');
  add_flush(draft, in->line, to, from);
  return to;
}

/* For the same result times 2^64: the power of two by which operands are multiplied, and which
 * (bits of their numbers). 0: rounding cannot hide that a result is denormal; sums of so small
 * numbers are exact. Where an operand overflows, the result is large, or zero. */
static int scaled_operands(const struct ptx_instruction *in, int *exponent) {
  *exponent = 64;
  if (decode_has(in, "approx") || decode_has(in, "full")) return 0;
  switch (decode_word("mul div fma mad rcp cvt", in->parts[0])) {
    case 0:
    case 1:
      return 1 << 1;
    case 2:
    case 3:
      return 1 << 1 | 1 << 3;
    case 4:
      *exponent = -64;
      return 1 << 1;
    case 5:
      return decode_has(in, "f64") ? 1 << 1 : 0;
    default:
      return 0;
  }
}

static vreg add_scaled(struct draft *draft, int line, vreg from, char width, int exponent) {
  bool single = width == 'w';
  struct draft_op *d =
      draft_add_row(draft, decode_row(draft, single ? "mul.rn.f32" : "mul.rn.f64"), line);
  d->reg[0] = draft_temporary(draft, width);
  d->reg[1] = from;
  d->reg[2] = draft_constant(draft,
                             single ? (uint64_t)(exponent + FLT_MAX_EXP - 1) << (FLT_MANT_DIG - 1)
                                    : (uint64_t)(exponent + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1),
                             width);
  d->op.counted = false;
  d->op.flops = 0;
  return d->reg[0];
}

/* The opcode's row without .ftz, and without another part; NULL: there is none. */
static const struct op_info *plain_row(const struct draft *draft, const struct ptx_instruction *in,
                                       const char *without) {
  char key[64];
  size_t length = 0;
  if (decode_word("add sub mul fma mad div rcp sqrt min max abs neg cvt", in->parts[0]) < 0)
    return NULL;
  for (int i = 0; i < in->part_count; i++) {
    size_t part = strlen(in->parts[i]);
    if (strcmp(in->parts[i], "ftz") == 0 || strcmp(in->parts[i], without) == 0) continue;
    if (length + part + 2 > sizeof key) return NULL;
    memcpy(key + length, in->parts[i], part);
    key[length + part] = '.';
    length += part + 1;
  }
  key[length - 1] = 0;
  return decode_row(draft, key);
}

bool decode_flushed(struct draft *draft, const struct ptx_instruction *in) {
  if (in->part_count < 3 || !decode_has(in, "ftz")) return false;
  bool from_single = strcmp(in->parts[in->part_count - 1], "f32") == 0,
       to_single =
           decode_is(in, "cvt") ? strcmp(in->parts[in->part_count - 2], "f32") == 0 : from_single;
  const struct op_info *row = from_single || to_single ? plain_row(draft, in, "") : NULL;
  int used = row ? (int)strnlen(row->types, sizeof row->types) : 0;
  if (!row || in->operand_count != used) return false;
  vreg regs[sizeof row->types], to = decode_destination(draft, in, &in->operands[0], row->types[0]);
  for (int k = 1; k < used; k++)
    regs[k] = from_single ? decode_flushed_source(draft, in, &in->operands[k])
                          : decode_source(draft, in, &in->operands[k], row->types[k]);
  regs[0] = to_single ? draft_temporary(draft, 'w') : to;
  struct draft_op *d = draft_add_row(draft, row, in->line);
  memcpy(d->reg, regs, sizeof regs[0] * (size_t)used);
  if (!to_single) return true;
  int exponent, scaled = scaled_operands(in, &exponent);
  if (!scaled) {
    add_flush(draft, in->line, to, regs[0]);
    return true;
  }
  vreg result = regs[0];
  regs[0] = draft_temporary(draft, 'w');
  for (int k = 1; k < used; k++)
    if (scaled >> k & 1)
      regs[k] = add_scaled(draft, in->line, regs[k], from_single ? 'w' : 'd', exponent);
  d = draft_add_row(draft, plain_row(draft, in, "sat"), in->line);
  memcpy(d->reg, regs, sizeof regs[0] * (size_t)used);
  d->op.counted = false;
  d->op.flops = 0;
  d = draft_add_row(draft, decode_row(draft, "flush_tiny"), in->line);
  d->reg[0] = to, d->reg[1] = result, d->reg[2] = regs[0];
  d->op.counted = false;
  return true;
}
