/* kernel_values.c: operands, and leaves of random kernels that compute: rows of the tables,
 * comparisons, selections, moves (kernel_parts.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/kernel_parts.h"
#include "tests/fuzz/kernel_rows.h"

/* ---- operands ---- */

struct operand random_predicate(struct maker *m) {
  struct operand p = pool(m, CLASS_PRED);
  p.negated = chance(m, 25);
  return p;
}

uint64_t random_value(struct sim_random *random, enum class class) {
  static const uint64_t integers[] = {0,
                                      1,
                                      2,
                                      3,
                                      5,
                                      31,
                                      32,
                                      33,
                                      63,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x10000,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      UINT64_C(0x100000000),
                                      UINT64_C(0x7fffffffffffffff),
                                      UINT64_C(0x8000000000000000),
                                      ~UINT64_C(0),
                                      ~UINT64_C(0) - 1};
  static const double floats[] = {0,           -0.0,
                                  1,           -1,
                                  0.5,         1.5,
                                  2.5,         -3.75,
                                  1e10,        -1e10,
                                  1e-10,       16777217,
                                  2147483648., -2147483649.,
                                  4294967296., 0x1p63,
                                  0x1p64,      -0x1p63,
                                  0x1p-126,    0x1p-130,
                                  0x1p-149,    0x1.fffffep127,
                                  0x1p-1040,   65535.5,
                                  -32768.5,    127.5,
                                  3.14159274};
  if (class == CLASS_F32 || class == CLASS_F64) {
    unsigned which = sim_below(random, sizeof floats / sizeof *floats + 3);
    double d = which < sizeof floats / sizeof *floats ? floats[which]
               : which % 3 == 0                       ? (double)INFINITY
               : which % 3 == 1                       ? -(double)INFINITY
                                                      : (double)NAN;
    if (sim_below(random, 2))
      d = ldexp((double)(int32_t)sim_next(random), (int)sim_below(random, 60) - 40);
    float f = (float)d;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &f, 4);
    memcpy(&wide, &d, 8);
    return class == CLASS_F32 ? bits : wide;
  }
  unsigned how = sim_below(random, 3);
  uint64_t bits = sim_next(random);
  return how == 0   ? integers[bits % (sizeof integers / sizeof *integers)]
         : how == 1 ? bits
                    : bits >> (bits & 63);
}

struct operand random_source(struct maker *m, enum class class) {
  if (class == CLASS_PRED) return random_predicate(m);
  return chance(m, 85) ? pool(m, class) : imm(class, random_value(&m->random, class));
}

/* ---- leaves ---- */

struct code *leaf_add(struct leaf *leaf, enum kind kind) {
  if (leaf->count == MAX_CODES) abort();
  struct code *c = &leaf->codes[leaf->count++];
  *c = (struct code){.kind = kind, .guard = -1};
  return c;
}

struct code *leaf_row(struct leaf *leaf, const char *opcode, struct operand to, struct operand a,
                      struct operand b, struct operand c3) {
  struct code *c = leaf_add(leaf, ROW);
  c->row = rows_find(opcode);
  if (!c->row) abort();
  c->to[0] = to, c->to_count = 1;
  struct operand from[3] = {a, b, c3};
  for (int i = 0; i < 3 && from[i].kind != NONE; i++) c->from[c->from_count++] = from[i];
  return c;
}

struct code *leaf_memory(struct leaf *leaf, enum kind kind, enum space space, const char *type,
                         int count, struct operand address, int64_t offset) {
  struct code *c = leaf_add(leaf, kind);
  c->space = space;
  memcpy(c->type, type, strlen(type) + 1);
  c->size = atoi(type + 1) / 8;
  c->count = count;
  c->from[0] = address;
  c->from_count = 1;
  c->offset = offset;
  return c;
}
void leaf_load(struct leaf *leaf, enum space space, const char *type, struct operand to,
               struct operand address, int64_t offset) {
  struct code *c = leaf_memory(leaf, LOAD, space, type, 1, address, offset);
  c->to[0] = to, c->to_count = 1;
}
void leaf_store(struct leaf *leaf, enum space space, const char *type, struct operand address,
                int64_t offset, struct operand value) {
  struct code *c = leaf_memory(leaf, STORE, space, type, 1, address, offset);
  c->from[c->from_count++] = value;
}

/* The float without the bits of a NaN, in temporary `which`. */
struct operand leaf_tidy(struct leaf *leaf, struct operand value, int which) {
  bool is_double = value.class == CLASS_F64;
  if ((value.class != CLASS_F32 && !is_double) || value.kind == IMMEDIATE) return value;
  const char *type = is_double ? "f64" : "f32";
  struct code *test = leaf_add(leaf, SETP);
  memcpy(test->name, "num", 4);
  memcpy(test->type, type, 4);
  test->to[0] = reg(CLASS_PRED, P_TEMP + which), test->to_count = 1;
  test->from[0] = test->from[1] = value, test->from_count = 2;
  struct code *pick = leaf_add(leaf, SELP);
  memcpy(pick->type, type, 4);
  pick->to[0] = reg(value.class, F_TEMP + which), pick->to_count = 1;
  pick->from[0] = value;
  pick->from[1] = imm(value.class, is_double ? UINT64_C(0x7ff8000000000000) : 0x7fffffff);
  pick->from[2] = test->to[0], pick->from_count = 3;
  return pick->to[0];
}

enum class class_of_type(const char *type) {
  int bits = atoi(type + 1);
  if (strstr(type, "f16")) return strstr(type, "x2") ? CLASS_B32 : CLASS_B16;
  if (type[0] == 'f') return bits == 64 ? CLASS_F64 : CLASS_F32;
  return bits == 64   ? CLASS_B64
         : bits == 16 ? CLASS_B16
                      : CLASS_B32; /* 8 bits: in 32 */
}

/* ptxas takes no constants for halves and pairs, nor where a part of the operand is selected; bytes
 * are not converted to or from bfloat16, and other integers only from and to registers of their
 * size. */
static bool takes_constants(const char *opcode, const char *type) {
  return !strstr(type, "f16") && !strstr(opcode, "x2") && opcode[0] != 'v';
}
static bool is_approximate(const char *opcode) {
  return strstr(opcode, "approx") || strncmp(opcode, "div.full", 8) == 0;
}
/* min(x, x) is x for ptxas, a NaN's bits included */
static bool keeps_nan(const char *opcode, const char *type) {
  return strstr(type, "f16") && (strncmp(opcode, "min", 3) == 0 || strncmp(opcode, "max", 3) == 0);
}
static bool is_refused(const char *opcode, const char *to, const char *from) {
  return strncmp(opcode, "cvt", 3) == 0 && ((strstr(to, "bf16") && atoi(from + 1) == 8) ||
                                            (strstr(from, "bf16") && atoi(to + 1) == 8));
}

void make_row(struct maker *m, struct leaf *leaf) {
  const struct row *row;
  do row = rows_at((int)below(m, (unsigned)rows_count()));
  while (is_refused(rows_opcode(row), rows_type(row, 0), rows_type(row, 1)) ||
         (m->exact &&
          (is_approximate(rows_opcode(row)) || keeps_nan(rows_opcode(row), rows_type(row, 0)))));
  const char *opcode = rows_opcode(row), *to = rows_type(row, 0);
  bool cvt = strncmp(opcode, "cvt", 3) == 0, copysign = strncmp(opcode, "copysign", 8) == 0,
       stays = strstr(opcode, "bf16") || strstr(to, "bf16") || strstr(rows_type(row, 1), "bf16");
  struct operand from[4];
  int count = 0;
  for (; count < 4 && rows_type(row, count + 1)[0]; count++) {
    const char *type = rows_type(row, count + 1);
    if (type[0] == 'n' || type[0] == 'p') {
      /* ptxas has answers of its own for constant fields beyond the word */
      from[count] = m->exact        ? imm(CLASS_B32, below(m, 17))
                    : chance(m, 50) ? imm(CLASS_B32, below(m, 70))
                                    : pool(m, CLASS_B32);
      continue;
    }
    enum class class = class_of_type(type);
    from[count] = cvt || !takes_constants(opcode, type) ? pool(m, class) : random_source(m, class);
    /* A conversion takes the low bits of a wider register. */
    if (cvt && !stays && !strchr(type, 'f') && atoi(type + 1) < 64 && chance(m, 30))
      from[count] = pool(m, atoi(type + 1) == 8 && chance(m, 50) ? CLASS_B16
                            : chance(m, 50)                      ? CLASS_B64
                                                                 : CLASS_B32);
    if (copysign || (cvt && strstr(to, "f16")))
      from[count] = leaf_tidy(leaf, from[count], count); /* a NaN's sign may be any */
  }
  struct code *c = leaf_add(leaf, ROW);
  c->row = row;
  memcpy(c->from, from, sizeof from);
  c->from_count = count;
  enum class class = class_of_type(to);
  /* Narrow results extend into wider registers; an 8-bit one fits into 16. */
  if (cvt && !stays && to[0] != 'f' && atoi(to + 1) == 16 && chance(m, 30)) class = CLASS_B32;
  if (cvt && to[0] != 'f' && atoi(to + 1) == 8 && chance(m, 30)) class = CLASS_B16;
  c->to[0] = pool(m, class), c->to_count = 1;
}

void make_setp(struct maker *m, struct leaf *leaf) {
  static const char *const types[] = {"s16", "u16", "b16", "s32", "u32", "b32",
                                      "s64", "u64", "b64", "f32", "f64"};
  static const char *const signs[] = {"eq", "ne", "lt", "le", "gt", "ge"},
                           *const naturals[] = {"eq", "ne", "lt", "le", "gt",
                                                "ge", "lo", "ls", "hi", "hs"},
                           *const floats[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                              "neu", "ltu", "leu", "gtu", "geu", "num", "nan"},
                           *const combinations[] = {".and", ".or", ".xor"};
  const char *type = PICK(m, types);
  const char *compare = type[0] == 's'   ? PICK(m, signs)
                        : type[0] == 'u' ? PICK(m, naturals)
                        : type[0] == 'f' ? PICK(m, floats)
                                         : signs[below(m, 2)];
  struct code *c = leaf_add(leaf, SETP);
  bool combine = chance(m, 25);
  snprintf(c->name, sizeof c->name, "%s%s", compare, combine ? PICK(m, combinations) : "");
  memcpy(c->type, type, 4);
  int first = (int)below(m, POOL);
  c->to[0] = reg(CLASS_PRED, first), c->to_count = 1;
  if (chance(m, 20)) c->to[c->to_count++] = reg(CLASS_PRED, (first + 1) % POOL);
  c->from[0] = random_source(m, class_of_type(type)),
  c->from[1] = random_source(m, class_of_type(type));
  if (c->from[0].kind == IMMEDIATE) c->from[0] = pool(m, class_of_type(type));
  c->from_count = 2;
  if (combine) c->from[c->from_count++] = random_predicate(m);
}

void make_selp(struct maker *m, struct leaf *leaf) {
  static const char *const types[] = {"b16", "u16", "s16", "b32", "u32", "s32",
                                      "b64", "u64", "s64", "f32", "f64"};
  struct code *c = leaf_add(leaf, SELP);
  memcpy(c->type, PICK(m, types), 4);
  c->to[0] = pool(m, class_of_type(c->type)), c->to_count = 1;
  c->from[0] = random_source(m, class_of_type(c->type)),
  c->from[1] = random_source(m, class_of_type(c->type));
  c->from[2] = pool(m, CLASS_PRED), c->from_count = 3;
}

void make_predicate(struct maker *m, struct leaf *leaf) {
  static const char *const names[] = {"and", "or", "xor", "not", "mov"};
  struct code *c = leaf_add(leaf, PREDICATE);
  int which = (int)below(m, 5);
  memcpy(c->name, names[which], strlen(names[which]) + 1);
  c->to[0] = pool(m, CLASS_PRED), c->to_count = 1;
  c->from_count = which < 3 ? 2 : 1;
  for (int i = 0; i < c->from_count; i++) c->from[i] = pool(m, CLASS_PRED);
}

void make_lop3(struct maker *m, struct leaf *leaf) {
  struct code *c = leaf_add(leaf, LOP3);
  c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
  for (int i = 0; i < 3; i++) c->from[i] = random_source(m, CLASS_B32);
  c->from_count = 3;
  c->offset = below(m, 256);
}

/* mov between registers of other shapes. */
void make_move(struct maker *m, struct leaf *leaf) {
  static const struct {
    const char *type;
    enum class to, from;
    int to_count, from_count;
  } moves[] = {{"b32", CLASS_B32, CLASS_B16, 1, 2}, {"b32", CLASS_B16, CLASS_B32, 2, 1},
               {"b64", CLASS_B64, CLASS_B32, 1, 2}, {"b64", CLASS_B32, CLASS_B64, 2, 1},
               {"b64", CLASS_B64, CLASS_B16, 1, 4}, {"b64", CLASS_B16, CLASS_B64, 4, 1},
               {"b32", CLASS_B32, CLASS_F32, 1, 1}, {"b32", CLASS_F32, CLASS_B32, 1, 1},
               {"b64", CLASS_B64, CLASS_F64, 1, 1}, {"b64", CLASS_F64, CLASS_B64, 1, 1},
               {"b64", CLASS_F32, CLASS_B64, 2, 1}, {"b64", CLASS_F64, CLASS_B32, 1, 2}};
  int which = (int)below(m, sizeof moves / sizeof *moves);
  struct operand from[4];
  for (int i = 0; i < moves[which].from_count; i++)
    from[i] = leaf_tidy(leaf, pool(m, moves[which].from), i);
  struct code *c = leaf_add(leaf, moves[which].from_count >= moves[which].to_count ? PACK : UNPACK);
  memcpy(c->type, moves[which].type, 4);
  c->from_count = moves[which].from_count, c->to_count = moves[which].to_count;
  memcpy(c->from, from, sizeof from);
  int first = (int)below(m, POOL); /* destinations are different ones */
  for (int i = 0; i < c->to_count; i++) c->to[i] = reg(moves[which].to, (first + i) % POOL);
}

void make_special(struct maker *m, struct leaf *leaf) {
  static const char *const names[] = {
      "%warpid",      "%tid.x",       "%ntid.x",      "%ctaid.x",     "%nctaid.x",
      "%laneid",      "%nwarpid",     "%lanemask_eq", "%lanemask_lt", "%lanemask_le",
      "%lanemask_gt", "%lanemask_ge", "%tid.y",       "%ntid.z"};
  struct code *c = leaf_add(leaf, SPECIAL);
  const char *name = PICK(m, names);
  if (m->exact && name == names[0]) name = names[1]; /* a GPU says where the warp is, there */
  memcpy(c->name, name, strlen(name) + 1);
  c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
}
