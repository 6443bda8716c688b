/* decode_wmma.c: wmma.load, .mma and .store as nvcc makes them for an H100: of tiles of mma.sync,
 * whose registers come one after the other (include/mma.h does the same for CUDA C++).
 *
 * The second operand of mma.sync has 8 columns: a product of 8 rows and 32 columns is made as the
 * transposed one. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

enum { MAX_REGISTERS = 8 };
enum operand { OPERAND_A, OPERAND_B, OPERAND_C };

struct shape {
  int m, n, k;
  bool flipped;
  uint8_t a, b, c, d; /* enum tensor_type */
  bool satfinite;
};

/* One operand: tiles of `tile` registers; those of A and B go `halves` times 8 rows (or columns)
 * on, before they go along k. */
struct tiles {
  enum operand which;
  int rows, columns; /* of a tile: across, along */
  int across, halves, per, tile, count, used, registers;
  bool wide;
};

static struct tiles tiles_of(const struct shape *s, enum operand which, uint8_t type) {
  int bits = tensor_type_bits[type], m = s->m == 8 && s->n == 8 ? 8 : 16;
  struct tiles t = {.which = which, .wide = type == TENSOR_F64};
  t.per = bits < 32 ? 32 / bits : 1;
  if (which == OPERAND_C) {
    t.across = s->flipped ? s->n : s->m;
    t.columns = s->flipped ? s->m : s->n; /* of all tiles */
    t.rows = m;
    t.halves = m / 8;
    t.tile = m * 8 / 32 / t.per;
    t.count = t.across / m * (t.columns / 8);
  } else {
    bool first = (which == OPERAND_A) != s->flipped;
    t.across = which == OPERAND_A ? s->m : s->n;
    t.columns = s->k;
    t.rows = first ? m : 8;
    t.halves = t.rows / 8;
    t.tile = t.rows * s->k / 32 / t.per;
    t.count = t.across / t.rows;
  }
  t.used = t.tile * t.count;
  t.registers = type == TENSOR_F16 && which != OPERAND_C ? MAX_REGISTERS : t.used;
  return t;
}

/* "m16n16k16" and the types of an operand. */
static bool find_shape(const struct ptx_instruction *in, int part, struct shape *s) {
  int end;
  if (part >= in->part_count ||
      sscanf(in->parts[part], "m%dn%dk%d%n", &s->m, &s->n, &s->k, &end) != 3 ||
      in->parts[part][end])
    return false;
  s->flipped = s->m == 8 && s->n == 32;
  return true;
}
static bool has_type(const struct shape *s, uint8_t type) {
  bool square = s->m == 16 && s->n == 16,
       wide = square || (s->m == 32 && s->n == 8) || (s->m == 8 && s->n == 32);
  switch (type) {
    case TENSOR_F16:
    case TENSOR_BF16:
    case TENSOR_S8:
    case TENSOR_U8:
      return wide && s->k == 16;
    case TENSOR_TF32:
      return square && s->k == 8;
    case TENSOR_F64:
      return s->m == 8 && s->n == 8 && s->k == 4;
    default:
      return false;
  }
}

/* ---- loads and stores ---- */

struct access {
  struct draft *draft;
  const struct ptx_instruction *in;
  bool load;
  uint8_t space, bytes; /* of an element */
  vreg base, stride;    /* stride: elements from a row, or a column, to the next */
  int64_t offset;
};

/* Accesses `words` times `size` bytes at, for lane 4g + i, row first_row + g and column
 * first_column + i * step; by_row: rows are stride elements apart, else columns. */
static void add_access(const struct access *a, int first_row, int first_column, int step,
                       bool by_row, int size, int words, const vreg *data) {
  vreg at = draft_temporary(a->draft, 'd');
  struct draft_op *place = draft_add_lanewise(a->draft, cold_wmma_address, a->in->line, at, 'd');
  place->reg[1] = a->base;
  place->reg[2] = a->stride;
  place->used = 3;
  place->op.counted = false;
  place->op.place.row = (uint8_t)first_row;
  place->op.place.column = (uint8_t)first_column;
  place->op.place.step = (uint8_t)step;
  place->op.place.bytes = a->bytes;
  place->op.place.by_row = by_row;
  struct draft_op d =
      draft_blank(a->load ? a->draft->isa->load : a->draft->isa->store, a->in->line);
  d.op.kind = a->load ? OP_LOAD : OP_STORE;
  d.op.space = a->space;
  d.op.size = (uint8_t)size;
  d.op.count = (uint8_t)words;
  d.op.wide = size == 8;
  d.op.access.offset = a->offset;
  d.reg[0] = at;
  memcpy(&d.reg[1], data, sizeof *data * (size_t)words);
  d.used = (uint8_t)(1 + words);
  d.writes = a->load ? (uint16_t)(((1u << words) - 1) << 1) : 0;
  draft_push(a->draft, &d);
  if (size < a->draft->program->shared_granule) a->draft->program->shared_granule = size;
  if (size < a->draft->program->global_granule) a->draft->program->global_granule = size;
}

static void add_turn(const struct access *a, vreg to, vreg from) {
  struct draft_op *d = draft_add_to(a->draft, cold_matrix_move, a->in->line, to, 'w');
  d->reg[1] = from;
  d->used = 2;
}

/* Register r of A or B. */
static void load_operand(const struct access *a, const struct tiles *t, int r, bool neighbours,
                         vreg to) {
  int in_tile = r % t->tile, across = r / t->tile * t->rows + 8 * (in_tile % t->halves),
      along = in_tile / t->halves * 4 * t->per;
  if (neighbours || t->per == 1) {
    add_access(a, across, along, t->per, neighbours, t->wide ? 8 : 4, 1, &to);
  } else if (t->per == 2) { /* halves: the transposed tile, then turned */
    vreg turned = draft_temporary(a->draft, 'w');
    add_access(a, along, across, 2, true, 4, 1, &turned);
    add_turn(a, to, turned);
  } else {
    vreg bytes[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = draft_temporary(a->draft, 'w');
      add_access(a, across, along + i, 4, false, 1, 1, &bytes[i]);
    }
    struct draft_op d = draft_blank(cold_pack, a->in->line);
    d.op.size = 1;
    d.op.count = 4;
    d.reg[0] = to;
    memcpy(&d.reg[1], bytes, sizeof bytes);
    d.used = 5;
    d.writes = 1;
    draft_push(a->draft, &d);
  }
}

/* Tile i of C or D. */
static void move_tile(const struct access *a, const struct tiles *t, int i, bool by_row,
                      const vreg *data) {
  int wide = t->columns / 8, across = i / wide * t->rows, along = i % wide * 8;
  for (int half = 0; half < t->halves; half++) {
    int row = across + 8 * half;
    if (t->per == 2 && by_row) {
      add_access(a, row, along, 2, true, 4, 1, &data[half]);
    } else if (t->per == 2) {
      vreg turned = draft_temporary(a->draft, 'w');
      if (!a->load) add_turn(a, turned, data[half]);
      add_access(a, along, row, 2, true, 4, 1, &turned);
      if (a->load) add_turn(a, data[half], turned);
    } else if (by_row) {
      add_access(a, row, along, 2, true, t->wide ? 8 : 4, 2, &data[2 * half]);
    } else {
      for (int e = 0; e < 2; e++)
        add_access(a, row, along + e, 2, false, t->wide ? 8 : 4, 1, &data[2 * half + e]);
    }
  }
}

/* wmma.load.a.sync.aligned.row.m16n16k16{.shared}.f16 {...}, [p]{, stride} */
static bool decode_move(struct draft *draft, const struct ptx_instruction *in) {
  struct shape s;
  struct access a = {.draft = draft, .in = in, .load = strcmp(in->parts[1], "load") == 0};
  int last = in->part_count - 1,
      which = in->part_count > 7 ? decode_word("a b c d", in->parts[2]) : -1;
  if (which < 0 || (which == 3) == a.load || !find_shape(in, 6, &s) || in->operand_count < 2 ||
      in->operand_count > 3)
    return false;
  int type = decode_word(tensor_type_names, in->parts[last]);
  enum operand operand = which < 2 ? (enum operand)which : OPERAND_C;
  bool row = strcmp(in->parts[5], "row") == 0;
  if (type < 0) return false;
  if (operand != OPERAND_C
          ? !has_type(&s, (uint8_t)type)
          : type != TENSOR_F16 && type != TENSOR_F32 && type != TENSOR_S32 && type != TENSOR_F64)
    return false;
  struct tiles t = tiles_of(&s, operand, (uint8_t)type);
  const struct ptx_operand *address = &in->operands[a.load ? 1 : 0],
                           *data = &in->operands[a.load ? 0 : 1];
  int count = data->kind == PTX_VECTOR ? data->count : 1;
  const struct ptx_operand *elements = data->kind == PTX_VECTOR ? data->elements : data;
  if (address->kind != PTX_ADDRESS || count != t.registers || count > MAX_REGISTERS) return false;
  int space = decode_part(in, "global shared shared::cta");
  a.space = (uint8_t)(space < 0 ? PTX_GENERIC : space == 0 ? PTX_GLOBAL : PTX_SHARED);
  a.bytes = (uint8_t)(tensor_type_bits[type] / 8);
  a.base = decode_address_register(draft, in, address, &a.offset);
  int natural = operand == OPERAND_A   ? (row ? s.k : s.m)
                : operand == OPERAND_B ? (row ? s.n : s.k)
                                       : (row ? s.n : s.m);
  a.stride = in->operand_count == 3 ? decode_source(draft, in, &in->operands[2], 'w')
                                    : draft_constant(draft, (uint64_t)natural, 'w');
  char width = t.wide ? 'd' : 'w';
  vreg regs[MAX_REGISTERS];
  for (int i = 0; i < count; i++)
    regs[i] = a.load ? decode_destination(draft, in, &elements[i], width)
                     : decode_source(draft, in, &elements[i], width);
  if (operand == OPERAND_C) {
    for (int i = 0; i < t.count; i++) move_tile(&a, &t, i, row != s.flipped, regs + i * t.tile);
    return true;
  }
  for (int r = 0; r < t.used; r++) load_operand(&a, &t, r, row == (operand == OPERAND_A), regs[r]);
  for (int r = t.used; r < count; r++)
    draft_add_helper(draft, "mov_32", in->line, regs[r])->reg[1] = regs[r % t.used];
  return true;
}

/* ---- products ---- */

/* wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32; others: .d.a.b.c{.satfinite}{.rn} */
static bool find_types(const struct ptx_instruction *in, struct shape *s) {
  int types[4], count = 0, i = 7;
  if (in->part_count < 9 || !find_shape(in, 6, s)) return false;
  for (; i < in->part_count && count < 4; i++, count++)
    if ((types[count] = decode_word(tensor_type_names, in->parts[i])) < 0) break;
  s->satfinite = i < in->part_count && strcmp(in->parts[i], "satfinite") == 0;
  bool rounds = i < in->part_count && strcmp(in->parts[i], "rn") == 0; /* as everything does */
  if (i + s->satfinite + rounds != in->part_count || (count != 2 && count != 4)) return false;
  s->d = (uint8_t)types[0];
  s->a = count == 2 ? TENSOR_F16 : (uint8_t)types[1];
  s->b = count == 2 ? TENSOR_F16 : (uint8_t)types[2];
  s->c = (uint8_t)types[count - 1];
  bool floats = s->a == TENSOR_F16 && s->c != s->d && (s->c == TENSOR_F32 || s->d == TENSOR_F32);
  return s->a == s->b && (s->c == s->d || floats) && has_type(s, s->a);
}

/* Pairs of halves as floats, and back. */
static void widen(struct draft *draft, int line, const vreg *from, int count, vreg *to) {
  for (int i = 0; i < count; i++) {
    struct draft_op d = draft_blank(cold_unpack, line);
    d.op.kind = OP_UNPACK;
    d.op.size = d.op.count = 2;
    d.op.counted = false;
    d.reg[0] = from[i];
    for (int k = 0; k < 2; k++) d.reg[1 + k] = draft_temporary(draft, 'w');
    d.used = 3;
    d.writes = 3 << 1;
    draft_push(draft, &d);
    for (int k = 0; k < 2; k++) {
      struct draft_op *cvt = draft_add_row(draft, decode_row(draft, "cvt.f32.f16"), line);
      cvt->reg[0] = to[2 * i + k] = draft_temporary(draft, 'w');
      cvt->reg[1] = d.reg[1 + k];
    }
  }
}
static void narrow(struct draft *draft, int line, const vreg *from, int count, const vreg *to) {
  for (int i = 0; i < count; i++) {
    struct draft_op *cvt = draft_add_row(draft, decode_row(draft, "cvt.rn.f16x2.f32"), line);
    cvt->reg[0] = to[i];
    cvt->reg[1] = from[2 * i + 1];
    cvt->reg[2] = from[2 * i];
  }
}

static bool decode_sum(struct draft *draft, const struct ptx_instruction *in) {
  struct shape s;
  if (in->operand_count != 4 || !find_types(in, &s)) return false;
  struct tiles t[4] = {tiles_of(&s, OPERAND_C, s.d), tiles_of(&s, OPERAND_A, s.a),
                       tiles_of(&s, OPERAND_B, s.b), tiles_of(&s, OPERAND_C, s.c)};
  vreg regs[4][MAX_REGISTERS], sums[MAX_REGISTERS];
  char width = t[0].wide ? 'd' : 'w';
  for (int o = 0; o < 4; o++) {
    const struct ptx_operand *operand = &in->operands[o];
    int count = operand->kind == PTX_VECTOR ? operand->count : 1;
    if (count != t[o].registers || count > MAX_REGISTERS) return false;
    for (int i = 0; i < count; i++) {
      const struct ptx_operand *e = operand->kind == PTX_VECTOR ? &operand->elements[i] : operand;
      regs[o][i] = o ? decode_source(draft, in, e, width) : decode_destination(draft, in, e, width);
    }
  }
  /* of half and single precision, the sum is made in single, and D rounded from it */
  bool widens = s.c == TENSOR_F16 && s.d == TENSOR_F32,
       narrows = s.c == TENSOR_F32 && s.d == TENSOR_F16;
  if (widens) {
    vreg halves[MAX_REGISTERS];
    memcpy(halves, regs[3], sizeof halves);
    widen(draft, in->line, halves, t[3].used, regs[3]);
  }
  struct tiles sum = tiles_of(&s, OPERAND_C, s.c == s.d ? s.c : (uint8_t)TENSOR_F32);
  int first = s.flipped ? 2 : 1, second = s.flipped ? 1 : 2, steps = s.a == TENSOR_TF32 ? 2 : 1;
  struct tensor_op op = {.m = (uint8_t)t[first].rows,
                         .k = (uint8_t)(s.k / steps),
                         .a = s.a,
                         .b = s.b,
                         .c = s.c == s.d ? s.c : (uint8_t)TENSOR_F32,
                         .satfinite = s.satfinite};
  if (!tensor_has_product(&op)) return false;
  for (int i = 0; i < sum.used; i++) sums[i] = draft_temporary(draft, width);
  for (int i = 0; i < t[first].count; i++)
    for (int j = 0; j < t[second].count; j++) {
      int tile = i * t[second].count + j, c = sum.tile, a = t[first].tile / steps,
          b = t[second].tile / steps;
      for (int step = 0; step < steps; step++) {
        vreg sources[MAX_REGISTERS * 3];
        memcpy(sources, (step ? sums : regs[3]) + tile * c, sizeof(vreg) * (size_t)c);
        memcpy(sources + c, regs[first] + i * t[first].tile + step * a, sizeof(vreg) * (size_t)a);
        memcpy(sources + c + a, regs[second] + j * t[second].tile + step * b,
               sizeof(vreg) * (size_t)b);
        tensor_add_product(draft, in->line, op, sums + tile * c, c, sources, c + a + b);
      }
    }
  if (narrows) {
    narrow(draft, in->line, sums, t[0].used, regs[0]);
    return true;
  }
  for (int i = 0; i < t[0].used; i++) /* only now: D may be A or B */
    draft_add_helper(draft, t[0].wide ? "mov_64" : "mov_32", in->line, regs[0][i])->reg[1] =
        sums[i];
  return true;
}

bool decode_wmma(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "wmma") || in->part_count < 8 || strcmp(in->parts[1], "mma") == 0)
    return decode_is(in, "wmma") && in->part_count > 8 && decode_sum(draft, in);
  return decode_word("load store", in->parts[1]) >= 0 && decode_move(draft, in);
}
