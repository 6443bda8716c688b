/* kernel_make.c: makes random kernels (random_kernel.h).
 *
 * What keeps a kernel free of races, whatever its statements are: a thread writes only its own row
 * and its own elements of the columns, of global and of shared memory, and its local memory. It
 * reads those of others only between two barriers. Counters that all may change are changed by one
 * commuting operation each, and read in the end.
 *
 * What keeps its results those of any correct machine: no operation whose last bits are open (see
 * kernel_rows.c), no bits of a NaN (they are made the same before a float becomes bits), shuffles
 * only from lanes that take part.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/kernel_parts.h"
#include "tests/fuzz/kernel_rows.h"

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
    struct code *c = leaf_add(&leaf, VOTE);
    memcpy(c->name, "ballot.b32", 11);
    c->to[0] = reg(CLASS_B32, then.members), c->to_count = 1;
    c->from[0] = reg(CLASS_PRED, p), c->from[0].negated = negated;
    c->from[1] = reg(CLASS_B32, place.members), c->from_count = 2;
    leaf_row(&leaf, "xor.b32", reg(CLASS_B32, other.members), reg(CLASS_B32, place.members),
             reg(CLASS_B32, then.members), no_operand);
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
    leaf_row(&leaf, "mov.u32", counter, imm(CLASS_B32, 1 + below(m, 4)), no_operand, no_operand);
  } else {
    leaf_row(&leaf, "and.b32", counter, pool(m, CLASS_B32), imm(CLASS_B32, chance(m, 80) ? 3 : 7),
             no_operand);
    leaf_row(&leaf, "add.s32", counter, counter, imm(CLASS_B32, 1), no_operand);
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
  if (place->depth < MAX_DEPTH && m->budget > 0) {
    unsigned which = below(m, 100);
    if (which < 12) return make_if(m, *place);
    if (which < 18 && place->loops < 3) return make_loop(m, *place);
  }
  struct leaf leaf = {.count = 0};
  if (place->breaks > 0 && chance(m, 6)) {
    struct code *c = leaf_add(&leaf, BRANCH);
    c->guard = (int)below(m, POOL);
    c->guard_negated = chance(m, 50);
    struct statement *s = new_statement(m, LEAF, &leaf);
    s->breaks = 1 + (int)below(m, (unsigned)place->breaks);
    return s;
  }
  if (place->returns && chance(m, 5)) {
    struct code *c = leaf_add(&leaf, RETURN);
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
  struct code *c = leaf_add(leaf, SPECIAL);
  memcpy(c->name, name, strlen(name) + 1);
  c->to[0] = reg(CLASS_B32, to), c->to_count = 1;
}

static void add_address(struct leaf *leaf, enum variable variable, int64_t offset, int to) {
  struct code *c = leaf_add(leaf, ADDRESS);
  c->target = (int)variable;
  c->offset = offset;
  c->to[0] = reg(CLASS_B64, to), c->to_count = 1;
}

static void add_param(struct leaf *leaf, const char *type, const char *name, struct operand to) {
  leaf_load(leaf, SPACE_PARAM, type, to, no_operand, 0);
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
      leaf_load(&leaf, SPACE_GLOBAL, pool_types[c], to, reg(CLASS_B64, RD_ROW),
                pool_offsets[c] + i * class_bytes(class));
      if (c != CLASS_PRED) continue;
      struct code *test = leaf_add(&leaf, SETP);
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
    struct code *c = leaf_memory(&leaf, STORE, space, "u32", 4, reg(CLASS_B64, base), at);
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
  leaf_row(&leaf, "mad.lo.s32", reg(CLASS_B32, R_THREAD), reg(CLASS_B32, R_BLOCK),
           imm(CLASS_B32, k->threads), reg(CLASS_B32, R_TID));
  struct code *c = leaf_add(&leaf, ACTIVE_MASK);
  c->to[0] = reg(CLASS_B32, R_MEMBERS), c->to_count = 1;
  for (int i = 0; i < 5; i++) add_param(&leaf, "u64", names[i], reg(CLASS_B64, to[i]));
  leaf_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_ROW), reg(CLASS_B32, R_THREAD),
           imm(CLASS_B32, ROW_BYTES), reg(CLASS_B64, RD_ROW));
  leaf_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_DUMP), reg(CLASS_B32, R_THREAD),
           imm(CLASS_B32, DUMP_BYTES), reg(CLASS_B64, RD_DUMP));
  add_address(&leaf, VARIABLE_SHARED, 0, RD_SHARED);
  add_address(&leaf, VARIABLE_SHARED, TALLIES * 8, RD_SHARED_COLUMNS);
  add_address(&leaf, VARIABLE_SHARED, TALLIES * 8 + (int64_t)column_start(k->threads, UNITS),
              RD_SHARED_ROW);
  leaf_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_SHARED_ROW), reg(CLASS_B32, R_TID),
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
    leaf_row(&leaf, "mad.wide.u32", address, reg(CLASS_B32, R_TID), imm(CLASS_B32, 16),
             reg(CLASS_B64, RD_SHARED));
    leaf_row(&leaf, "mad.lo.u32", mine, reg(CLASS_B32, R_TID), imm(CLASS_B32, 16),
             imm(CLASS_B32, at));
    struct code *test = leaf_add(&leaf, SETP);
    memcpy(test->name, "lt", 3);
    memcpy(test->type, "u32", 4);
    test->to[0] = reg(CLASS_PRED, P_TEMP), test->to_count = 1;
    test->from[0] = mine, test->from_count = 2;
    test->from[1] = imm(CLASS_B32, shared_bytes(k) - k->threads * (size_t)SHARED_ROW);
    struct code *store = leaf_memory(&leaf, STORE, SPACE_SHARED, "u32", 4, address, (int64_t)at);
    for (int i = 0; i < 4; i++) store->from[store->from_count++] = mine;
    store->guard = P_TEMP;
    if (leaf.count > MAX_CODES - 8) append_leaf(m, body, &leaf), leaf.count = 0;
  }
  leaf_add(&leaf, BARRIER);
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
  struct code *load = leaf_memory(leaf, LOAD, space, types[u], count, reg(CLASS_B64, base), from);
  for (int i = 0; i < count; i++) load->to[load->to_count++] = reg(class, first + i);
  struct code *store =
      leaf_memory(leaf, STORE, SPACE_GLOBAL, types[u], count, reg(CLASS_B64, RD_DUMP), to);
  for (int i = 0; i < count; i++) store->from[store->from_count++] = reg(class, first + i);
}

enum { DUMP_SHARED = 256, DUMP_LOCAL = 320, DUMP_COLUMNS = 448, DUMP_COUNTER = 576 };

/* After a barrier: counters, and each thread's part of shared memory. */
static void dump_shared(struct maker *m, struct statement **body) {
  struct kernel *k = m->kernel;
  struct leaf leaf = {.count = 0};
  leaf_add(&leaf, BARRIER);
  for (int at = 0; at < SHARED_ROW; at += 16)
    copy_to_dump(&leaf, SPACE_SHARED, RD_SHARED_ROW, at, DUMP_SHARED + at, 16);
  append_leaf(m, body, &leaf);
  int to = DUMP_COLUMNS;
  for (int u = UNITS - 1; u >= 0; u--) {
    leaf.count = 0;
    leaf_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_TEMP + 7), reg(CLASS_B32, R_TID),
             imm(CLASS_B32, 1u << u), reg(CLASS_B64, RD_SHARED_COLUMNS));
    for (unsigned plane = 0; plane < PLANES; plane++, to += 1 << u)
      copy_to_dump(&leaf, SPACE_SHARED, RD_TEMP + 7,
                   (int64_t)(column_start(k->threads, u) + ((size_t)plane * k->threads << u)), to,
                   1 << u);
    append_leaf(m, body, &leaf);
  }
  leaf.count = 0;
  leaf_row(&leaf, "and.b32", reg(CLASS_B32, R_TEMP), reg(CLASS_B32, R_TID),
           imm(CLASS_B32, TALLIES - 1), no_operand);
  leaf_row(&leaf, "mad.wide.u32", reg(CLASS_B64, RD_TEMP + 7), reg(CLASS_B32, R_TEMP),
           imm(CLASS_B32, 8), reg(CLASS_B64, RD_SHARED));
  copy_to_dump(&leaf, SPACE_SHARED, RD_TEMP + 7, 0, DUMP_COUNTER, 8);
  leaf_add(&leaf, BARRIER);
  append_leaf(m, body, &leaf);
}

static void dump_rest(struct maker *m, struct statement **body) {
  for (int c = 0; c <= CLASS_PRED; c++) {
    for (int i = 0; i < POOL; i++) {
      struct leaf leaf = {.count = 0};
      enum class class = c == CLASS_PRED ? CLASS_B32 : (enum class)c;
      struct operand value = leaf_tidy(&leaf, reg((enum class)c, i), 0);
      if (c == CLASS_PRED) {
        struct code *pick = leaf_add(&leaf, SELP);
        memcpy(pick->type, "u32", 4);
        pick->to[0] = reg(CLASS_B32, R_TEMP), pick->to_count = 1;
        pick->from[0] = imm(CLASS_B32, 1), pick->from[1] = imm(CLASS_B32, 0), pick->from[2] = value;
        pick->from_count = 3;
        value = pick->to[0];
      }
      leaf_store(&leaf, SPACE_GLOBAL, pool_types[c], reg(CLASS_B64, RD_DUMP),
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
  struct operand tidied = leaf_tidy(leaf, value, 0);
  leaf_store(leaf, SPACE_PARAM, f->result_type, no_operand, 0, tidied);
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

struct kernel *kernel_make(uint64_t seed, bool exact) {
  static const unsigned sizes[] = {32, 32, 64, 96, 40, 33, 48, 16, 8, 20, 1};
  struct kernel *k = calloc(1, sizeof *k);
  if (!k) abort();
  struct sim_random seeds = {seed};
  struct maker m = {.kernel = k,
                    .random = {sim_next(&seeds)}, /* neighbours have nothing in common */
                    .exact = exact};
  k->seed = seed;
  k->threads = sizes[below(&m, sizeof sizes / sizeof *sizes)];
  k->blocks = 1 + below(&m, MAX_BLOCKS);
  k->function_count = 1 + (int)below(&m, MAX_FUNCTIONS);
  rows_count();
  for (int i = 1; i < k->function_count; i++) {
    struct function *f = &k->functions[i];
    f->argument_count = (int)below(&m, MAX_ARGUMENTS + 1);
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
  for (int i = 0; i < MAX_FUNCTIONS; i++) free(k->functions[i].code);
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
    uint64_t value = random_value(random, CLASS_B64);
    if (sim_below(random, 3) == 0) value = random_value(random, CLASS_F64);
    if (sim_below(random, 3) == 0)
      value = random_value(random, CLASS_F32) | random_value(random, CLASS_F32) << 32;
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
