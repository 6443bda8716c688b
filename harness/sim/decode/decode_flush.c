/* decode_flush.c: .ftz of single precision, as nvcc -use_fast_math and -ftz=true write it: the same
 * instruction without it, between operations that make zeros of denormal operands and results.
 *
 * An H100 flushes what is below the smallest normal number before it is rounded: 2^-126 (1 - 2^-24)
 * becomes 0. So products and quotients are computed twice: rounded to zero, to see that. */
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

/* The row for the same operation, rounded to zero, if rounding may hide that a result is denormal
 * (sums of so small numbers are exact); NULL: it may not. */
static const struct op_info *cut_row(const struct draft *draft, const struct ptx_instruction *in) {
  if (decode_has(in, "approx") || decode_has(in, "full")) return NULL;
  switch (decode_word("mul fma mad div rcp cvt", in->parts[0])) {
    case 0:
      return decode_row(draft, "mul.rz.f32");
    case 1:
    case 2:
      return decode_row(draft, "fma.rz.f32");
    case 3:
      return decode_row(draft, "div.rz.f32");
    case 4:
      return decode_row(draft, "rcp.rz.f32");
    case 5:
      return decode_has(in, "f64") ? decode_row(draft, "cvt.rz.f32.f64") : NULL;
    default:
      return NULL;
  }
}

/* The opcode's row without .ftz; NULL: there is none, or it is none of single precision. */
static const struct op_info *plain_row(const struct draft *draft,
                                       const struct ptx_instruction *in) {
  char key[64];
  size_t length = 0;
  if (decode_word("add sub mul fma mad div rcp sqrt min max abs neg cvt", in->parts[0]) < 0)
    return NULL;
  for (int i = 0; i < in->part_count; i++) {
    size_t part = strlen(in->parts[i]);
    if (strcmp(in->parts[i], "ftz") == 0) continue;
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
  const struct op_info *row = from_single || to_single ? plain_row(draft, in) : NULL;
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
  const struct op_info *cut = cut_row(draft, in);
  if (cut) {
    vreg result = regs[0];
    regs[0] = draft_temporary(draft, 'w');
    d = draft_add_row(draft, cut, in->line);
    memcpy(d->reg, regs, sizeof regs[0] * (size_t)used);
    d->op.counted = false;
    d->op.flops = 0;
    d = draft_add_row(draft, decode_row(draft, "flush_tiny"), in->line);
    d->reg[0] = to, d->reg[1] = result, d->reg[2] = regs[0];
    d->op.counted = false;
  } else {
    add_flush(draft, in->line, to, regs[0]);
  }
  return true;
}
