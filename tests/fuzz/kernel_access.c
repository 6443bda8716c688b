/* kernel_access.c: leaves of random kernels that go to memory or to other threads (kernel_parts.h).
 * What keeps them free of races is in kernel_make.c. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/kernel_parts.h"

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

/* base + (a random number below bytes / unit) * unit: the same for all lanes, or one for each. */
static struct address within(struct maker *m, struct leaf *leaf, enum space space,
                             struct operand base, int bytes, int unit) {
  int units = bytes / unit;
  if (chance(m, 60))
    return (struct address){space, base, (int64_t)below(m, (unsigned)units) * unit, NULL};
  struct operand index = reg(CLASS_B32, R_TEMP + (int)below(m, TEMPS)), wide = temp_address(m),
                 sum = temp_address(m);
  while (wide.reg == base.reg) wide = temp_address(m);
  leaf_row(leaf, "and.b32", index, pool(m, CLASS_B32), imm(CLASS_B32, (uint64_t)units - 1),
           no_operand);
  leaf_row(leaf, "mul.wide.u32", wide, index, imm(CLASS_B32, (uint64_t)unit), no_operand);
  leaf_row(leaf, "add.s64", sum, base, wide, no_operand);
  int64_t shift = chance(m, 30) ? (int64_t)below(m, 8) * 16 : 0;
  if (shift) leaf_row(leaf, "sub.s64", sum, sum, imm(CLASS_B64, (uint64_t)shift), no_operand);
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
  leaf_row(leaf, "mad.wide.u32", at, reg(CLASS_B32, shared ? R_TID : R_THREAD),
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
          return (struct address){SPACE_PARAM, no_operand,
                                  (int64_t)below(m, (unsigned)(PARAM_BYTES / unit)) * unit, "data"};
        struct operand base = temp_address(m);
        struct code *c = leaf_add(leaf, ADDRESS);
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
  struct code *c = leaf_add(leaf, TO_GENERIC);
  c->space = a->space;
  c->to[0] = generic, c->to_count = 1;
  c->from[0] = a->base, c->from_count = 1;
  if (chance(m, 20)) { /* there and back */
    struct code *back = leaf_add(leaf, TO_GENERIC);
    memcpy(back->name, ".to", 4);
    back->space = a->space;
    back->to[0] = back->from[0] = generic, back->to_count = back->from_count = 1;
  } else {
    if (a->offset == 0 && a->space != SPACE_CONST &&
        chance(m, 30)) { /* else the base may lie outside of its array */
      struct code *ask = leaf_add(leaf, IN_SPACE);
      ask->space = (enum space)below(m, 3);
      ask->to[0] = pool(m, CLASS_PRED), ask->to_count = 1;
      ask->from[0] = generic, ask->from_count = 1;
    }
    a->space = SPACE_GENERIC;
  }
  a->base = generic;
}

/* exact: ptxas 13.0 forgets now and then to extend what it has loaded into a wider register. */
void pick_access(struct maker *m, const char **type, enum class *class, int *count) {
  static const char *const types[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32",
                                      "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
  do *type = PICK(m, types);
  while (m->exact && atoi(*type + 1) == 8); /* no register is so narrow */
  int size = atoi(*type + 1) / 8;
  do *class = (enum class)below(m, CLASS_PRED);
  while (*class == CLASS_F32 || *class == CLASS_F64
             ? (*type)[0] == 's' || (*type)[0] == 'u' || size != class_bytes(*class)
             : (*type)[0] == 'f' || size > class_bytes(*class) ||
                   (m->exact && size < class_bytes(*class)));
  do *count = 1 << below(m, 3);
  while (*count * size > 16);
}

void make_load(struct maker *m, struct leaf *leaf) {
  const char *type;
  enum class class;
  int count;
  pick_access(m, &type, &class, &count);
  struct address a = find_address(m, leaf, atoi(type + 1) / 8 * count, false);
  maybe_generic(m, leaf, &a);
  struct code *c = leaf_memory(leaf, LOAD, a.space, type, count, a.base, a.offset);
  if (a.name) memcpy(c->name, a.name, strlen(a.name) + 1);
  int first = (int)below(m, POOL);
  for (int i = 0; i < count; i++) c->to[i] = reg(class, (first + i * 3) % POOL);
  c->to_count = count;
}

void make_store(struct maker *m, struct leaf *leaf) {
  const char *type;
  enum class class;
  int count;
  pick_access(m, &type, &class, &count);
  struct operand values[4];
  bool constants = chance(m, 10);
  for (int i = 0; i < count; i++)
    values[i] = constants && class != CLASS_B16 ? imm(class, random_value(&m->random, class))
                                                : leaf_tidy(leaf, pool(m, class), i);
  struct address a = find_address(m, leaf, atoi(type + 1) / 8 * count, true);
  maybe_generic(m, leaf, &a);
  struct code *c = leaf_memory(leaf, STORE, a.space, type, count, a.base, a.offset);
  for (int i = 0; i < count; i++) c->from[c->from_count++] = values[i];
}

/* Neighbouring loads or stores of this thread's row in shared memory, which ptxas would merge. */
void make_neighbours(struct maker *m, struct leaf *leaf) {
  bool wide = chance(m, 30), loads = chance(m, 50);
  const char *type = wide ? "u64" : "u32";
  int size = wide ? 8 : 4, count = wide ? 2 : 4, first = (int)below(m, SHARED_ROW / 16) * 16;
  int from = (int)below(m, POOL);
  for (int i = 0; i < count; i++) {
    struct operand base = reg(CLASS_B64, RD_SHARED_ROW),
                   value = reg(wide ? CLASS_B64 : CLASS_B32, (from + i) % POOL);
    int at = first + (chance(m, 90) ? i : (int)below(m, (unsigned)count)) * size;
    if (loads)
      leaf_load(leaf, SPACE_SHARED, type, value, base, at);
    else
      leaf_store(leaf, SPACE_SHARED, type, base, at, value);
    if (chance(m, 15))
      leaf_row(leaf, "add.s32", pool(m, CLASS_B32), pool(m, CLASS_B32), pool(m, CLASS_B32),
               no_operand);
    if (chance(m, 20)) { /* in the way of some */
      struct address other = {SPACE_SHARED, base, first + (int)below(m, 4) * 4, NULL};
      maybe_generic(m, leaf, &other);
      leaf_store(leaf, other.space, "u32", other.base, other.offset, pool(m, CLASS_B32));
    }
  }
}

/* p = p->next: a pointer to the thread's own row, stored there, loaded, and followed. Its address
 * is the same on both sides. */
void make_chase(struct maker *m, struct leaf *leaf) {
  struct operand row = reg(CLASS_B64, RD_ROW), pointer = temp_address(m), to = temp_address(m);
  for (int i = 0; i < 2; i++) {
    struct address a = within(m, leaf, SPACE_GLOBAL, row, ROW_BYTES, 8);
    leaf_row(leaf, "add.s64", to, a.base, imm(CLASS_B64, (uint64_t)a.offset), no_operand);
    leaf_store(leaf, SPACE_GLOBAL, "u64", row, 8 * i, to);
  }
  leaf_row(leaf, "mov.u64", pointer, row, no_operand, no_operand);
  leaf_load(leaf, SPACE_GLOBAL, "u64", pointer, pointer, 0);
  if (chance(m, 50)) {
    leaf_load(leaf, SPACE_GLOBAL, "u64", pool(m, CLASS_B64), pointer, 0);
  } else {
    leaf_row(leaf, "mov.u64", pointer, row, no_operand, no_operand);
    struct code *c = leaf_memory(leaf, LOAD, SPACE_GLOBAL, "u64", 2, pointer, 0);
    c->to[0] = pointer, c->to[1] = pool(m, CLASS_B64), c->to_count = 2;
    leaf_load(leaf, SPACE_GLOBAL, "u32", pool(m, CLASS_B32), pointer, 0);
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

void make_atomic(struct maker *m, struct leaf *leaf) {
  bool common = chance(m, 40);
  unsigned which = below(m, common ? TALLIES : sizeof atomic_kinds / sizeof *atomic_kinds);
  const char *op = atomic_kinds[which][0], *type = atomic_kinds[which][1];
  enum class class = class_of_type(type);
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
  struct code *c = leaf_memory(leaf, ATOMIC, a.space, type, 1, a.base, a.offset);
  memcpy(c->name, op, strlen(op) + 1);
  if (!common && (cas || exchange || chance(m, 60))) c->to[0] = pool(m, class), c->to_count = 1;
  for (int i = 0; i < (cas ? 2 : 1); i++) c->from[c->from_count++] = random_source(m, class);
}

/* Sums of floats that are no NaN. */
void make_float_atomic(struct maker *m, struct leaf *leaf) {
  bool wide = chance(m, 50), shared = chance(m, 50);
  enum class class = wide ? CLASS_F64 : CLASS_F32;
  const char *type = wide ? "f64" : "f32";
  struct operand before = reg(class, F_TEMP), value = reg(class, F_TEMP + 1);
  leaf_row(leaf, wide ? "cvt.rn.f64.s32" : "cvt.rn.f32.s32", before, pool(m, CLASS_B32), no_operand,
           no_operand);
  leaf_row(leaf, wide ? "cvt.rn.f64.u16" : "cvt.rn.f32.u16", value, pool(m, CLASS_B16), no_operand,
           no_operand);
  struct address a = within(m, leaf, shared ? SPACE_SHARED : SPACE_GLOBAL,
                            reg(CLASS_B64, shared ? RD_SHARED_ROW : RD_ROW),
                            shared ? SHARED_ROW : ROW_BYTES, class_bytes(class));
  leaf_store(leaf, a.space, type, a.base, a.offset, before);
  maybe_generic(m, leaf, &a);
  struct code *c = leaf_memory(leaf, ATOMIC, a.space, type, 1, a.base, a.offset);
  memcpy(c->name, "add", 4);
  if (chance(m, 60)) c->to[0] = pool(m, class), c->to_count = 1;
  c->from[c->from_count++] = value;
}

/* ---- between threads ---- */

void make_cross_lane(struct maker *m, struct leaf *leaf, const struct place *place) {
  static const char *const votes[] = {"ballot.b32", "all.pred", "any.pred", "uni.pred"};
  static const char *const shuffles[] = {"up", "down", "bfly", "idx"};
  bool full = place->members == R_MEMBERS && m->kernel->threads % 32 == 0;
  struct operand members = reg(CLASS_B32, place->members);
  if (full && chance(m, 60)) {
    struct code *c = leaf_add(leaf, SHUFFLE);
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
    struct code *c = leaf_add(leaf, !m->exact && chance(m, 50) ? ACTIVE_MASK : WARP_SYNC);
    if (c->kind == ACTIVE_MASK) c->to[0] = pool(m, CLASS_B32), c->to_count = 1;
    c->from[0] = members, c->from_count = 1;
    return;
  }
  struct code *c = leaf_add(leaf, VOTE);
  const char *vote = PICK(m, votes);
  memcpy(c->name, vote, strlen(vote) + 1);
  c->to[0] = pool(m, vote[0] == 'b' ? CLASS_B32 : CLASS_PRED), c->to_count = 1;
  c->from[0] = random_predicate(m), c->from[1] = members, c->from_count = 2;
}

/* Between two barriers: what other threads have in shared memory. */
void make_exchange(struct maker *m, struct leaf *leaf) {
  struct kernel *k = m->kernel;
  if (chance(m, 30)) {
    static const char *const names[] = {"popc.u32", "and.pred", "or.pred"};
    struct code *c = leaf_add(leaf, BARRIER_REDUCE);
    const char *name = PICK(m, names);
    memcpy(c->name, name, strlen(name) + 1);
    c->to[0] = pool(m, name[0] == 'p' ? CLASS_B32 : CLASS_PRED), c->to_count = 1;
    c->from[0] = random_predicate(m), c->from_count = 1;
    return;
  }
  leaf_add(leaf, BARRIER);
  int loads = 1 + (int)below(m, 3);
  for (int i = 0; i < loads; i++) {
    struct operand other = reg(CLASS_B32, R_TEMP + (int)below(m, TEMPS)), at = temp_address(m);
    leaf_row(leaf, "add.s32", other, chance(m, 50) ? reg(CLASS_B32, R_TID) : pool(m, CLASS_B32),
             imm(CLASS_B32, below(m, 64)), no_operand);
    leaf_row(leaf, "rem.u32", other, other, imm(CLASS_B32, k->threads), no_operand);
    int u = 2 + (int)below(m, 2);
    bool row = chance(m, 40);
    leaf_row(leaf, "mul.wide.u32", at, other, imm(CLASS_B32, row ? SHARED_ROW : 1u << u),
             no_operand);
    leaf_row(leaf, "add.s64", at, at, reg(CLASS_B64, RD_SHARED_COLUMNS), no_operand);
    int64_t offset =
        row ? (int64_t)column_start(k->threads, UNITS) + (int64_t)below(m, SHARED_ROW >> u << u)
            : (int64_t)(column_start(k->threads, u) + (below(m, PLANES) * k->threads << u));
    if (row) offset = offset >> u << u;
    leaf_load(leaf, SPACE_SHARED, u == 2 ? "u32" : "u64", pool(m, u == 2 ? CLASS_B32 : CLASS_B64),
              at, offset);
  }
  leaf_add(leaf, BARRIER);
}

void make_call(struct maker *m, struct leaf *leaf) {
  struct kernel *k = m->kernel;
  int callee = m->function + 1 + (int)below(m, (unsigned)(k->function_count - m->function - 1));
  const struct function *f = &k->functions[callee];
  struct operand arguments[MAX_ARGUMENTS];
  for (int i = 0; i < f->argument_count; i++)
    arguments[i] = leaf_tidy(leaf, pool(m, f->argument_class[i]), i);
  struct code *c = leaf_add(leaf, CALL);
  c->target = callee;
  c->from_count = f->argument_count;
  memcpy(c->from, arguments, sizeof arguments);
  c->to[0] = pool(m, f->result_class), c->to_count = 1;
}
