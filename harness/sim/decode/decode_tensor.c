/* decode_tensor.c: products of matrices that a warp holds (mma), and moves of 8 x 8 matrices
 * between shared memory and its registers (ldmatrix, stmatrix, movmatrix); and rounding to tf32. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

const char tensor_type_names[] = "f16 bf16 tf32 f32 f64 s32 s8 u8 s4 u4"; /* enum tensor_type */
const int tensor_type_bits[] = {16, 16, 32, 32, 64, 32, 8, 8, 4, 4};

/* ---- mma ---- */

/* The operand's elements, or itself. */
static const struct ptx_operand *elements_of(const struct ptx_operand *operand, int *count) {
  bool vector = operand->kind == PTX_VECTOR;
  *count = vector ? operand->count : 1;
  return vector ? operand->elements : operand;
}

/* Does an H100 have a product of that shape and those types (PTX ISA, "mma")? */
bool tensor_has_product(const struct tensor_op *t) {
  static const struct {
    uint8_t type, m[3], k[3]; /* of A and B; of each shape */
  } shapes[] = {
      {TENSOR_F16, {16, 16}, {8, 16}},
      {TENSOR_BF16, {16, 16}, {8, 16}},
      {TENSOR_TF32, {16, 16}, {4, 8}},
      {TENSOR_S8, {8, 16, 16}, {16, 16, 32}},
      {TENSOR_S4, {8, 16, 16}, {32, 32, 64}},
      {TENSOR_F64, {8, 16, 16}, {4, 4, 8}},
      {TENSOR_F64, {16}, {16}},
  };
  bool is_integer = t->c == TENSOR_S32, same = t->a == t->b;
  uint8_t type = t->a == TENSOR_U8 ? TENSOR_S8 : t->a == TENSOR_U4 ? TENSOR_S4 : t->a;
  if (is_integer ? tensor_type_bits[t->a] != tensor_type_bits[t->b] : !same) return false;
  if (t->satfinite && !is_integer) return false;
  if (is_integer != (type == TENSOR_S8 || type == TENSOR_S4)) return false;
  if ((type == TENSOR_F64) != (t->c == TENSOR_F64)) return false;
  if (t->c == TENSOR_F16 ? type != TENSOR_F16
                         : t->c != TENSOR_F32 && !is_integer && t->c != TENSOR_F64)
    return false;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int s = 0; s < 3; s++)
      if (shapes[i].type == type && shapes[i].m[s] == t->m && shapes[i].k[s] == t->k) return true;
  return false;
}

/* mma.sync.aligned.m16n8k16.row.col{.satfinite}.f32.f16.f16.f32 */
static bool find_product(const struct ptx_instruction *in, struct tensor_op *t) {
  int m, n, k, end, first = in->part_count - 4, types[4];
  if (first < 6 || strcmp(in->parts[1], "sync") != 0 || strcmp(in->parts[2], "aligned") != 0 ||
      sscanf(in->parts[3], "m%dn%dk%d%n", &m, &n, &k, &end) != 3 || in->parts[3][end] || n != 8 ||
      m > 16 || k > 64 || m < 8 || k < 4 || strcmp(in->parts[4], "row") != 0 ||
      strcmp(in->parts[5], "col") != 0)
    return false;
  for (int i = 0; i < 4; i++)
    if ((types[i] = decode_word(tensor_type_names, in->parts[first + i])) < 0) return false;
  *t = (struct tensor_op){.m = (uint8_t)m,
                          .k = (uint8_t)k,
                          .a = (uint8_t)types[1],
                          .b = (uint8_t)types[2],
                          .c = (uint8_t)types[3],
                          .satfinite = first == 7 && strcmp(in->parts[6], "satfinite") == 0};
  return first == 6 + t->satfinite && types[0] == types[3] && tensor_has_product(t);
}

enum { MAX_SOURCES = 32 };

/* Adds operations that bring the sources along, but for the first `left`. */
static void add_operands(struct draft *draft, int line, struct tensor_op t, const vreg *sources,
                         int left, int count, bool wide) {
  for (int i = left; i < count; i += OP_SLOTS) {
    int some = count - i < OP_SLOTS ? count - i : OP_SLOTS;
    struct draft_op *d = draft_add(draft, cold_tensor_operands, line);
    t.first = (uint8_t)i;
    t.count = (uint8_t)some;
    d->op.kind = OP_TENSOR;
    d->op.tensor = t;
    d->op.wide = wide;
    d->op.counted = false;
    d->used = (uint8_t)some;
    memcpy(d->reg, sources + i, sizeof *sources * (size_t)some);
  }
}

void tensor_add_product(struct draft *draft, int line, struct tensor_op t, const vreg *to,
                        int count, const vreg *sources, int source_count) {
  bool wide = t.c == TENSOR_F64;
  int own = source_count < OP_SLOTS - count ? source_count : OP_SLOTS - count;
  add_operands(draft, line, t, sources, own, source_count, wide);
  struct draft_op *d = draft_add(draft, cold_tensor_product, line);
  t.count = (uint8_t)own;
  d->op.kind = OP_TENSOR;
  d->op.tensor = t;
  d->op.wide = wide;
  d->op.count = (uint8_t)count;
  memcpy(d->reg, to, sizeof *to * (size_t)count);
  memcpy(d->reg + count, sources, sizeof *sources * (size_t)own);
  d->used = (uint8_t)(count + own);
  d->writes = (uint16_t)((1u << count) - 1);
}

static bool decode_product(struct draft *draft, const struct ptx_instruction *in) {
  struct tensor_op t;
  if (!decode_is(in, "mma") || in->operand_count != 4 || !find_product(in, &t)) return false;
  bool wide = t.c == TENSOR_F64;
  char width = wide ? 'd' : 'w';
  int bits = wide ? 64 * 32 : 32 * 32;
  int needed[4] = {t.m * 8 * tensor_type_bits[t.c] / bits, t.m * t.k * tensor_type_bits[t.a] / bits,
                   t.k * 8 * tensor_type_bits[t.b] / bits, t.m * 8 * tensor_type_bits[t.c] / bits};
  vreg to[8], sources[MAX_SOURCES];
  int source_count = 0, count;
  for (int i = 0; i < 4; i++) {
    elements_of(&in->operands[i], &count);
    if (count != needed[i]) return false;
  }
  static const int order[] = {3, 1, 2}; /* C, A, B */
  for (int i = 0; i < 3; i++) {
    const struct ptx_operand *from = elements_of(&in->operands[order[i]], &count);
    for (int k = 0; k < count; k++)
      sources[source_count++] = decode_source(draft, in, &from[k], width);
  }
  const struct ptx_operand *results = elements_of(&in->operands[0], &count);
  for (int k = 0; k < count; k++) to[k] = decode_destination(draft, in, &results[k], width);
  tensor_add_product(draft, in->line, t, to, count, sources, source_count);
  return true;
}

/* ---- matrices of 8 x 8 elements of 16 bits ---- */

/* The number of matrices of .x1, .x2, .x4; 0: it is not such an instruction. */
static int matrix_count(const struct ptx_instruction *in) {
  static const int counts[] = {1, 2, 4};
  int which = decode_part(in, "x1 x2 x4");
  for (int i = 1; i < in->part_count; i++)
    if (decode_word("sync aligned m8n8 x1 x2 x4 trans shared shared::cta b16", in->parts[i]) < 0)
      return 0;
  return which >= 0 && decode_has(in, "m8n8") && decode_has(in, "aligned") && decode_has(in, "b16")
             ? counts[which]
             : 0;
}

/* Each of the first lanes has the address of a row, and so loads or stores 16 bytes. Its parts of
 * them are dealt out to the lanes, or collected from them. */
static bool decode_matrix_access(struct draft *draft, const struct ptx_instruction *in) {
  bool load = decode_is(in, "ldmatrix");
  if ((!load && !decode_is(in, "stmatrix")) || in->operand_count != 2) return false;
  const struct ptx_operand *address = &in->operands[load ? 1 : 0];
  int count, matrices = matrix_count(in);
  const struct ptx_operand *data = elements_of(&in->operands[load ? 0 : 1], &count);
  if (!matrices || count != matrices || address->kind != PTX_ADDRESS) return false;
  struct draft_op access = draft_blank(load ? draft->isa->load : draft->isa->store, in->line),
                  deal = draft_blank(load ? cold_matrix_deal : cold_matrix_collect, in->line);
  access.op.kind = load ? OP_LOAD : OP_STORE;
  access.op.space = decode_part(in, "shared shared::cta") < 0 ? PTX_GENERIC : PTX_SHARED;
  access.op.run[0] = access.op.run[1] = cold_matrix_rows;
  access.op.apart = true;
  access.op.size = 4;
  access.op.count = 4;
  access.reg[0] = decode_address_register(draft, in, address, &access.op.access.offset);
  int first = load ? matrices : 0; /* the parts' place in deal */
  for (int i = 0; i < 4; i++) access.reg[1 + i] = deal.reg[first + i] = draft_temporary(draft, 'w');
  for (int i = 0; i < matrices; i++)
    deal.reg[load ? i : 4 + i] = load ? decode_destination(draft, in, &data[i], 'w')
                                      : decode_source(draft, in, &data[i], 'w');
  access.used = 5;
  access.writes = load ? 15 << 1 : 0;
  deal.used = (uint8_t)(4 + matrices);
  deal.writes = load ? (uint16_t)((1u << matrices) - 1) : 15;
  deal.op.counted = false;
  deal.op.matrices.count = access.op.lanes = (uint8_t)matrices;
  deal.op.matrices.transposed = decode_has(in, "trans");
  if (!load) draft_push(draft, &deal);
  draft_push(draft, &access);
  if (load) draft_push(draft, &deal);
  return true;
}

static bool decode_matrix_move(struct draft *draft, const struct ptx_instruction *in) {
  if (strcmp(in->opcode, "movmatrix.sync.aligned.m8n8.trans.b16") != 0 || in->operand_count != 2)
    return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w'),
       from = decode_source(draft, in, &in->operands[1], 'w');
  struct draft_op *d = draft_add_to(draft, cold_matrix_move, in->line, to, 'w');
  d->reg[1] = from;
  d->used = 2;
  return true;
}

/* cvt.rna.tf32.f32 d, a */
static bool decode_rounding(struct draft *draft, const struct ptx_instruction *in) {
  if (strcmp(in->opcode, "cvt.rna.tf32.f32") != 0 || in->operand_count != 2) return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w'),
       from = decode_source(draft, in, &in->operands[1], 'w');
  struct draft_op *d = draft_add_lanewise(draft, cold_round_tf32, in->line, to, 'w');
  d->reg[1] = from;
  d->used = 2;
  d->in_place = true;
  return true;
}

bool decode_tensor(struct draft *draft, const struct ptx_instruction *in) {
  return decode_product(draft, in) || decode_matrix_access(draft, in) ||
         decode_matrix_move(draft, in) || decode_rounding(draft, in) || decode_wmma(draft, in);
}
