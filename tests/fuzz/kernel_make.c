/* kernel_make.c: makes random kernels; see kernel.h.
 *
 * What keeps a kernel free of races, whatever its statements are: a thread writes only its own row and
 * its own elements of the columns, of global and of shared memory, and its local memory. It reads those
 * of others only between two barriers. Counters that all may change are changed by one commuting
 * operation each, and read in the end.
 *
 * What keeps its results those of any correct machine: no operation whose last bits are open (see
 * kernel_rows.c), no bits of a NaN (they are made the same before a float becomes bits), shuffles only
 * from lanes that take part.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "kernel_rows.h"

/* Registers that are not in the pool. */
enum {
  R_MEMBERS = 10, /* and one each for the sides of a branch, by depth */
  R_THREAD = 30,  /* in the grid */
  R_TID,
  R_BLOCK,
  R_TEMP, /* to R_TEMP + TEMPS */
  R_COUNTER = 48,
  RD_INPUT = 20,
  RD_ROW,
  RD_COLUMNS,
  RD_SHARED_ROW,
  RD_SHARED_COLUMNS,
  RD_LOCAL,
  RD_CONST,
  RD_TALLIES,
  RD_SHARED,
  RD_DUMP,
  RD_TEMP,
  TEMPS = 8,
  F_TEMP = 20,
  P_TEMP = 20,
  P_LOOP = 40,
};
enum { MOST_CODES = 40, MOST_DEPTH = 5 };

struct leaf {
  struct code codes[MOST_CODES];
  int count;
};

struct maker {
  struct kernel *kernel;
  struct sim_random random;
  int function; /* being made */
  int budget;   /* statements left */
};

/* Where a statement stands. */
struct place {
  int depth, loops;
  bool uniform; /* all threads of the block come here together */
  int members;  /* register with the lanes of the warp that come here together, or -1 */
  int breaks;   /* enclosing statements that may be left */
  bool returns; /* a thread may end here */
};

static unsigned below(struct maker *m, unsigned limit) { return sim_below(&m->random, limit); }
static bool chance(struct maker *m, unsigned percent) { return below(m, 100) < percent; }

static void *own(struct kernel *k, size_t bytes) {
  if (k->owned_count == k->owned_room) {
    k->owned_room = k->owned_room ? 2 * k->owned_room : 64;
    k->owned = realloc(k->owned, k->owned_room * sizeof *k->owned);
    if (!k->owned) abort();
  }
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) abort();
  return k->owned[k->owned_count++] = memory;
}

/* ---- operands ---- */

static struct operand reg(enum class class, int number) {
  return (struct operand){REGISTER, class, (uint8_t)number, false, 0};
}
static struct operand imm(enum class class, uint64_t value) {
  if (class_bytes(class) < 8) value &= (UINT64_C(1) << 8 * class_bytes(class)) - 1;
  return (struct operand){IMMEDIATE, class, 0, false, value};
}
static struct operand pool(struct maker *m, enum class class) {
  return reg(class, (int)below(m, POOL));
}
static struct operand predicate(struct maker *m) {
  struct operand p = pool(m, CLASS_PRED);
  p.negated = chance(m, 25);
  return p;
}

static uint64_t edge(struct sim_random *random, enum class class) {
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

static struct operand source(struct maker *m, enum class class) {
  if (class == CLASS_PRED) return predicate(m);
  return chance(m, 85) ? pool(m, class) : imm(class, edge(&m->random, class));
}

/* ---- leaves ---- */

static struct code *add(struct leaf *leaf, enum kind kind) {
  if (leaf->count == MOST_CODES) abort();
  struct code *c = &leaf->codes[leaf->count++];
  *c = (struct code){.kind = kind, .guard = -1};
  return c;
}

static struct code *add_row(struct leaf *leaf, const char *opcode, struct operand to,
                            struct operand a, struct operand b, struct operand c3) {
  struct code *c = add(leaf, ROW);
  c->row = rows_find(opcode);
  if (!c->row) abort();
  c->to[0] = to, c->to_count = 1;
  struct operand from[3] = {a, b, c3};
  for (int i = 0; i < 3 && from[i].kind != NONE; i++) c->from[c->from_count++] = from[i];
  return c;
}
static const struct operand none;

static struct code *add_memory(struct leaf *leaf, enum kind kind, enum space space,
                               const char *type, int count, struct operand address,
                               int64_t offset) {
  struct code *c = add(leaf, kind);
  c->space = space;
  memcpy(c->type, type, strlen(type) + 1);
  c->size = atoi(type + 1) / 8;
  c->count = count;
  c->from[0] = address;
  c->from_count = 1;
  c->offset = offset;
  return c;
}
static void add_load(struct leaf *leaf, enum space space, const char *type, struct operand to,
                     struct operand address, int64_t offset) {
  struct code *c = add_memory(leaf, LOAD, space, type, 1, address, offset);
  c->to[0] = to, c->to_count = 1;
}
static void add_store(struct leaf *leaf, enum space space, const char *type, struct operand address,
                      int64_t offset, struct operand value) {
  struct code *c = add_memory(leaf, STORE, space, type, 1, address, offset);
  c->from[c->from_count++] = value;
}

/* The float without the bits of a NaN, in temporary `which`. */
static struct operand tidy(struct leaf *leaf, struct operand value, int which) {
  bool is_double = value.class == CLASS_F64;
  if ((value.class != CLASS_F32 && !is_double) || value.kind == IMMEDIATE) return value;
  const char *type = is_double ? "f64" : "f32";
  struct code *test = add(leaf, SETP);
  memcpy(test->name, "num", 4);
  memcpy(test->type, type, 4);
  test->to[0] = reg(CLASS_PRED, P_TEMP + which), test->to_count = 1;
  test->from[0] = test->from[1] = value, test->from_count = 2;
  struct code *pick = add(leaf, SELP);
  memcpy(pick->type, type, 4);
  pick->to[0] = reg(value.class, F_TEMP + which), pick->to_count = 1;
  pick->from[0] = value;
  pick->from[1] = imm(value.class, is_double ? UINT64_C(0x7ff8000000000000) : 0x7fffffff);
  pick->from[2] = test->to[0], pick->from_count = 3;
  return pick->to[0];
}

static enum class class_of(const char *type) {
  int bits = atoi(type + 1); if (type[0] == 'f') return bits == 64 ? CLASS_F64 : CLASS_F32;
  return bits == 64   ? CLASS_B64
         : bits == 16 ? CLASS_B16
                      : CLASS_B32; /* 8 bits: in 32 */
}

static void make_row(struct maker *m, struct leaf *leaf) {
  const struct row *row = rows_at((int)below(m, (unsigned)rows_count()));
  const char *opcode = rows_opcode(row), *to = rows_type(row, 0);
  bool cvt = strncmp(opcode, "cvt", 3) == 0, copysign = strncmp(opcode, "copysign", 8) == 0;
  struct operand from[4];
  int count = 0;
  for (; count < 4 && rows_type(row, count + 1)[0]; count++) {
    const char *type = rows_type(row, count + 1);
    if (type[0] == 'n' || type[0] == 'p') {
      from[count] = chance(m, 50) ? imm(CLASS_B32, below(m, 70)) : pool(m, CLASS_B32);
      continue;
    }
    enum class class = class_of(type);
    from[count] = cvt ? pool(m, class) : source(m, class);
    /* A conversion takes the low bits of a wider register. */
    if (cvt && type[0] != 'f' && atoi(type + 1) < 64 && chance(m, 30))
      from[count] = pool(m, atoi(type + 1) == 8 && chance(m, 50) ? CLASS_B16
                            : chance(m, 50)                      ? CLASS_B64
                                                                 : CLASS_B32);
    if (copysign) from[count] = tidy(leaf, from[count], count);
  }
  struct code *c = add(leaf, ROW);
  c->row = row;
  memcpy(c->from, from, sizeof from);
  c->from_count = count;
  enum class class = class_of(to);
  /* Narrow results extend into wider registers; an 8-bit one fits into 16. */
  if (cvt && to[0] != 'f' && atoi(to + 1) == 16 && chance(m, 30)) class = CLASS_B32;
  if (cvt && to[0] != 'f' && atoi(to + 1) == 8 && chance(m, 30)) class = CLASS_B16;
  c->to[0] = pool(m, class), c->to_count = 1;
}

static const char *pick_type(struct maker *m, const char *const *types, size_t count) {
  return types[below(m, (unsigned)count)];
}
#define PICK(m, list) pick_type(m, list, sizeof(list) / sizeof *(list))

static void make_setp(struct maker *m, struct leaf *leaf) {
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
  struct code *c = add(leaf, SETP);
  bool combine = chance(m, 25);
  snprintf(c->name, sizeof c->name, "%s%s", compare, combine ? PICK(m, combinations) : "");
  memcpy(c->type, type, 4);
  int first = (int)below(m, POOL);
  c->to[0] = reg(CLASS_PRED, first), c->to_count = 1;
  if (chance(m, 20)) c->to[c->to_count++] = reg(CLASS_PRED, (first + 1) % POOL);
  c->from[0] = source(m, class_of(type)), c->from[1] = source(m, class_of(type));
  if (c->from[0].kind == IMMEDIATE) c->from[0] = pool(m, class_of(type));
  c->from_count = 2;
  if (combine) c->from[c->from_count++] = predicate(m);
}

static void make_selp(struct maker *m, struct leaf *leaf) {
  static const char *const types[] = {"b16", "u16", "s16", "b32", "u32", "s32",
                                      "b64", "u64", "s64", "f32", "f64"};
  struct code *c = add(leaf, SELP);
  memcpy(c->type, PICK(m, types), 4);
  c->to[0] = pool(m, class_of(c->type)), c->to_count = 1;
  c->from[0] = source(m, class_of(c->type)), c->from[1] = source(m, class_of(c->type));
  c->from[2] = pool(m, CLASS_PRED), c->from_count = 3;
}

static void make_predicate(struct maker *m, struct leaf *leaf) {
  static const char *const names[] = {"and", "or", "xor", "not", "mov"};
  struct code *c = add(leaf, PREDICATE);
  int which = (int)below(m, 5);
  memcpy(c->name, names[which], strlen(names[which]) + 1);
  c->to[0] = pool(m, CLASS_PRED), c->to_count = 1;
  c->from_count = which < 3 ? 2 : 1;
  for (int i = 0; i < c->from_count; i++) c->from[i] = pool(m, CLASS_PRED);
}

static void make_lop3(struct maker *m, struct leaf *leaf) {
  struct code *c = add(leaf, LOP3);
  c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
  for (int i = 0; i < 3; i++) c->from[i] = source(m, CLASS_B32);
  c->from_count = 3;
  c->offset = below(m, 256);
}

/* mov between registers of other shapes. */
static void make_move(struct maker *m, struct leaf *leaf) {
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
    from[i] = tidy(leaf, pool(m, moves[which].from), i);
  struct code *c = add(leaf, moves[which].from_count >= moves[which].to_count ? PACK : UNPACK);
  memcpy(c->type, moves[which].type, 4);
  c->from_count = moves[which].from_count, c->to_count = moves[which].to_count;
  memcpy(c->from, from, sizeof from);
  int first = (int)below(m, POOL); /* destinations are different ones */
  for (int i = 0; i < c->to_count; i++) c->to[i] = reg(moves[which].to, (first + i) % POOL);
}

static void make_special(struct maker *m, struct leaf *leaf) {
  static const char *const names[] = {
      "%tid.x",       "%ntid.x",      "%ctaid.x",     "%nctaid.x",    "%laneid",
      "%warpid",      "%nwarpid",     "%lanemask_eq", "%lanemask_lt", "%lanemask_le",
      "%lanemask_gt", "%lanemask_ge", "%tid.y",       "%ntid.z"};
  struct code *c = add(leaf, SPECIAL);
  const char *name = PICK(m, names);
  memcpy(c->name, name, strlen(name) + 1);
  c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
}

/* ---- memory ---- */

struct address {
  enum space space;
  struct operand base;
  int64_t offset;
  const char *name; /* of a parameter, base being none */
};

static struct operand temp_address(struct maker *m) {
  return reg(CLASS_B64, RD_TEMP + (int)below(m, TEMPS));
}

/* base + (a random number below bytes / unit) * unit: the same for all lanes, or each lane's own. */
static struct address within(struct maker *m, struct leaf *leaf, enum space space,
                             struct operand base, int bytes, int unit) {
  int units = bytes / unit;
  if (chance(m, 60))
    return (struct address){space, base, (int64_t)below(m, (unsigned)units) * unit, NULL};
  struct operand index = reg(CLASS_B32, R_TEMP + (int)below(m, TEMPS)), wide = temp_address(m),
                 sum = temp_address(m);
  while (wide.reg == base.reg) wide = temp_address(m);
  add_row(leaf, "and.b32", index, pool(m, CLASS_B32), imm(CLASS_B32, (uint64_t)units - 1), none);
  add_row(leaf, "mul.wide.u32", wide, index, imm(CLASS_B32, (uint64_t)unit), none);
  add_row(leaf, "add.s64", sum, base, wide, none);
  int64_t shift = chance(m, 30) ? (int64_t)below(m, 8) * 16 : 0;
  if (shift) add_row(leaf, "sub.s64", sum, sum, imm(CLASS_B64, (uint64_t)shift), none);
  return (struct address){space, sum, shift, NULL};
}

/* This thread's element of a column of units that are at least `unit` bytes. */
static struct address in_column(struct maker *m, struct leaf *leaf, bool shared, int unit) {
  struct kernel *k = m->kernel;
  size_t threads = shared ? k->threads : threads_of(k);
  int u = 0;
  while (1 << u < unit) u++;
  if (chance(m, 30)) u += (int)below(m, (unsigned)(UNITS - u));
  unsigned plane = below(m, PLANES);
  struct operand at = temp_address(m);
  add_row(leaf, "mad.wide.u32", at, reg(CLASS_B32, shared ? R_TID : R_THREAD),
          imm(CLASS_B32, 1u << u), reg(CLASS_B64, shared ? RD_SHARED_COLUMNS : RD_COLUMNS));
  int64_t offset = (int64_t)(column_start(threads, u) + (plane * threads << u));
  offset += (int64_t)below(m, (1u << u) / (unsigned)unit) * unit;
  return (struct address){shared ? SPACE_SHARED : SPACE_GLOBAL, at, offset, NULL};
}

static struct address find_address(struct maker *m, struct leaf *leaf, int unit, bool writes) {
  bool kernel = m->function == 0;
  for (;;) {
    switch (below(m, 9)) {
      case 0:
        return within(m, leaf, SPACE_GLOBAL, reg(CLASS_B64, RD_ROW), ROW_BYTES, unit);
      case 1:
        return within(m, leaf, SPACE_SHARED, reg(CLASS_B64, RD_SHARED_ROW), SHARED_ROW, unit);
      case 2:
        return within(m, leaf, SPACE_LOCAL, reg(CLASS_B64, RD_LOCAL), LOCAL_BYTES, unit);
      case 3:
      case 4:
        if (kernel) return in_column(m, leaf, false, unit);
        break;
      case 5:
        if (kernel) return in_column(m, leaf, true, unit);
        break;
      case 6:
        if (!writes)
          return within(m, leaf, SPACE_GLOBAL, reg(CLASS_B64, RD_INPUT), INPUT_BYTES, unit);
        break;
      case 7:
        if (!writes)
          return within(m, leaf, SPACE_CONST, reg(CLASS_B64, RD_CONST), CONST_BYTES, unit);
        break;
      default:
        if (writes || !kernel) break;
        if (chance(m, 50))
          return (struct address){SPACE_PARAM, none,
                                  (int64_t)below(m, (unsigned)(PARAM_BYTES / unit)) * unit, "data"};
        struct operand base = temp_address(m);
        struct code *c = add(leaf, ADDRESS);
        c->target = VARIABLE_PARAM;
        c->to[0] = base, c->to_count = 1;
        return within(m, leaf, SPACE_PARAM, base, PARAM_BYTES, unit);
    }
  }
}

/* One in four goes by a generic address. */
static void maybe_generic(struct maker *m, struct leaf *leaf, struct address *a) {
  if (a->space == SPACE_PARAM || !chance(m, 25)) return;
  struct operand generic = temp_address(m);
  struct code *c = add(leaf, TO_GENERIC);
  c->space = a->space;
  c->to[0] = generic, c->to_count = 1;
  c->from[0] = a->base, c->from_count = 1;
  if (chance(m, 20)) { /* there and back */
    struct code *back = add(leaf, TO_GENERIC);
    memcpy(back->name, ".to", 4);
    back->space = a->space;
    back->to[0] = back->from[0] = generic, back->to_count = back->from_count = 1;
  } else {
    if (a->offset == 0 && a->space != SPACE_CONST && chance(m, 30)) { /* else the base may lie outside of its array */
      struct code *ask = add(leaf, IN_SPACE);
      ask->space = (enum space)below(m, 3);
      ask->to[0] = pool(m, CLASS_PRED), ask->to_count = 1;
      ask->from[0] = generic, ask->from_count = 1;
    }
    a->space = SPACE_GENERIC;
  }
  a->base = generic;
}

static void pick_access(struct maker *m, const char **type, enum class *class, int *count) {
  static const char *const types[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32",
                                      "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
  *type = PICK(m, types);
  int size = atoi(*type + 1) / 8;
  do *class = (enum class)below(m, CLASS_PRED);
  while (*class == CLASS_F32 || *class == CLASS_F64
             ? (*type)[0] == 's' || (*type)[0] == 'u' || size != class_bytes(*class)
             : (*type)[0] == 'f' || size > class_bytes(*class));
  do *count = 1 << below(m, 3);
  while (*count * size > 16);
}

static void make_load(struct maker *m, struct leaf *leaf) {
  const char *type;
  enum class class;
  int count;
  pick_access(m, &type, &class, &count);
  struct address a = find_address(m, leaf, atoi(type + 1) / 8 * count, false);
  maybe_generic(m, leaf, &a);
  struct code *c = add_memory(leaf, LOAD, a.space, type, count, a.base, a.offset);
  if (a.name) memcpy(c->name, a.name, strlen(a.name) + 1);
  int first = (int)below(m, POOL);
  for (int i = 0; i < count; i++) c->to[i] = reg(class, (first + i * 3) % POOL);
  c->to_count = count;
}

static void make_store(struct maker *m, struct leaf *leaf) {
  const char *type;
  enum class class;
  int count;
  pick_access(m, &type, &class, &count);
  struct operand values[4];
  bool constants = chance(m, 10);
  for (int i = 0; i < count; i++)
    values[i] = constants && class != CLASS_B16 ? imm(class, edge(&m->random, class))
                                                : tidy(leaf, pool(m, class), i);
  struct address a = find_address(m, leaf, atoi(type + 1) / 8 * count, true);
  maybe_generic(m, leaf, &a);
  struct code *c = add_memory(leaf, STORE, a.space, type, count, a.base, a.offset);
  for (int i = 0; i < count; i++) c->from[c->from_count++] = values[i];
}

/* Neighbouring loads or stores of this thread's row in shared memory, as ptxas would make one of. */
static void make_neighbours(struct maker *m, struct leaf *leaf) {
  bool wide = chance(m, 30), loads = chance(m, 50);
  const char *type = wide ? "u64" : "u32";
  int size = wide ? 8 : 4, count = wide ? 2 : 4, first = (int)below(m, SHARED_ROW / 16) * 16;
  int from = (int)below(m, POOL);
  for (int i = 0; i < count; i++) {
    struct operand base = reg(CLASS_B64, RD_SHARED_ROW),
                   value = reg(wide ? CLASS_B64 : CLASS_B32, (from + i) % POOL);
    int at = first + (chance(m, 90) ? i : (int)below(m, (unsigned)count)) * size;
    if (loads)
      add_load(leaf, SPACE_SHARED, type, value, base, at);
    else
      add_store(leaf, SPACE_SHARED, type, base, at, value);
    if (chance(m, 15))
      add_row(leaf, "add.s32", pool(m, CLASS_B32), pool(m, CLASS_B32), pool(m, CLASS_B32), none);
    if (chance(m, 8))
      add_store(leaf, SPACE_SHARED, "u16", base, first + (int)below(m, 8) * 2, pool(m, CLASS_B32));
  }
}

/* p = p->next: a pointer to the thread's own row, stored there, loaded, and followed. Its address is
 * the same on both sides. */
static void make_chase(struct maker *m, struct leaf *leaf) {
  struct operand row = reg(CLASS_B64, RD_ROW), pointer = temp_address(m), to = temp_address(m);
  for (int i = 0; i < 2; i++) {
    struct address a = within(m, leaf, SPACE_GLOBAL, row, ROW_BYTES, 8);
    add_row(leaf, "add.s64", to, a.base, imm(CLASS_B64, (uint64_t)a.offset), none);
    add_store(leaf, SPACE_GLOBAL, "u64", row, 8 * i, to);
  }
  add_row(leaf, "mov.u64", pointer, row, none, none);
  add_load(leaf, SPACE_GLOBAL, "u64", pointer, pointer, 0);
  if (chance(m, 50)) {
    add_load(leaf, SPACE_GLOBAL, "u64", pool(m, CLASS_B64), pointer, 0);
  } else {
    add_row(leaf, "mov.u64", pointer, row, none, none);
    struct code *c = add_memory(leaf, LOAD, SPACE_GLOBAL, "u64", 2, pointer, 0);
    c->to[0] = pointer, c->to[1] = pool(m, CLASS_B64), c->to_count = 2;
    add_load(leaf, SPACE_GLOBAL, "u32", pool(m, CLASS_B32), pointer, 0);
  }
}

static const char *const atomic_kinds[][2] = {
    {"add", "u32"}, {"add", "u64"},  {"min", "s32"},  {"max", "s32"}, {"min", "u64"},
    {"max", "u64"}, {"and", "b32"},  {"or", "b32"},   {"xor", "b32"}, {"and", "b64"},
    {"or", "b64"},  {"xor", "b64"},  {"min", "u32"},  {"max", "u32"}, {"min", "s64"},
    {"max", "s64"}, /* so far, commuting: TALLIES of them */
    {"add", "s32"}, {"exch", "b32"}, {"exch", "b64"}, {"cas", "b32"}, {"cas", "b64"},
    {"inc", "u32"}, {"dec", "u32"},
};

static void make_atomic(struct maker *m, struct leaf *leaf) {
  bool common = chance(m, 40);
  unsigned which = below(m, common ? TALLIES : sizeof atomic_kinds / sizeof *atomic_kinds);
  const char *op = atomic_kinds[which][0], *type = atomic_kinds[which][1];
  enum class class = class_of(type);
  bool shared = chance(m, 50), cas = strcmp(op, "cas") == 0, exchange = strcmp(op, "exch") == 0;
  struct address a;
  if (common && (m->function == 0 || !shared))
    a = (struct address){shared ? SPACE_SHARED : SPACE_GLOBAL,
                         reg(CLASS_B64, shared ? RD_SHARED : RD_TALLIES), 8 * (int)which, NULL};
  else
    a = within(m, leaf, shared ? SPACE_SHARED : SPACE_GLOBAL,
               reg(CLASS_B64, shared ? RD_SHARED_ROW : RD_ROW), shared ? SHARED_ROW : ROW_BYTES,
               class_bytes(class));
  if (m->function != 0 && common) return; /* functions do not know the counters */
  maybe_generic(m, leaf, &a);
  struct code *c = add_memory(leaf, ATOMIC, a.space, type, 1, a.base, a.offset);
  memcpy(c->name, op, strlen(op) + 1);
  if (!common && (cas || exchange || chance(m, 60))) c->to[0] = pool(m, class), c->to_count = 1;
  for (int i = 0; i < (cas ? 2 : 1); i++) c->from[c->from_count++] = source(m, class);
}

/* Sums of floats that are no NaN. */
static void make_float_atomic(struct maker *m, struct leaf *leaf) {
  bool wide = chance(m, 50), shared = chance(m, 50);
  enum class class = wide ? CLASS_F64 : CLASS_F32;
  const char *type = wide ? "f64" : "f32";
  struct operand before = reg(class, F_TEMP), value = reg(class, F_TEMP + 1);
  add_row(leaf, wide ? "cvt.rn.f64.s32" : "cvt.rn.f32.s32", before, pool(m, CLASS_B32), none, none);
  add_row(leaf, wide ? "cvt.rn.f64.u16" : "cvt.rn.f32.u16", value, pool(m, CLASS_B16), none, none);
  struct address a = within(m, leaf, shared ? SPACE_SHARED : SPACE_GLOBAL,
                            reg(CLASS_B64, shared ? RD_SHARED_ROW : RD_ROW),
                            shared ? SHARED_ROW : ROW_BYTES, class_bytes(class));
  add_store(leaf, a.space, type, a.base, a.offset, before);
  maybe_generic(m, leaf, &a);
  struct code *c = add_memory(leaf, ATOMIC, a.space, type, 1, a.base, a.offset);
  memcpy(c->name, "add", 4);
  if (chance(m, 60)) c->to[0] = pool(m, class), c->to_count = 1;
  c->from[c->from_count++] = value;
}

/* ---- between threads ---- */

static void make_cross_lane(struct maker *m, struct leaf *leaf, const struct place *place) {
  static const char *const votes[] = {"ballot.b32", "all.pred", "any.pred", "uni.pred"};
  static const char *const shuffles[] = {"up", "down", "bfly", "idx"};
  bool full = place->members == R_MEMBERS && m->kernel->threads % 32 == 0;
  struct operand members = reg(CLASS_B32, place->members);
  if (full && chance(m, 60)) {
    struct code *c = add(leaf, SHUFFLE);
    int which = (int)below(m, 4), width = 1 << below(m, 6);
    memcpy(c->name, shuffles[which], strlen(shuffles[which]) + 1);
    c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
    if (chance(m, 50)) c->to[c->to_count++] = pool(m, CLASS_PRED);
    c->from[0] = pool(m, CLASS_B32);
    c->from[1] = chance(m, 60) ? imm(CLASS_B32, below(m, 33)) : pool(m, CLASS_B32);
    c->from[2] = imm(CLASS_B32, (uint64_t)(32 - width) << 8 | (which == 0 ? 0 : 31));
    c->from[3] = chance(m, 50) ? members : imm(CLASS_B32, 0xffffffff);
    c->from_count = 4;
    return;
  }
  if (chance(m, 15)) {
    struct code *c = add(leaf, chance(m, 50) ? ACTIVE_MASK : WARP_SYNC);
    if (c->kind == ACTIVE_MASK) c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
    c->from[0] = members, c->from_count = 1;
    return;
  }
  struct code *c = add(leaf, VOTE);
  const char *vote = PICK(m, votes);
  memcpy(c->name, vote, strlen(vote) + 1);
  c->to[0] = pool(m, vote[0] == 'b' ? CLASS_B32 : CLASS_PRED), c->to_count = 1;
  c->from[0] = predicate(m), c->from[1] = members, c->from_count = 2;
}

/* Between two barriers: what other threads have in shared memory. */
static void make_exchange(struct maker *m, struct leaf *leaf) {
  struct kernel *k = m->kernel;
  if (chance(m, 30)) {
    static const char *const names[] = {"popc.u32", "and.pred", "or.pred"};
    struct code *c = add(leaf, BARRIER_REDUCE);
    const char *name = PICK(m, names);
    memcpy(c->name, name, strlen(name) + 1);
    c->to[0] = pool(m, name[0] == 'p' ? CLASS_B32 : CLASS_PRED), c->to_count = 1;
    c->from[0] = predicate(m), c->from_count = 1;
    return;
  }
  add(leaf, BARRIER);
  int loads = 1 + (int)below(m, 3);
  for (int i = 0; i < loads; i++) {
    struct operand other = reg(CLASS_B32, R_TEMP + (int)below(m, TEMPS)), at = temp_address(m);
    add_row(leaf, "add.s32", other, chance(m, 50) ? reg(CLASS_B32, R_TID) : pool(m, CLASS_B32),
            imm(CLASS_B32, below(m, 64)), none);
    add_row(leaf, "rem.u32", other, other, imm(CLASS_B32, k->threads), none);
    int u = 2 + (int)below(m, 2);
    bool row = chance(m, 40);
    add_row(leaf, "mul.wide.u32", at, other, imm(CLASS_B32, row ? SHARED_ROW : 1u << u), none);
    add_row(leaf, "add.s64", at, at, reg(CLASS_B64, RD_SHARED_COLUMNS), none);
    int64_t offset =
        row ? (int64_t)column_start(k->threads, UNITS) + (int64_t)below(m, SHARED_ROW >> u << u)
            : (int64_t)(column_start(k->threads, u) + (below(m, PLANES) * k->threads << u));
    if (row) offset = offset >> u << u;
    add_load(leaf, SPACE_SHARED, u == 2 ? "u32" : "u64", pool(m, u == 2 ? CLASS_B32 : CLASS_B64),
             at, offset);
  }
  add(leaf, BARRIER);
}

static void make_call(struct maker *m, struct leaf *leaf) {
  struct kernel *k = m->kernel;
  int callee = m->function + 1 + (int)below(m, (unsigned)(k->function_count - m->function - 1));
  const struct function *f = &k->functions[callee];
  struct operand arguments[MOST_ARGUMENTS];
  for (int i = 0; i < f->argument_count; i++)
    arguments[i] = tidy(leaf, pool(m, f->argument_class[i]), i);
  struct code *c = add(leaf, CALL);
  c->target = callee;
  c->from_count = f->argument_count;
  memcpy(c->from, arguments, sizeof arguments);
  c->to[0] = pool(m, f->result_class), c->to_count = 1;
}

static bool may_be_guarded(const struct code *c) {
  return c->kind == ROW || c->kind == SETP || c->kind == SELP || c->kind == PREDICATE ||
         c->kind == LOP3 || c->kind == PACK || c->kind == UNPACK || c->kind == LOAD ||
         c->kind == STORE || c->kind == ATOMIC || c->kind == SPECIAL;
}

static void make_leaf(struct maker *m, struct leaf *leaf, const struct place *place) {
  while (leaf->count == 0) {
    unsigned which = below(m, 100);
    if (which < 42)
      make_row(m, leaf);
    else if (which < 49)
      make_setp(m, leaf);
    else if (which < 53)
      make_selp(m, leaf);
    else if (which < 56)
      make_predicate(m, leaf);
    else if (which < 58)
      make_lop3(m, leaf);
    else if (which < 63)
      make_move(m, leaf);
    else if (which < 65)
      make_special(m, leaf);
    else if (which < 76)
      make_load(m, leaf);
    else if (which < 85)
      make_store(m, leaf);
    else if (which < 87)
      make_neighbours(m, leaf);
    else if (which < 91)
      make_atomic(m, leaf);
    else if (which < 92)
      make_float_atomic(m, leaf);
    else if (which < 93)
      make_chase(m, leaf);
    else if (which < 95 && place->members >= 0)
      make_cross_lane(m, leaf, place);
    else if (which < 97 && place->uniform)
      make_exchange(m, leaf);
    else if (which >= 97 && m->function + 1 < m->kernel->function_count)
      make_call(m, leaf);
  }
  struct code *last = &leaf->codes[leaf->count - 1];
  if (may_be_guarded(last) && chance(m, 15)) {
    last->guard = (int)below(m, POOL);
    last->guard_negated = chance(m, 50);
  }
}

/* ---- statements ---- */

static struct statement *new_statement(struct maker *m, enum shape shape, const struct leaf *leaf) {
  struct statement *s = own(m->kernel, sizeof *s);
  s->shape = shape;
  if (leaf && leaf->count) {
    s->codes = own(m->kernel, (size_t)leaf->count * sizeof *s->codes);
    memcpy(s->codes, leaf->codes, (size_t)leaf->count * sizeof *s->codes);
    s->code_count = leaf->count;
  }
  m->kernel->statements++;
  return s;
}

static struct statement *make_statements(struct maker *m, struct place place, int count);

static struct statement *make_if(struct maker *m, struct place place) {
  struct leaf leaf = {.count = 0};
  struct place then = place, other = place;
  then.depth = other.depth = place.depth + 1;
  then.uniform = other.uniform = false;
  int p = (int)below(m, POOL);
  bool negated = chance(m, 30), known = place.members >= 0 && chance(m, 50);
  if (known) { /* who goes which way */
    then.members = R_MEMBERS + 1 + 2 * place.depth, other.members = then.members + 1;
    struct code *c = add(&leaf, VOTE);
    memcpy(c->name, "ballot.b32", 11);
    c->to[0] = reg(CLASS_B32, then.members), c->to_count = 1;
    c->from[0] = reg(CLASS_PRED, p), c->from[0].negated = negated;
    c->from[1] = reg(CLASS_B32, place.members), c->from_count = 2;
    add_row(&leaf, "xor.b32", reg(CLASS_B32, other.members), reg(CLASS_B32, place.members),
            reg(CLASS_B32, then.members), none);
  } else {
    then.members = other.members = -1;
    then.breaks = other.breaks = place.breaks + 1;
  }
  struct statement *s = new_statement(m, IF, &leaf);
  s->predicate = p;
  s->negated = negated;
  s->body = make_statements(m, then, 1 + (int)below(m, 5));
  s->has_else = chance(m, 50);
  if (s->has_else) s->other = make_statements(m, other, 1 + (int)below(m, 5));
  return s;
}

static struct statement *make_loop(struct maker *m, struct place place) {
  struct leaf leaf = {.count = 0};
  struct operand counter = reg(CLASS_B32, R_COUNTER + place.loops);
  bool same = chance(m, 50); /* all threads go round as often */
  if (same) {
    add_row(&leaf, "mov.u32", counter, imm(CLASS_B32, 1 + below(m, 4)), none, none);
  } else {
    add_row(&leaf, "and.b32", counter, pool(m, CLASS_B32), imm(CLASS_B32, chance(m, 80) ? 3 : 7),
            none);
    add_row(&leaf, "add.s32", counter, counter, imm(CLASS_B32, 1), none);
  }
  struct statement *s = new_statement(m, LOOP, &leaf);
  s->counter = counter.reg;
  s->predicate = P_LOOP + place.loops;
  place.depth++, place.loops++;
  if (!same || place.members < 0 || chance(m, 40)) {
    place.uniform = false;
    place.members = -1;
    place.breaks++;
  }
  s->body = make_statements(m, place, 1 + (int)below(m, 6));
  return s;
}

static struct statement *make_statement(struct maker *m, const struct place *place) {
  m->budget--;
  if (place->depth < MOST_DEPTH && m->budget > 0) {
    unsigned which = below(m, 100);
    if (which < 12) return make_if(m, *place);
    if (which < 18 && place->loops < 3) return make_loop(m, *place);
  }
  struct leaf leaf = {.count = 0};
  if (place->breaks > 0 && chance(m, 6)) {
    struct code *c = add(&leaf, BRANCH);
    c->guard = (int)below(m, POOL);
    c->guard_negated = chance(m, 50);
    struct statement *s = new_statement(m, LEAF, &leaf);
    s->breaks = 1 + (int)below(m, (unsigned)place->breaks);
    return s;
  }
  if (place->returns && chance(m, 5)) {
    struct code *c = add(&leaf, RETURN);
    c->guard = (int)below(m, POOL);
    c->guard_negated = chance(m, 50);
    return new_statement(m, LEAF, &leaf);
  }
  make_leaf(m, &leaf, place);
  return new_statement(m, LEAF, &leaf);
}

static struct statement *make_statements(struct maker *m, struct place place, int count) {
  struct statement *first = NULL, **end = &first;
  for (int i = 0; i < count && m->budget > 0; i++) {
    *end = make_statement(m, &place);
    end = &(*end)->next;
  }
  return first;
}

/* ---- functions ---- */

static void append(struct statement **list, struct statement *s) {
  while (*list) list = &(*list)->next;
  *list = s;
}

/* Statements that are never left out. */
static void append_leaf(struct maker *m, struct statement **list, const struct leaf *leaf) {
  append(list, new_statement(m, SEQUENCE, leaf));
}

static void add_special(struct leaf *leaf, const char *name, int to) {
  struct code *c = add(leaf, SPECIAL);
  memcpy(c->name, name, strlen(name) + 1);
  c->to[0] = reg(CLASS_B32, to), c->to_count = 1;
}

static void add_address(struct leaf *leaf, enum variable variable, int64_t offset, int to) {
  struct code *c = add(leaf, ADDRESS);
  c->target = (int)variable;
  c->offset = offset;
  c->to[0] = reg(CLASS_B64, to), c->to_count = 1;
}

static void add_param(struct leaf *leaf, const char *type, const char *name, struct operand to) {
  add_load(leaf, SPACE_PARAM, type, to, none, 0);
  struct code *c = &leaf->codes[leaf->count - 1];
  memcpy(c->name, name, strlen(name) + 1);
}

static const char *const pool_types[CLASSES] = {"u16", "u32", "u64", "f32", "f64", "u32"};
static const int pool_offsets[CLASSES] = {0,   16,  64,
                                          128, 160, 224}; /* in a thread's row, in the dump */

/* Fills the pool from the thread's row. */
static void load_pool(struct maker *m, struct statement **body) {
  for (int c = 0; c <= CLASS_PRED; c++) {
    struct leaf leaf = {.count = 0};
    for (int i = 0; i < POOL; i++) {
      enum class class = c == CLASS_PRED ? CLASS_B32 : (enum class)c;
      struct operand to = reg(class, c == CLASS_PRED ? R_TEMP : i);
      add_load(&leaf, SPACE_GLOBAL, pool_types[c], to, reg(CLASS_B64, RD_ROW),
               pool_offsets[c] + i * class_bytes(class));
      if (c != CLASS_PRED) continue;
      struct code *test = add(&leaf, SETP);
      memcpy(test->name, "lt", 3);
      memcpy(test->type, "s32", 4);
      test->to[0] = reg(CLASS_PRED, i), test->to_count = 1;
      test->from[0] = to, test->from[1] = imm(CLASS_B32, 0), test->from_count = 2;
    }
    append_leaf(m, body, &leaf);
  }
}

/* zero to the bytes of an array, 16 at a time. */
static void clear(struct maker *m, struct statement **body, enum space space, int base, int bytes) {
  struct leaf leaf = {.count = 0};
  for (int at = 0; at < bytes; at += 16) {
    struct code *c = add_memory(&leaf, STORE, space, "u32", 4, reg(CLASS_B64, base), at);
    for (int i = 0; i < 4; i++)
      c->from[c->from_count++] = imm(CLASS_B32, (uint64_t)(at + i) * 0x01010101u);
  }
  append_leaf(m, body, &leaf);
}

static void begin_kernel(struct maker *m, struct statement **body) {
  static const char *const names[] = {"k0", "k1", "k2", "k3", "k4"};
  static const int to[] = {RD_INPUT, RD_ROW, RD_COLUMNS, RD_TALLIES, RD_DUMP};
  struct kernel *k = m->kernel;
  struct leaf leaf = {.count = 0};
  add_special(&leaf, "%tid.x", R_TID);
  add_special(&leaf, "%ctaid.x", R_BLOCK);
  add_row(&leaf, "mad.lo.s32", reg(CLASS_B32, R_THREAD), reg(CLASS_B32, R_BLOCK),
          imm(CLASS_B32, k->threads), reg(CLASS_B32, R_TID));
  struct code *c = add(&leaf, ACTIVE_MASK);
  c->to[0] = reg(CLASS_B32, R_MEMBERS), c->to_count = 1;
  for (int i = 0; i < 5; i++) add_param(&leaf, "u64", names[i], reg(CLASS_B64, to[i]));
  add_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_ROW), reg(CLASS_B32, R_THREAD),
          imm(CLASS_B32, ROW_BYTES), reg(CLASS_B64, RD_ROW));
  add_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_DUMP), reg(CLASS_B32, R_THREAD),
          imm(CLASS_B32, DUMP_BYTES), reg(CLASS_B64, RD_DUMP));
  add_address(&leaf, VARIABLE_SHARED, 0, RD_SHARED);
  add_address(&leaf, VARIABLE_SHARED, TALLIES * 8, RD_SHARED_COLUMNS);
  add_address(&leaf, VARIABLE_SHARED, TALLIES * 8 + (int64_t)column_start(k->threads, UNITS),
              RD_SHARED_ROW);
  add_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_SHARED_ROW), reg(CLASS_B32, R_TID),
          imm(CLASS_B32, SHARED_ROW), reg(CLASS_B64, RD_SHARED_ROW));
  add_address(&leaf, VARIABLE_LOCAL, 0, RD_LOCAL);
  add_address(&leaf, VARIABLE_CONST, 0, RD_CONST);
  append_leaf(m, body, &leaf);
  clear(m, body, SPACE_LOCAL, RD_LOCAL, LOCAL_BYTES);
  clear(m, body, SPACE_SHARED, RD_SHARED_ROW, SHARED_ROW);
  /* Columns and counters: the threads take turns. */
  leaf.count = 0;
  for (size_t at = 0; at < shared_bytes(k) - k->threads * (size_t)SHARED_ROW;
       at += 16 * k->threads) {
    struct operand mine = reg(CLASS_B32, R_TEMP), address = reg(CLASS_B64, RD_TEMP);
    add_row(&leaf, "mad.wide.u32", address, reg(CLASS_B32, R_TID), imm(CLASS_B32, 16),
            reg(CLASS_B64, RD_SHARED));
    add_row(&leaf, "mad.lo.u32", mine, reg(CLASS_B32, R_TID), imm(CLASS_B32, 16),
            imm(CLASS_B32, at));
    struct code *test = add(&leaf, SETP);
    memcpy(test->name, "lt", 3);
    memcpy(test->type, "u32", 4);
    test->to[0] = reg(CLASS_PRED, P_TEMP), test->to_count = 1;
    test->from[0] = mine, test->from_count = 2;
    test->from[1] = imm(CLASS_B32, shared_bytes(k) - k->threads * (size_t)SHARED_ROW);
    struct code *store = add_memory(&leaf, STORE, SPACE_SHARED, "u32", 4, address, (int64_t)at);
    for (int i = 0; i < 4; i++) store->from[store->from_count++] = mine;
    store->guard = P_TEMP;
    if (leaf.count > MOST_CODES - 8) append_leaf(m, body, &leaf), leaf.count = 0;
  }
  add(&leaf, BARRIER);
  append_leaf(m, body, &leaf);
  load_pool(m, body);
}

static void copy_to_dump(struct leaf *leaf, enum space space, int base, int64_t from, int to,
                         int bytes) {
  static const char *const types[] = {"u8", "u16", "u32", "u64", "u32"};
  int u = bytes == 1   ? 0
          : bytes == 2 ? 1
          : bytes == 4 ? 2
          : bytes == 8 ? 3
                       : 4,
      count = u == 4 ? 4 : 1;
  enum class class = u == 3 ? CLASS_B64 : CLASS_B32;
  int first = class == CLASS_B64 ? RD_TEMP : R_TEMP;
  struct code *load = add_memory(leaf, LOAD, space, types[u], count, reg(CLASS_B64, base), from);
  for (int i = 0; i < count; i++) load->to[load->to_count++] = reg(class, first + i);
  struct code *store =
      add_memory(leaf, STORE, SPACE_GLOBAL, types[u], count, reg(CLASS_B64, RD_DUMP), to);
  for (int i = 0; i < count; i++) store->from[store->from_count++] = reg(class, first + i);
}

enum { DUMP_SHARED = 256, DUMP_LOCAL = 320, DUMP_COLUMNS = 448, DUMP_COUNTER = 576 };

/* After a barrier: counters, and each thread's part of shared memory. */
static void dump_shared(struct maker *m, struct statement **body) {
  struct kernel *k = m->kernel;
  struct leaf leaf = {.count = 0};
  add(&leaf, BARRIER);
  for (int at = 0; at < SHARED_ROW; at += 16)
    copy_to_dump(&leaf, SPACE_SHARED, RD_SHARED_ROW, at, DUMP_SHARED + at, 16);
  append_leaf(m, body, &leaf);
  int to = DUMP_COLUMNS;
  for (int u = UNITS - 1; u >= 0; u--) {
    leaf.count = 0;
    add_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_TEMP + 7), reg(CLASS_B32, R_TID),
            imm(CLASS_B32, 1u << u), reg(CLASS_B64, RD_SHARED_COLUMNS));
    for (unsigned plane = 0; plane < PLANES; plane++, to += 1 << u)
      copy_to_dump(&leaf, SPACE_SHARED, RD_TEMP + 7,
                   (int64_t)(column_start(k->threads, u) + ((size_t)plane * k->threads << u)), to,
                   1 << u);
    append_leaf(m, body, &leaf);
  }
  leaf.count = 0;
  add_row(&leaf, "and.b32", reg(CLASS_B32, R_TEMP), reg(CLASS_B32, R_TID),
          imm(CLASS_B32, TALLIES - 1), none);
  add_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_TEMP + 7), reg(CLASS_B32, R_TEMP),
          imm(CLASS_B32, 8), reg(CLASS_B64, RD_SHARED));
  copy_to_dump(&leaf, SPACE_SHARED, RD_TEMP + 7, 0, DUMP_COUNTER, 8);
  add(&leaf, BARRIER);
  append_leaf(m, body, &leaf);
}

static void dump_rest(struct maker *m, struct statement **body) {
  for (int c = 0; c <= CLASS_PRED; c++) {
    for (int i = 0; i < POOL; i++) {
      struct leaf leaf = {.count = 0};
      enum class class = c == CLASS_PRED ? CLASS_B32 : (enum class)c;
      struct operand value = tidy(&leaf, reg((enum class)c, i), 0);
      if (c == CLASS_PRED) {
        struct code *pick = add(&leaf, SELP);
        memcpy(pick->type, "u32", 4);
        pick->to[0] = reg(CLASS_B32, R_TEMP), pick->to_count = 1;
        pick->from[0] = imm(CLASS_B32, 1), pick->from[1] = imm(CLASS_B32, 0), pick->from[2] = value;
        pick->from_count = 3;
        value = pick->to[0];
      }
      add_store(&leaf, SPACE_GLOBAL, pool_types[c], reg(CLASS_B64, RD_DUMP),
                pool_offsets[c] + i * class_bytes(class), value);
      append_leaf(m, body, &leaf);
    }
  }
  struct leaf leaf = {.count = 0};
  for (int at = 0; at < LOCAL_BYTES; at += 16)
    copy_to_dump(&leaf, SPACE_LOCAL, RD_LOCAL, at, DUMP_LOCAL + at, 16);
  append_leaf(m, body, &leaf);
}

static void make_kernel_body(struct maker *m) {
  struct function *f = &m->kernel->functions[0];
  m->function = 0;
  begin_kernel(m, &f->body);
  struct place top = {.uniform = true, .members = R_MEMBERS};
  int statements = 10 + (int)below(m, 60);
  m->budget = 3 * statements;
  append(&f->body, make_statements(m, top, statements));
  dump_shared(m, &f->body);
  struct place end = {.members = -1, .returns = true};
  m->budget = 20;
  /* What is in shared memory has been read. */
  append(&f->body, make_statements(m, end, (int)below(m, 12)));
  dump_rest(m, &f->body);
}

static void add_result(struct maker *m, struct leaf *leaf, const struct function *f,
                       struct operand value) {
  (void)m;
  struct operand tidied = tidy(leaf, value, 0);
  add_store(leaf, SPACE_PARAM, f->result_type, none, 0, tidied);
  memcpy(leaf->codes[leaf->count - 1].name, "r0", 3);
}

static void choose_type(struct maker *m, enum class *class, char *type) {
  const char *chosen;
  int count;
  do pick_access(m, &chosen, class, &count);
  while (0);
  memcpy(type, chosen, strlen(chosen) + 1);
}

static void make_function_body(struct maker *m, int number) {
  struct function *f = &m->kernel->functions[number];
  struct leaf leaf = {.count = 0};
  m->function = number;
  add_param(&leaf, "b64", "q0", reg(CLASS_B64, RD_INPUT));
  add_param(&leaf, "b64", "q1", reg(CLASS_B64, RD_ROW));
  add_param(&leaf, "b64", "q2", reg(CLASS_B64, RD_SHARED_ROW));
  add_address(&leaf, VARIABLE_LOCAL, 0, RD_LOCAL);
  add_address(&leaf, VARIABLE_CONST, 0, RD_CONST);
  append_leaf(m, &f->body, &leaf);
  clear(m, &f->body, SPACE_LOCAL, RD_LOCAL, LOCAL_BYTES);
  load_pool(m, &f->body);
  leaf.count = 0;
  for (int i = 0; i < f->argument_count; i++) {
    char name[4] = {'p', (char)('0' + i)}, type[4];
    memcpy(type, f->argument_type[i], 4);
    if (type[0] != 'f' && f->argument_class[i] < CLASS_F32)
      type[0] = "bus"[below(m, 3)]; /* extended otherwise */
    add_param(&leaf, type, name, pool(m, f->argument_class[i]));
  }
  add_result(m, &leaf, f, pool(m, f->result_class)); /* for those who return early */
  append_leaf(m, &f->body, &leaf);
  struct place place = {.members = -1, .returns = true};
  m->budget = 20;
  append(&f->body, make_statements(m, place, 3 + (int)below(m, 12)));
  leaf.count = 0;
  add_result(m, &leaf, f, pool(m, f->result_class));
  append_leaf(m, &f->body, &leaf);
}

struct kernel *kernel_make(uint64_t seed) {
  static const unsigned sizes[] = {32, 32, 64, 96, 40, 33};
  struct kernel *k = calloc(1, sizeof *k);
  if (!k) abort();
  struct sim_random seeds = {seed};
  struct maker m = {.kernel = k, .random = {sim_next(&seeds)}}; /* neighbours have nothing in common */
  k->seed = seed;
  k->threads = sizes[below(&m, sizeof sizes / sizeof *sizes)];
  k->blocks = 1 + below(&m, MOST_BLOCKS);
  k->function_count = 1 + (int)below(&m, MOST_FUNCTIONS);
  rows_count();
  for (int i = 1; i < k->function_count; i++) {
    struct function *f = &k->functions[i];
    f->argument_count = (int)below(&m, MOST_ARGUMENTS + 1);
    for (int a = 0; a < f->argument_count; a++)
      choose_type(&m, &f->argument_class[a], f->argument_type[a]);
    choose_type(&m, &f->result_class, f->result_type);
  }
  for (int i = k->function_count - 1; i > 0; i--) make_function_body(&m, i);
  make_kernel_body(&m);
  kernel_flatten(k);
  return k;
}

void kernel_free(struct kernel *k) {
  for (size_t i = 0; i < k->owned_count; i++) free(k->owned[i]);
  for (int i = 0; i < MOST_FUNCTIONS; i++) free(k->functions[i].code);
  free(k->owned);
  free(k);
}

static int list_statements(struct statement *s, struct statement **list, int count, int room) {
  for (; s; s = s->next) {
    if (s->shape != SEQUENCE && count < room) list[count++] = s;
    count = list_statements(s->body, list, count, room);
    count = list_statements(s->other, list, count, room);
  }
  return count;
}

int kernel_statements(const struct kernel *kernel, struct statement **list, int room) {
  int count = 0;
  for (int i = 0; i < kernel->function_count; i++)
    count = list_statements(kernel->functions[i].body, list, count, room);
  return count;
}

/* ---- what is in memory at first ---- */

static unsigned char *random_bytes(struct sim_random *random, size_t bytes) {
  unsigned char *memory = malloc(bytes + 16);
  if (!memory) abort();
  for (size_t at = 0; at < bytes; at += 8) {
    uint64_t value = edge(random, CLASS_B64);
    if (sim_below(random, 3) == 0) value = edge(random, CLASS_F64);
    if (sim_below(random, 3) == 0) value = edge(random, CLASS_F32) | edge(random, CLASS_F32) << 32;
    memcpy(memory + at, &value, 8);
  }
  return memory;
}

void arrays_fill(const struct kernel *k, struct arrays *arrays) {
  struct sim_random random = {k->seed ^ UINT64_C(0x5851f42d4c957f2d)};
  arrays->input_bytes = random_bytes(&random, INPUT_BYTES);
  arrays->row_bytes = random_bytes(&random, row_bytes(k));
  arrays->column_bytes = random_bytes(&random, column_bytes(k));
  arrays->counter_bytes = random_bytes(&random, TALLIES * 8);
  arrays->dump_bytes = calloc(threads_of(k), DUMP_BYTES);
  if (!arrays->dump_bytes) abort();
  for (int i = 0; i < CONST_BYTES; i++) arrays->constants[i] = (unsigned char)sim_next(&random);
  for (size_t i = 0; i < sizeof arrays->params; i++)
    arrays->params[i] = (unsigned char)sim_next(&random);
  uint64_t addresses[] = {arrays->input, arrays->rows, arrays->columns, arrays->counters,
                          arrays->dump};
  memcpy(arrays->params, addresses, sizeof addresses);
}

void arrays_free(struct arrays *arrays) {
  free(arrays->input_bytes);
  free(arrays->row_bytes);
  free(arrays->column_bytes);
  free(arrays->counter_bytes);
  free(arrays->dump_bytes);
}
