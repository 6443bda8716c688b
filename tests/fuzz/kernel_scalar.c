/* kernel_scalar.c: runs a random kernel a thread at a time, from the PTX ISA (random_kernel.h).
 *
 * It shares nothing with the simulator. A thread runs until it ends or needs others: at a barrier
 * those of its block, at a vote or shuffle the lanes that the mask names. Addresses of variables
 * are numbers of its own; no kernel looks at them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/kernel_rows.h"
#include "tests/fuzz/random_kernel.h"

enum { MAX_FRAMES = MAX_FUNCTIONS + 1, MAX_STEPS = 300000, LANES = 32 };
#define SHARED_BASE UINT64_C(0x100)
#define LOCAL_BASE UINT64_C(0x200)
#define CONST_BASE UINT64_C(0x3000)
#define PARAM_BASE UINT64_C(0x4000)
#define SHARED_BIT (UINT64_C(1) << 60)
#define LOCAL_BIT (UINT64_C(1) << 61)

struct frame {
  const struct function *function;
  int pc;
  uint64_t reg[CLASSES][REGISTERS];
  unsigned char local[LOCAL_BYTES], result[8];
  unsigned char arguments[3 + MAX_ARGUMENTS][8]; /* the three addresses, then the rest */
};

struct thread {
  enum { RUNS, WAITS_FOR_LANES, WAITS_FOR_BLOCK, DONE } state;
  int depth;
  struct frame frames[MAX_FRAMES];
};

struct machine {
  const struct kernel *kernel;
  struct arrays *arrays;
  struct thread *threads; /* of the block */
  unsigned char *shared;
  unsigned block;
  long steps;
  const char *error;
};

static struct frame *top(struct thread *t) { return &t->frames[t->depth]; }

static uint64_t cut(uint64_t value, int bytes) {
  return bytes >= 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* The low bytes as a type says, in a register of a class. */
static uint64_t extend(uint64_t value, const char *type, enum class class) {
  int bits = atoi(type + 1);
  value = cut(value, bits / 8);
  if (type[0] == 's' && bits < 64 && value >> (bits - 1)) value |= ~UINT64_C(0) << bits;
  return cut(value, class_bytes(class));
}

static uint64_t get(const struct frame *f, const struct operand *o) {
  if (o->kind != REGISTER) return o->value;
  uint64_t value = f->reg[o->class][o->reg];
  return o->class == CLASS_PRED ? value ^ o->negated : value;
}

static void set(struct frame *f, const struct operand *o, uint64_t value) {
  f->reg[o->class][o->reg] = o->class == CLASS_PRED ? value & 1 : cut(value, class_bytes(o->class));
}

/* ---- memory ---- */

static unsigned char *in(unsigned char *bytes, size_t room, uint64_t base, uint64_t address,
                         size_t size) {
  return address >= base && address - base <= room && size <= room - (address - base)
             ? bytes + (address - base)
             : NULL;
}

static unsigned char *find(struct machine *m, struct thread *t, enum space space, uint64_t address,
                           size_t size) {
  const struct kernel *k = m->kernel;
  struct arrays *a = m->arrays;
  unsigned char *place = NULL;
  if (space == SPACE_GENERIC) {
    space = address & SHARED_BIT ? SPACE_SHARED : address & LOCAL_BIT ? SPACE_LOCAL : SPACE_GLOBAL;
    if (space != SPACE_GLOBAL) address &= ~(SHARED_BIT | LOCAL_BIT);
  }
  if (space == SPACE_SHARED) place = in(m->shared, shared_bytes(k), SHARED_BASE, address, size);
  if (space == SPACE_LOCAL) place = in(top(t)->local, LOCAL_BYTES, LOCAL_BASE, address, size);
  if (space == SPACE_CONST) place = in(a->constants, CONST_BYTES, CONST_BASE, address, size);
  if (space == SPACE_PARAM) place = in(a->params + 48, PARAM_BYTES, PARAM_BASE, address, size);
  if (space == SPACE_GLOBAL) {
    place = in(a->input_bytes, INPUT_BYTES, a->input, address, size);
    if (!place) place = in(a->row_bytes, row_bytes(k), a->rows, address, size);
    if (!place) place = in(a->column_bytes, column_bytes(k), a->columns, address, size);
    if (!place) place = in(a->counter_bytes, TALLIES * 8, a->counters, address, size);
    if (!place) place = in(a->constants, CONST_BYTES, CONST_BASE, address, size); /* generic */
    if (!place) place = in(a->dump_bytes, threads_of(k) * DUMP_BYTES, a->dump, address, size);
  }
  if (!place)
    m->error = "an access outside of all arrays";
  else if ((address & (size - 1)) != 0)
    m->error = "a misaligned access";
  return m->error ? NULL : place;
}

/* A parameter by name: of the kernel, of a function, or a function's result. */
static unsigned char *find_param(struct machine *m, struct thread *t, const struct code *c) {
  struct frame *f = top(t);
  if (c->from[0].kind == REGISTER)
    return find(m, t, SPACE_PARAM, f->reg[CLASS_B64][c->from[0].reg] + (uint64_t)c->offset,
                (size_t)(c->size * c->count));
  switch (c->name[0]) {
    case 'k':
      return m->arrays->params + 8 * (c->name[1] - '0');
    case 'd':
      return m->arrays->params + 48 + c->offset;
    case 'q':
      return f->arguments[c->name[1] - '0'];
    case 'p':
      return f->arguments[3 + c->name[1] - '0'];
    default:
      return f->result;
  }
}

static unsigned char *address_of(struct machine *m, struct thread *t, const struct code *c) {
  if (c->space == SPACE_PARAM) return find_param(m, t, c);
  return find(m, t, c->space, get(top(t), &c->from[0]) + (uint64_t)c->offset,
              (size_t)(c->size * c->count));
}

static uint64_t low(const unsigned char *from, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | from[i];
  return value;
}
static void put(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static void load(struct machine *m, struct thread *t, const struct code *c) {
  const unsigned char *from = address_of(m, t, c);
  uint64_t values[MAX_TO];
  for (int i = 0; from && i < c->count; i++)
    values[i] = extend(low(from + i * c->size, c->size), c->type, c->to[i].class);
  for (int i = 0; from && i < c->count; i++) set(top(t), &c->to[i], values[i]);
}

static void store(struct machine *m, struct thread *t, const struct code *c) {
  unsigned char *to = address_of(m, t, c);
  for (int i = 0; to && i < c->count; i++)
    put(to + i * c->size, get(top(t), &c->from[1 + i]), c->size);
}

static float float_of(uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float f;
  memcpy(&f, &word, 4);
  return f;
}
static double double_of(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}

static int64_t signed_of(uint64_t value, int bytes) {
  return bytes == 8   ? (int64_t)value
         : bytes == 4 ? (int32_t)(uint32_t)value
                      : (int16_t)(uint16_t)value;
}

static void atomic(struct machine *m, struct thread *t, const struct code *c) {
  unsigned char *place = address_of(m, t, c);
  if (!place) return;
  uint64_t old = low(place, c->size), a = cut(get(top(t), &c->from[1]), c->size), next = old;
  const char *op = c->name;
  if (c->type[0] == 'f' && c->size == 4) {
    float sum = float_of(old) + float_of(a);
    uint32_t bits;
    memcpy(&bits, &sum, 4);
    next = bits;
  } else if (c->type[0] == 'f') {
    double sum = double_of(old) + double_of(a);
    memcpy(&next, &sum, 8);
  } else if (strcmp(op, "add") == 0) {
    next = old + a;
  } else if (strcmp(op, "exch") == 0) {
    next = a;
  } else if (strcmp(op, "cas") == 0) {
    if (old == a) next = get(top(t), &c->from[2]);
  } else if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0) {
    bool less = c->type[0] == 's' ? signed_of(a, c->size) < signed_of(old, c->size) : a < old;
    if (a != old && less == (op[1] == 'i')) next = a;
  } else if (strcmp(op, "inc") == 0) {
    next = old >= a ? 0 : old + 1;
  } else if (strcmp(op, "dec") == 0) {
    next = old == 0 || old > a ? a : old - 1;
  } else if (strcmp(op, "and") == 0) {
    next = old & a;
  } else if (strcmp(op, "or") == 0) {
    next = old | a;
  } else {
    next = old ^ a;
  }
  put(place, next, c->size);
  if (c->to_count) set(top(t), &c->to[0], old);
}

/* ---- what a thread does by itself ---- */

static bool compare(const char *name, const char *type, uint64_t x, uint64_t y) {
  size_t length = strcspn(name, ".");
  bool less, equal, open = false;
  if (type[0] == 'f') {
    double a = type[1] == '3' ? (double)float_of(x) : double_of(x),
           b = type[1] == '3' ? (double)float_of(y) : double_of(y);
    open = isnan(a) || isnan(b);
    less = !open && a < b, equal = !open && a == b;
    if (strncmp(name, "num", length) == 0) return !open;
    if (strncmp(name, "nan", length) == 0) return open;
    /* equ, ltu, ...: true if either is a NaN; ne is false then */
    if (open) return length == 3;
  } else {
    int bytes = atoi(type + 1) / 8;
    x = cut(x, bytes), y = cut(y, bytes);
    less = type[0] == 's' ? signed_of(x, bytes) < signed_of(y, bytes) : x < y;
    equal = x == y;
    if (strncmp(name, "lo", length) == 0) return less;
    if (strncmp(name, "ls", length) == 0) return less || equal;
    if (strncmp(name, "hi", length) == 0) return !less && !equal;
    if (strncmp(name, "hs", length) == 0) return !less;
  }
  switch (name[0] << 8 | name[1]) {
    case 'e' << 8 | 'q':
      return equal;
    case 'n' << 8 | 'e':
      return !equal;
    case 'l' << 8 | 't':
      return less;
    case 'l' << 8 | 'e':
      return less || equal;
    case 'g' << 8 | 't':
      return !less && !equal;
    default:
      return !less;
  }
}

static bool combine(const char *op, bool a, bool b) {
  return strcmp(op, "and") == 0 ? a && b : strcmp(op, "or") == 0 ? a || b : a != b;
}

static void set_predicates(struct frame *f, const struct code *c) {
  bool holds = compare(c->name, c->type, get(f, &c->from[0]), get(f, &c->from[1]));
  const char *dot = strchr(c->name, '.');
  bool third = c->from_count > 2 && get(f, &c->from[2]);
  bool p = dot ? combine(dot + 1, holds, third) : holds,
       q = dot ? combine(dot + 1, !holds, third) : !holds;
  set(f, &c->to[0], p);
  if (c->to_count > 1) set(f, &c->to[1], q);
}

static void run_row(struct frame *f, const struct code *c) {
  uint64_t values[4] = {0};
  for (int i = 0; i < c->from_count; i++) values[i] = get(f, &c->from[i]);
  uint64_t result = rows_result(c->row, values);
  if (strncmp(rows_opcode(c->row), "cvt", 3) == 0 && !strchr(rows_type(c->row, 0), 'f'))
    result = extend(result, rows_type(c->row, 0), c->to[0].class);
  set(f, &c->to[0], result);
}

static void move_parts(struct frame *f, const struct code *c) {
  uint64_t whole = 0;
  int from = class_bytes(c->from[0].class), to = class_bytes(c->to[0].class);
  for (int i = 0; i < c->from_count; i++) whole |= get(f, &c->from[i]) << (8 * from * i);
  for (int i = 0; i < c->to_count; i++) set(f, &c->to[i], whole >> (8 * to * i));
}

static uint64_t special(const struct machine *m, const char *name, unsigned thread) {
  unsigned lane = thread % LANES;
  if (strcmp(name, "%tid.x") == 0) return thread;
  if (strcmp(name, "%ntid.x") == 0) return m->kernel->threads;
  if (strcmp(name, "%ctaid.x") == 0) return m->block;
  if (strcmp(name, "%nctaid.x") == 0) return m->kernel->blocks;
  if (strcmp(name, "%laneid") == 0) return lane;
  if (strcmp(name, "%warpid") == 0) return thread / LANES;
  if (strcmp(name, "%nwarpid") == 0) return 64; /* that a multiprocessor has room for */
  if (strcmp(name, "%tid.y") == 0) return 0;
  if (strcmp(name, "%ntid.z") == 0) return 1;
  uint64_t mask = 0;
  const char *which = name + strlen("%lanemask_");
  for (unsigned i = 0; i < LANES; i++) {
    bool in_mask = (which[1] == 'q' && i == lane) || (which[0] == 'l' && i < lane) ||
                   (which[0] == 'g' && i > lane) ||
                   (which[0] != 'e' && which[1] == 'e' && i == lane);
    mask |= (uint64_t)in_mask << i;
  }
  return mask;
}

static uint32_t lanes_of_warp(const struct machine *m, unsigned thread) {
  unsigned left = m->kernel->threads - thread / LANES * LANES;
  return left >= LANES ? ~0u : (1u << left) - 1;
}

static void call(struct machine *m, struct thread *t, const struct code *c) {
  const struct function *f = &m->kernel->functions[c->target];
  struct frame *from = top(t), *to = from + 1;
  if (t->depth + 1 == MAX_FRAMES) {
    m->error = "calls go too deep";
    return;
  }
  memset(to, 0, sizeof *to);
  to->function = f;
  put(to->arguments[0], from->reg[CLASS_B64][20], 8); /* as kernel_text.c passes them */
  put(to->arguments[1], from->reg[CLASS_B64][21], 8);
  put(to->arguments[2], from->reg[CLASS_B64][23], 8);
  for (int i = 0; i < f->argument_count; i++)
    put(to->arguments[3 + i], get(from, &c->from[i]), atoi(f->argument_type[i] + 1) / 8);
  t->depth++;
}

static void finish(struct machine *m, struct thread *t) {
  if (t->depth == 0) {
    t->state = DONE;
    return;
  }
  struct frame *from = top(t);
  t->depth--;
  struct frame *to = top(t);
  const struct code *c = &to->function->code[to->pc++];
  const char *type = m->kernel->functions[c->target].result_type;
  set(to, &c->to[0], extend(low(from->result, atoi(type + 1) / 8), type, c->to[0].class));
}

static void run_code(struct machine *m, unsigned number, const struct code *c) {
  struct thread *t = &m->threads[number];
  struct frame *f = top(t);
  uint64_t bits = 0;
  switch (c->kind) {
    case ROW:
      run_row(f, c);
      break;
    case SETP:
      set_predicates(f, c);
      break;
    case SELP:
      set(f, &c->to[0], get(f, &c->from[2]) ? get(f, &c->from[0]) : get(f, &c->from[1]));
      break;
    case PREDICATE:
      set(f, &c->to[0],
          c->name[0] == 'n'   ? !get(f, &c->from[0])
          : c->name[0] == 'm' ? get(f, &c->from[0])
                              : combine(c->name, get(f, &c->from[0]), get(f, &c->from[1])));
      break;
    case LOP3:
      for (int i = 0; i < 32; i++) {
        unsigned index = 0;
        for (int k = 0; k < 3; k++) index = index << 1 | (get(f, &c->from[k]) >> i & 1);
        bits |= (uint64_t)(c->offset >> index & 1) << i;
      }
      set(f, &c->to[0], bits);
      break;
    case PACK:
    case UNPACK:
      move_parts(f, c);
      break;
    case SPECIAL:
      set(f, &c->to[0], special(m, c->name, number));
      break;
    case LOAD:
      load(m, t, c);
      break;
    case STORE:
      store(m, t, c);
      break;
    case ATOMIC:
      atomic(m, t, c);
      break;
    case ADDRESS: {
      static const uint64_t bases[VARIABLES] = {SHARED_BASE, LOCAL_BASE, CONST_BASE, PARAM_BASE};
      set(f, &c->to[0], bases[c->target] + (uint64_t)c->offset);
      break;
    }
    case TO_GENERIC:
      bits = c->space == SPACE_SHARED ? SHARED_BIT : c->space == SPACE_LOCAL ? LOCAL_BIT : 0;
      set(f, &c->to[0], c->name[0] ? get(f, &c->from[0]) - bits : get(f, &c->from[0]) + bits);
      break;
    case IN_SPACE:
      bits = get(f, &c->from[0]);
      set(f, &c->to[0],
          c->space == (bits & SHARED_BIT  ? SPACE_SHARED
                       : bits & LOCAL_BIT ? SPACE_LOCAL
                                          : SPACE_GLOBAL));
      break;
    case ACTIVE_MASK: /* from: who is known to be here */
      set(f, &c->to[0], c->from_count ? get(f, &c->from[0]) : lanes_of_warp(m, number));
      break;
    case CALL:
      call(m, t, c);
      break;
    default:
      break;
  }
}

static void run_thread(struct machine *m, unsigned number) {
  struct thread *t = &m->threads[number];
  while (t->state == RUNS && !m->error) {
    struct frame *f = top(t);
    const struct code *c = &f->function->code[f->pc];
    if (++m->steps > MAX_STEPS) {
      m->error = "too long";
      return;
    }
    if (c->guard >= 0 && (f->reg[CLASS_PRED][c->guard] != 0) == c->guard_negated) {
      f->pc++;
      continue;
    }
    switch (c->kind) {
      case BRANCH:
        f->pc = c->target;
        break;
      case RETURN:
        finish(m, t);
        break;
      case VOTE:
      case SHUFFLE:
        t->state = WAITS_FOR_LANES;
        break;
      case BARRIER:
      case BARRIER_REDUCE:
        t->state = WAITS_FOR_BLOCK;
        break;
      case CALL:
        run_code(m, number, c); /* the frame below goes on when it returns */
        break;
      default:
        run_code(m, number, c);
        f->pc++;
    }
  }
}

/* ---- what threads do together ---- */

static void vote(struct machine *m, unsigned first, uint32_t members, const struct code *c) {
  uint32_t yes = 0;
  for (unsigned i = 0; i < LANES; i++)
    if (members >> i & 1 && get(top(&m->threads[first + i]), &c->from[0])) yes |= 1u << i;
  uint64_t result = c->name[0] == 'b'                        ? yes
                    : c->name[0] == 'u'                      ? yes == 0 || yes == members
                    : c->name[0] == 'a' && c->name[1] == 'l' ? yes == members
                                                             : yes != 0;
  for (unsigned i = 0; i < LANES; i++)
    if (members >> i & 1) set(top(&m->threads[first + i]), &c->to[0], result);
}

/* The pseudocode of PTX ISA, "shfl.sync". */
static void shuffle(struct machine *m, unsigned first, uint32_t members, const struct code *c) {
  uint64_t values[LANES];
  for (unsigned i = 0; i < LANES; i++)
    if (members >> i & 1) values[i] = get(top(&m->threads[first + i]), &c->from[0]);
  for (int lane = 0; lane < LANES; lane++) {
    if (!(members >> lane & 1)) continue;
    struct frame *f = top(&m->threads[(int)first + lane]);
    int b = (int)(get(f, &c->from[1]) & 31), clamp = (int)(get(f, &c->from[2]) & 31),
        mask = (int)(get(f, &c->from[2]) >> 8 & 31);
    int most = (lane & mask) | (clamp & ~mask), least = lane & mask, j;
    bool p;
    if (c->name[0] == 'u')
      j = lane - b, p = j >= most;
    else if (c->name[0] == 'd')
      j = lane + b, p = j <= most;
    else if (c->name[0] == 'b')
      j = lane ^ b, p = j <= most;
    else
      j = least | (b & ~mask), p = j <= most;
    if (!p) j = lane;
    if (!(members >> j & 1)) {
      m->error = "a shuffle from a lane that takes no part";
      return;
    }
    set(f, &c->to[0], values[j]);
    if (c->to_count > 1) set(f, &c->to[1], p);
  }
}

static bool release_lanes(struct machine *m, unsigned first) {
  uint32_t exist = lanes_of_warp(m, first);
  for (unsigned i = 0; i < LANES; i++) {
    if (!(exist >> i & 1)) continue;
    struct thread *t = &m->threads[first + i];
    if (t->state != WAITS_FOR_LANES) continue;
    const struct frame *f = top(t);
    const struct code *c = &f->function->code[f->pc];
    uint32_t members = (uint32_t)get(f, &c->from[c->from_count - 1]) & exist;
    bool all = members >> i & 1;
    for (unsigned k = 0; k < LANES && all; k++) {
      const struct thread *other = &m->threads[first + k];
      if (members >> k & 1)
        all = other->state == WAITS_FOR_LANES && other->depth == t->depth &&
              other->frames[t->depth].pc == f->pc;
    }
    if (!all) continue;
    if (c->kind == VOTE)
      vote(m, first, members, c);
    else
      shuffle(m, first, members, c);
    for (unsigned k = 0; k < LANES; k++)
      if (members >> k & 1) {
        m->threads[first + k].state = RUNS;
        top(&m->threads[first + k])->pc++;
      }
    return true;
  }
  return false;
}

static bool release_block(struct machine *m) {
  unsigned count = m->kernel->threads, waiting = 0;
  uint64_t yes = 0;
  int pc = -1;
  const struct code *c = NULL;
  for (unsigned i = 0; i < count; i++) {
    struct thread *t = &m->threads[i];
    if (t->state != WAITS_FOR_BLOCK) return false; /* nobody may have ended before a barrier */
    if (pc >= 0 && top(t)->pc != pc) return false;
    pc = top(t)->pc;
    c = &top(t)->function->code[pc];
    waiting++;
    if (c->kind == BARRIER_REDUCE) yes += get(top(t), &c->from[0]);
  }
  for (unsigned i = 0; i < count; i++) {
    struct thread *t = &m->threads[i];
    if (c->kind == BARRIER_REDUCE)
      set(top(t), &c->to[0],
          c->name[0] == 'p'   ? yes
          : c->name[0] == 'a' ? yes == waiting
                              : yes != 0);
    t->state = RUNS;
    top(t)->pc++;
  }
  return true;
}

static void run_block(struct machine *m) {
  unsigned count = m->kernel->threads;
  for (unsigned i = 0; i < count; i++) {
    struct thread *t = &m->threads[i];
    t->state = RUNS;
    t->depth = 0;
    memset(&t->frames[0], 0, sizeof t->frames[0]);
    t->frames[0].function = &m->kernel->functions[0];
  }
  while (!m->error) {
    for (unsigned i = 0; i < count; i++) run_thread(m, i);
    if (m->error) return;
    bool released = false, done = true;
    for (unsigned w = 0; w < count; w += LANES)
      while (release_lanes(m, w)) released = true;
    for (unsigned i = 0; i < count; i++) done &= m->threads[i].state == DONE;
    if (done) return;
    if (!released && !m->error && !release_block(m)) m->error = "threads that wait for each other";
  }
}

const char *kernel_run(const struct kernel *kernel, struct arrays *arrays) {
  struct machine m = {.kernel = kernel, .arrays = arrays};
  m.threads = malloc(kernel->threads * sizeof *m.threads);
  m.shared = malloc(shared_bytes(kernel));
  if (!m.threads || !m.shared) abort();
  for (m.block = 0; m.block < kernel->blocks && !m.error; m.block++) {
    memset(m.shared, 0xdd, shared_bytes(kernel));
    run_block(&m);
  }
  free(m.threads);
  free(m.shared);
  return m.error;
}
