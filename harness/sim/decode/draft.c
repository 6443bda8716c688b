/* draft.c: builds a function's draft during decoding: operations, blocks, constants, operands. */
#include "harness/sim/decode/draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"

void draft_fail(struct draft *draft, int line, const char *format, ...) {
  if (draft->failed) return;
  draft->failed = true;
  draft->kernel->error_line = line;
  va_list args;
  va_start(args, format);
  vsnprintf(draft->kernel->error, sizeof draft->kernel->error, format, args);
  va_end(args);
}

/* Makes room for one more element. False, and the draft fails, if memory runs out. */
#define RESERVE(draft, items, room, count) \
  (ARRAY_RESERVE((draft)->items, (draft)->room, (draft)->count + 1) || out_of_memory(draft))
static bool out_of_memory(struct draft *draft) {
  draft_fail(draft, 0, "out of memory");
  return false;
}

vreg draft_temporary(struct draft *draft, char width) {
  if (!RESERVE(draft, widths, vreg_room, vreg_count)) return 0;
  draft->widths[draft->vreg_count] = width;
  return draft->vreg_count++;
}

enum { MAX_CONSTANTS = 8192 };

vreg draft_constant(struct draft *draft, uint64_t value, char width) {
  if (width == 'w') value &= 0xffffffffu;
  for (int i = 0; i < draft->constant_count; i++)
    if (draft->constants[i].value == value && draft->constants[i].width == width) return ~i;
  if (draft->constant_count == MAX_CONSTANTS) {
    draft_fail(draft, 0, "a function with over %d different constants is not supported",
               MAX_CONSTANTS);
    return ~0;
  }
  if (!RESERVE(draft, constants, constant_room, constant_count)) return ~0;
  draft->constants[draft->constant_count] = (struct constant){value, width};
  return ~draft->constant_count++;
}

struct draft_op draft_blank(op_function *run, int line) {
  struct draft_op d = {.op = {.run = {run, run}, .body = run, .line = line, .counted = true},
                       .guard = NO_VREG};
  for (int i = 0; i < OP_SLOTS; i++) d.reg[i] = NO_VREG;
  return d;
}

struct draft_op *draft_push(struct draft *draft, const struct draft_op *op) {
  static struct draft_op spare; /* where writes go once memory has run out */
  if (!RESERVE(draft, ops, op_room, op_count)) return &spare;
  draft->ops[draft->op_count] = *op;
  return &draft->ops[draft->op_count++];
}

struct draft_op *draft_add(struct draft *draft, op_function *run, int line) {
  struct draft_op d = draft_blank(run, line);
  return draft_push(draft, &d);
}

struct draft_op *draft_add_to(struct draft *draft, op_function *run, int line, vreg to,
                              char width) {
  struct draft_op *d = draft_add(draft, run, line);
  d->reg[0] = to;
  d->used = 1;
  d->writes = 1;
  d->op.wide = width == 'd';
  d->op.predicate = width == 'p';
  return d;
}

struct draft_op *draft_add_lanewise(struct draft *draft, op_function *run, int line, vreg to,
                                    char width) {
  struct draft_op *d = draft_add_to(draft, run, line, to, width);
  d->op.run[1] = draft->isa->masked;
  return d;
}

struct draft_op *draft_add_row(struct draft *draft, const struct op_info *row, int line) {
  struct draft_op *d = draft_add_lanewise(draft, row->run, line, NO_VREG, row->types[0]);
  d->used = (uint8_t)strnlen(row->types, sizeof row->types);
  d->in_place = true;
  d->op.kind = OP_ROW;
  d->op.row = row;
  d->op.flops = row->flops;
  return d;
}

struct draft_op *draft_add_helper(struct draft *draft, const char *name, int line, vreg to) {
  const struct op_info *row = draft->isa->hot;
  while (strcmp(row->name, name) != 0) row++;
  struct draft_op *d = draft_add_row(draft, row, line);
  d->reg[0] = to;
  d->op.counted = false;
  return d;
}

bool draft_defines(const struct draft_op *d, vreg r) {
  for (int k = 0; k < d->used; k++)
    if (is_destination(d, k) && d->reg[k] == r) return true;
  return false;
}

vreg draft_resize(struct draft *draft, vreg from, char width, int line) {
  vreg to = draft_temporary(draft, width);
  draft_add_helper(draft, width == 'd' ? "cvt_u64_u32" : "cvt_u32_u64", line, to)->reg[1] = from;
  return to;
}

struct draft_block *draft_add_block(struct draft *draft) {
  static struct draft_block spare;
  if (!RESERVE(draft, blocks, block_room, block_count)) return &spare;
  struct draft_block *b = &draft->blocks[draft->block_count++];
  memset(b, 0, sizeof *b);
  b->first = draft->op_count;
  b->predicate = b->reduce_from = b->reduce_to = NO_VREG;
  b->barrier_number = b->barrier_threads = b->call_pointer = NO_VREG;
  return b;
}

/* ---- operands ---- */

/* The bits of a double as those of the float that is nearest: constants of f32 instructions. */
static uint32_t rounded_to_float(uint64_t bits) {
  double exact;
  memcpy(&exact, &bits, sizeof exact);
  float rounded = (float)exact;
  uint32_t result;
  memcpy(&result, &rounded, sizeof result);
  return result;
}

vreg decode_source(struct draft *draft, const struct ptx_instruction *in,
                   const struct ptx_operand *operand, char width) {
  switch (operand->kind) {
    case PTX_REG:
      if (draft->widths[operand->reg] == width) return operand->reg;
      /* cvt.s64.s32 %rd1, %rd2: a conversion takes the low bits of a wider register */
      if (width == 'w' && draft->widths[operand->reg] == 'd' && decode_is(in, "cvt"))
        return draft_resize(draft, operand->reg, 'w', in->line);
      break;
    case PTX_INT:
    case PTX_FLOAT32:
    case PTX_FLOAT64:
      if (width == 'p') { /* a constant predicate: compared with itself */
        vreg p = draft_temporary(draft, 'p');
        struct draft_op *d = draft_add_lanewise(draft, cold_predicate_xor, in->line, p, 'p');
        d->reg[1] = d->reg[2] = p, d->used = 3;
        d->op.counted = false;
        d->op.negated = operand->value ? 1 << 1 : 0;
        d->in_place = true;
        return p;
      }
      if (operand->kind == PTX_FLOAT32 && width == 'd') break;
      if (operand->kind == PTX_FLOAT64 && width == 'w')
        return draft_constant(draft, rounded_to_float(operand->value), width);
      return draft_constant(draft, operand->value, width);
    default:
      break;
  }
  draft_fail(draft, in->line, "%s: an operand of this kind is not supported", in->opcode);
  return ~0;
}

vreg decode_destination(struct draft *draft, const struct ptx_instruction *in,
                        const struct ptx_operand *operand, char width) {
  if (operand->kind == PTX_SINK) return draft_temporary(draft, width);
  if (operand->kind == PTX_REG && draft->widths[operand->reg] == width) return operand->reg;
  draft_fail(draft, in->line, "%s: a destination of this kind is not supported", in->opcode);
  return 0;
}

char decode_width(enum ptx_type type) {
  return type == PTX_PRED ? 'p' : ptx_type_size(type) == 8 ? 'd' : 'w';
}

int decode_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (int i = 0; *words; i++, words += strspn(words, " ")) {
    size_t n = strcspn(words, " ");
    if (n == length && memcmp(words, word, n) == 0) return i;
    words += n;
  }
  return -1;
}

int decode_part(const struct ptx_instruction *in, const char *words) {
  int found = -1;
  for (int i = 1; i < in->part_count && found < 0; i++) found = decode_word(words, in->parts[i]);
  return found;
}

bool decode_is(const struct ptx_instruction *in, const char *name) {
  return strcmp(in->parts[0], name) == 0;
}

bool decode_has(const struct ptx_instruction *in, const char *part) {
  return decode_part(in, part) >= 0;
}

/* All share one area per lane, in order, each aligned to 16 bytes. */
int decode_param_offset(const struct ptx_function *f, const char *name, size_t *total) {
  size_t at = 0;
  int found = -1;
  const struct ptx_variable *lists[3] = {f->params, f->results, f->variables};
  int counts[3] = {f->entry ? 0 : f->param_count, f->result_count, f->variable_count};
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < counts[l]; i++) {
      const struct ptx_variable *v = &lists[l][i];
      if (v->space != PTX_PARAM) continue;
      if (name && strcmp(v->name, name) == 0) found = (int)at;
      at = round_up(at + v->size, 16);
    }
  if (total) *total = at;
  return found;
}
