/* test_sim_flow.c: divergent control flow. Random programs, structured and not, run on the
 * simulator and by an interpreter here that walks the same program one thread at a time: what every
 * thread leaves behind, and the number of instructions that all execute, must be equal.
 *
 * A program is a list of instructions over words x (0..5 state, 6 fuel that ends loops, 7 depth of
 * calls, from 8 on variables with a scope), 64-bit words w, predicates p, and a local array.
 * KIT_FLOW_SEED=n runs program n alone and prints it. */
#include "tests/unit/sim_device.h"

#if defined __SANITIZE_ADDRESS__
enum { PROGRAMS = 600 };
#else
enum { PROGRAMS = 2500 };
#endif

enum { MAX_CODE = 3000, MAX_LABELS = 800, MAX_WORDS = 60, LOCALS = 8, OUTS = 16, FUNCTIONS = 3 };
enum { FUEL = 6, DEPTH = 7, FIRST_SCOPED = 8, MAX_STEPS = 3000 };

/* ---- programs ---- */

enum kind {
  OP,
  OP_CONSTANT,
  TEST,
  WIDE,
  NARROW,
  PUT_LOCAL,
  GET_LOCAL,
  OUT,
  LABEL,
  BRANCH,
  CALL,
  RETURN,
  EXIT,
  TRUTH
};

static const char *const operations[] = {"add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "and.b32"};

struct code {
  enum kind kind;
  int d, a, b, operation;
  uint32_t constant, mask; /* TEST: p[d] = (x[a] & mask) < constant */
  int guard;               /* predicate, or -1 */
  bool negated;
  int target; /* label; CALL: function; TRUTH: what p[d] becomes */
};

struct body {
  struct code code[MAX_CODE];
  int count, labels, words, wides, predicates;
  int at[MAX_LABELS]; /* where each label stands */
  bool is_function, structured;
  bool scoped[100]; /* predicates that are made before other statements and used after them */
};

struct flow_program {
  struct body bodies[1 + FUNCTIONS]; /* the kernel, then functions */
  int function_count;
  bool counted_exactly; /* a guarded ret counts as a branch and a ret where it is taken */
};

/* ---- making one ---- */

struct maker {
  struct body *body;
  struct flow_program *program;
  struct sim_random random;
  bool structured;
  int end, loop_top, loop_end; /* labels; -1: not in a loop */
  int free_labels[12], free_count, placed[12];
  int calls;
};

static unsigned below(struct maker *m, unsigned limit) { return sim_below(&m->random, limit); }
static bool chance(struct maker *m, unsigned percent) { return below(m, 100) < percent; }

static struct code *add(struct maker *m, enum kind kind) {
  static struct code spare;
  struct body *body = m->body;
  struct code *c = body->count < MAX_CODE - 8 ? &body->code[body->count++] : &spare;
  *c = (struct code){.kind = kind, .guard = -1};
  return c;
}

static int new_label(struct maker *m) {
  return m->body->labels < MAX_LABELS - 1 ? m->body->labels++ : m->end;
}
static void place(struct maker *m, int label) { add(m, LABEL)->target = label; }
static void jump(struct maker *m, int label) { add(m, BRANCH)->target = label; }

static void jump_if(struct maker *m, int label, int predicate, bool negated) {
  struct code *c = add(m, BRANCH);
  c->target = label;
  c->guard = predicate;
  c->negated = negated;
}

static int state(struct maker *m) { return (int)below(m, 6); }

/* A fresh predicate that about `percent` of the threads fulfil. */
static int test(struct maker *m, unsigned percent) {
  struct code *c = add(m, TEST);
  c->d = m->body->predicates < 90 ? m->body->predicates++ : 89;
  c->a = state(m);
  c->mask = 15u << below(m, 12);
  c->constant = (percent * 16 / 100) << __builtin_ctz(c->mask);
  return c->d;
}

static void burn_fuel(struct maker *m) {
  struct code *c = add(m, OP_CONSTANT);
  c->d = c->a = FUEL;
  c->operation = 1;
  c->constant = 1;
  int p = test(m, 0);
  struct code *t = &m->body->code[m->body->count - 1];
  t->a = FUEL, t->mask = ~0u, t->constant = 1;
  jump_if(m, m->end, p, false);
}

static void simple(struct maker *m) {
  struct code *c = add(m, chance(m, 50) ? OP : OP_CONSTANT);
  c->d = state(m), c->a = state(m), c->b = state(m);
  c->operation = (int)below(m, LENGTH(operations));
  c->constant = (uint32_t)sim_next(&m->random) | 1;
  if (c->operation == 4) c->constant |= 0x00ffff00; /* and: keep some bits */
  if (c->operation == 4 && c->kind == OP) c->operation = 2;
}

static void guarded(struct maker *m) {
  int p = test(m, 50);
  bool negated = chance(m, 50);
  simple(m);
  m->body->code[m->body->count - 1].guard = p;
  m->body->code[m->body->count - 1].negated = negated;
}

static void block(struct maker *m, int depth, int statements);

static void if_else(struct maker *m, int depth) {
  int otherwise = new_label(m), done = new_label(m), p = test(m, 20 + below(m, 60));
  bool has_else = chance(m, 50);
  jump_if(m, has_else ? otherwise : done, p, chance(m, 50));
  block(m, depth + 1, 1 + (int)below(m, 3));
  if (has_else) {
    jump(m, done);
    place(m, otherwise);
    block(m, depth + 1, 1 + (int)below(m, 3));
  }
  place(m, done);
}

static void loop(struct maker *m, int depth) {
  int top = m->loop_top, end = m->loop_end;
  m->loop_top = new_label(m), m->loop_end = new_label(m);
  place(m, m->loop_top);
  burn_fuel(m);
  bool at_bottom = chance(m, 40);
  if (!at_bottom) jump_if(m, m->loop_end, test(m, 30), false);
  block(m, depth + 1, 1 + (int)below(m, 3));
  simple(m);
  if (at_bottom)
    jump_if(m, m->loop_top, test(m, 60), false);
  else
    jump(m, m->loop_top);
  place(m, m->loop_end);
  m->loop_top = top, m->loop_end = end;
}

/* A chain of tests that jump to cases, some of which fall through to the next. */
static void switch_chain(struct maker *m, int depth) {
  int cases[3], done = new_label(m);
  for (int i = 0; i < 3; i++) jump_if(m, cases[i] = new_label(m), test(m, 35), false);
  jump(m, done);
  for (int i = 0; i < 3; i++) {
    place(m, cases[i]);
    block(m, depth + 1, 1);
    if (chance(m, 60)) jump(m, done);
  }
  place(m, done);
}

/* A value made before other statements and used after them. */
static void scope(struct maker *m, int depth) {
  struct body *body = m->body;
  unsigned what = below(m, 3);
  if (body->words >= MAX_WORDS || body->wides >= MAX_WORDS || body->predicates >= 80) return;
  if (what == 0) {
    struct code *c = add(m, OP_CONSTANT);
    int v = c->d = body->words++;
    c->a = state(m), c->constant = below(m, 1000);
    block(m, depth + 1, 1 + (int)below(m, 3));
    c = add(m, OP);
    c->d = c->a = state(m), c->b = v, c->operation = (int)below(m, 3);
  } else if (what == 1) {
    struct code *c = add(m, WIDE);
    int v = c->d = body->wides++;
    c->a = state(m), c->constant = below(m, 100000);
    block(m, depth + 1, 1 + (int)below(m, 3));
    c = add(m, NARROW);
    c->d = c->a = state(m), c->b = v;
  } else {
    int p = test(m, 50);
    body->scoped[p] = true;
    if (chance(m, 50)) {
      int over = new_label(m);
      jump_if(m, over, test(m, 50), false);
      struct code *truth = add(m, TRUTH);
      truth->d = p, truth->target = chance(m, 50);
      place(m, over);
    }
    block(m, depth + 1, 1 + (int)below(m, 3));
    struct code *c = add(m, OP_CONSTANT);
    c->d = c->a = state(m), c->constant = 77, c->guard = p, c->negated = chance(m, 50);
  }
}

static void local_access(struct maker *m) {
  struct code *c = add(m, chance(m, 50) ? PUT_LOCAL : GET_LOCAL);
  c->d = c->a = state(m);
  c->constant = below(m, LOCALS);
}

static void leave(struct maker *m) {
  struct code *out = add(m, OUT);
  out->a = state(m);
  out->constant = 6 + below(m, OUTS - 6);
  int p = test(m, 10);
  bool is_exit = chance(m, 40), guarded_end = chance(m, 50);
  int over = guarded_end ? -1 : new_label(m);
  if (!guarded_end) jump_if(m, over, p, true);
  struct code *c = add(m, is_exit ? EXIT : RETURN);
  if (guarded_end) c->guard = p, m->program->counted_exactly = false;
  if (!guarded_end) place(m, over);
}

static void call(struct maker *m) {
  int over = new_label(m);
  if (m->calls-- <= 0 || m->program->function_count == 0) return;
  if (m->body->is_function) {
    int p = test(m, 0);
    struct code *t = &m->body->code[m->body->count - 1];
    t->a = DEPTH, t->mask = ~0u, t->constant = 1;
    jump_if(m, over, p, false);
  }
  int p = chance(m, 30) ? test(m, 60) : -1;
  struct code *c = add(m, CALL);
  c->guard = p;
  c->d = state(m), c->a = state(m);
  c->target = 1 + (int)below(m, (unsigned)m->program->function_count);
  place(m, over);
}

static void go_to(struct maker *m) {
  if (m->free_count == 0) return;
  int i = (int)below(m, (unsigned)m->free_count);
  if (m->placed[i]) burn_fuel(m);
  jump_if(m, m->free_labels[i], test(m, 35), chance(m, 30));
}

static void block(struct maker *m, int depth, int statements) {
  for (int i = 0; i < statements; i++) {
    unsigned what = below(m, 100);
    if (!m->structured && chance(m, 30))
      for (int k = 0; k < m->free_count; k++)
        if (!m->placed[k]) {
          place(m, m->free_labels[k]);
          m->placed[k] = 1;
          break;
        }
    if (m->body->count > MAX_CODE / 4) what %= 30;
    if (depth >= 5 && what >= 45 && what < 85) what = 10;
    if (what < 24)
      simple(m);
    else if (what < 30)
      guarded(m);
    else if (what < 38)
      local_access(m);
    else if (what < 43)
      call(m);
    else if (what < 45)
      leave(m);
    else if (what < 58)
      if_else(m, depth);
    else if (what < 68)
      loop(m, depth);
    else if (what < 73)
      switch_chain(m, depth);
    else if (what < 85)
      scope(m, depth);
    else if (what < 91 && m->loop_top >= 0) {
      bool again = chance(m, 50);
      if (again) burn_fuel(m);
      jump_if(m, again ? m->loop_top : m->loop_end, test(m, 25), false);
    } else if (!m->structured)
      go_to(m);
    else
      simple(m);
  }
}

/* Cuts the code at labels and jumps and puts the pieces in another order; jumps join them again. */
static void shuffle(struct maker *m) {
  static struct code old[MAX_CODE], *starts[MAX_CODE];
  struct body *body = m->body;
  int count = body->count, pieces = 0, lengths[MAX_CODE], names[MAX_CODE];
  memcpy(old, body->code, sizeof old);
  for (int i = 0; i < count; i++) {
    bool ends =
        i == 0 || old[i - 1].kind == BRANCH || old[i - 1].kind == RETURN || old[i - 1].kind == EXIT;
    if (ends || old[i].kind == LABEL) {
      if (body->labels >= MAX_LABELS - 2 || count + 2 * pieces > MAX_CODE - 16) return;
      starts[pieces] = &old[i];
      names[pieces] = body->labels++;
      lengths[pieces++] = 0;
    }
    lengths[pieces - 1]++;
  }
  int order[MAX_CODE];
  for (int i = 0; i < pieces; i++) order[i] = i;
  for (int i = pieces - 1; i > 1; i--) { /* the first stays */
    int k = 1 + (int)below(m, (unsigned)i), swap = order[i];
    order[i] = order[k], order[k] = swap;
  }
  body->count = 0;
  for (int i = 0; i < pieces; i++) {
    int piece = order[i];
    place(m, names[piece]);
    for (int k = 0; k < lengths[piece]; k++) body->code[body->count++] = starts[piece][k];
    const struct code *last = &starts[piece][lengths[piece] - 1];
    bool falls =
        (last->kind != BRANCH && last->kind != RETURN && last->kind != EXIT) || last->guard >= 0;
    if (falls && piece + 1 < pieces && (i + 1 == pieces || order[i + 1] != piece + 1))
      jump(m, names[piece + 1]);
  }
}

static void make_body(struct flow_program *program, int number, uint64_t seed) {
  struct body *body = &program->bodies[number];
  struct maker m = {.body = body, .program = program, .random = {seed * 8 + (unsigned)number}};
  m.loop_top = m.loop_end = -1;
  m.calls = number ? 1 : 3;
  *body = (struct body){.words = FIRST_SCOPED, .is_function = number > 0};
  body->structured = m.structured = chance(&m, 50);
  m.end = new_label(&m);
  if (!m.structured)
    for (m.free_count = 1 + (int)below(&m, 10); m.free_count < 12; m.free_count++)
      if (chance(&m, 30)) break;
  for (int i = 0; i < m.free_count; i++) m.free_labels[i] = new_label(&m);
  block(&m, number ? 2 : 0, number ? 4 : 3 + (int)below(&m, 6));
  for (int i = 0; i < m.free_count; i++)
    if (!m.placed[i]) place(&m, m.free_labels[i]);
  place(&m, m.end);
  for (int i = 0; i < 6 && number == 0; i++) {
    struct code *c = add(&m, OUT);
    c->a = i;
    c->constant = (uint32_t)i;
  }
  add(&m, RETURN);
  if (chance(&m, 50)) shuffle(&m);
  for (int i = 0; i < body->count; i++)
    if (body->code[i].kind == LABEL) body->at[body->code[i].target] = i;
}

static void make_program(struct flow_program *program, uint64_t seed) {
  struct sim_random random = {seed};
  program->function_count = (int)sim_below(&random, FUNCTIONS + 1);
  program->counted_exactly = true;
  for (int i = 0; i <= program->function_count; i++) make_body(program, i, seed);
}

/* ---- one thread at a time ---- */

struct thread {
  uint32_t out[OUTS];
  uint64_t executed; /* instructions that count, the kernel's prologue apart */
  int steps;
  bool gone;
};

static uint32_t compute(int operation, uint32_t a, uint32_t b) {
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a ^ b;
    case 3:
      return a * b;
    default:
      return a & b;
  }
}

enum { FUNCTION_FUEL = 6, KERNEL_FUEL = 25, START_DEPTH = 3 };

static uint32_t function_start(int k, uint32_t x0) {
  return x0 * (uint32_t)(2 * k + 1) + (uint32_t)k;
}

/* A goto may pass over where a variable of a scope gets its value: those start as 0. */
static int scoped_variables(const struct body *body) {
  int count = body->words - FIRST_SCOPED + body->wides;
  for (int i = 0; i < LENGTH(body->scoped); i++) count += body->scoped[i];
  return body->structured ? 0 : count;
}

static uint32_t interpret(const struct flow_program *program, int number, uint32_t *x,
                          struct thread *thread) {
  static const int cost[] = {1, 1, 2, 1, 2, 1, 1, 1, 0, 1, 2, 1, 1, 1};
  const struct body *body = &program->bodies[number];
  uint64_t w[MAX_WORDS + 1] = {0};
  bool p[100] = {false};
  uint32_t local[LOCALS] = {0};
  thread->executed += (uint64_t)scoped_variables(body);
  for (int i = 0; i < body->count; i++) {
    const struct code *c = &body->code[i];
    if (thread->steps++ > MAX_STEPS) return 0;
    thread->executed += (uint64_t)cost[c->kind];
    if (c->guard >= 0 && p[c->guard] == c->negated) continue;
    switch (c->kind) {
      case OP:
        x[c->d] = compute(c->operation, x[c->a], x[c->b]);
        break;
      case OP_CONSTANT:
        x[c->d] = compute(c->operation, x[c->a], c->constant);
        break;
      case TEST:
        p[c->d] = (x[c->a] & c->mask) < c->constant;
        break;
      case WIDE:
        w[c->d] = (uint64_t)x[c->a] * c->constant;
        break;
      case NARROW:
        x[c->d] = x[c->a] ^ (uint32_t)w[c->b];
        break;
      case PUT_LOCAL:
        local[c->constant] = x[c->a];
        break;
      case GET_LOCAL:
        x[c->d] = local[c->constant];
        break;
      case OUT:
        thread->out[c->constant] = x[c->a];
        break;
      case LABEL:
        break;
      case BRANCH:
        i = body->at[c->target];
        break;
      case CALL: {
        uint32_t inner[MAX_WORDS + 1] = {0};
        for (int k = 0; k < 6; k++) inner[k] = function_start(k, x[c->a]);
        inner[FUEL] = FUNCTION_FUEL;
        inner[DEPTH] = x[DEPTH] - 1;
        /* a guarded call is a branch and a call; then the function's prologue */
        thread->executed += (c->guard >= 0) + 12 + 1 + LOCALS;
        uint32_t result = interpret(program, c->target, inner, thread);
        if (thread->gone || thread->steps > MAX_STEPS) return 0;
        x[c->d] = result;
        break;
      }
      case RETURN:
        return x[0];
      case EXIT:
        thread->gone = true;
        return 0;
      case TRUTH:
        p[c->d] = c->target;
        break;
    }
  }
  return x[0];
}

/* ---- as PTX ---- */

static char text[1 << 20];
static size_t length;

static void __attribute__((format(printf, 1, 2))) put(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int more = vsnprintf(text + length, sizeof text - length, format, args);
  va_end(args);
  assert_true(more >= 0 && (size_t)more < sizeof text - length);
  length += (size_t)more;
}

static void put_code(const struct body *body, const struct code *c, int number, int serial) {
  char guard[24] = "";
  if (c->guard >= 0) snprintf(guard, sizeof guard, "@%s%%p%d ", c->negated ? "!" : "", c->guard);
  switch (c->kind) {
    case OP:
      put("%s%s %%x%d, %%x%d, %%x%d;\n", guard, operations[c->operation], c->d, c->a, c->b);
      break;
    case OP_CONSTANT:
      put("%s%s %%x%d, %%x%d, %u;\n", guard, operations[c->operation], c->d, c->a, c->constant);
      break;
    case TEST:
      put("and.b32 %%t%d, %%x%d, %u; setp.lt.u32 %%p%d, %%t%d, %u;\n", serial, c->a, c->mask, c->d,
          serial, c->constant);
      break;
    case WIDE:
      put("mul.wide.u32 %%w%d, %%x%d, %u;\n", c->d, c->a, c->constant);
      break;
    case NARROW:
      put("cvt.u32.u64 %%t%d, %%w%d; xor.b32 %%x%d, %%x%d, %%t%d;\n", serial, c->b, c->d, c->a,
          serial);
      break;
    case PUT_LOCAL: /* both ways to an address of a local array */
      if (serial % 2)
        put("mov.u64 %%l%d, mine; st.local.u32 [%%l%d+%u], %%x%d;\n", serial, serial,
            4 * c->constant, c->a);
      else
        put("st.local.u32 [mine+%u], %%x%d;\n", 4 * c->constant, c->a);
      break;
    case GET_LOCAL:
      if (serial % 2)
        put("mov.u64 %%l%d, mine; ld.local.u32 %%x%d, [%%l%d+%u];\n", serial, c->d, serial,
            4 * c->constant);
      else
        put("ld.local.u32 %%x%d, [mine+%u];\n", c->d, 4 * c->constant);
      break;
    case OUT:
      put("st.global.u32 [%%out+%u], %%x%d;\n", 4 * c->constant, c->a);
      break;
    case LABEL:
      put("L%d_%d:\n", number, c->target);
      break;
    case BRANCH:
      put("%sbra L%d_%d;\n", guard, number, c->target);
      break;
    case CALL:
      put("sub.s32 %%t%d, %%x%d, 1;\n{ .param .b32 d; .param .b64 e; .param .b32 f; .param .b32 "
          "r;\n"
          "st.param.b32 [d], %%x%d; st.param.b64 [e], %%out; st.param.b32 [f], %%t%d;\n"
          "%scall (r), f%d, (d, e, f);\n%sld.param.b32 %%x%d, [r]; }\n",
          serial, DEPTH, c->a, serial, guard, c->target, guard, c->d);
      break;
    case RETURN:
      if (body->is_function) put("st.param.b32 [result], %%x0;\n");
      put("%sret;\n", guard);
      break;
    case EXIT:
      put("%sexit;\n", guard);
      break;
    case TRUTH:
      put("mov.pred %%p%d, %d;\n", c->d, -c->target);
      break;
  }
}

static void put_body(const struct flow_program *program, int number) {
  const struct body *body = &program->bodies[number];
  put("{\n.reg .pred %%p<100>; .reg .b32 %%x<%d>; .reg .b64 %%w<%d>; .reg .b64 %%out;\n",
      body->words + 1, body->wides + 1);
  put(".reg .b32 %%t<%d>; .reg .b64 %%l<%d>; .local .align 4 .b8 mine[%d];\n", body->count + 1,
      body->count + 1, 4 * LOCALS);
  if (number == 0) {
    put("ld.param.u64 %%out, [p1]; ld.param.u64 %%l0, [p0]; mov.u32 %%t0, %%tid.x; mov.u32 %%t1, "
        "%%ctaid.x;\n"
        "mov.u32 %%t2, %%ntid.x; mad.lo.s32 %%t0, %%t1, %%t2, %%t0; mul.wide.u32 %%l1, %%t0, 32;\n"
        "add.s64 %%l0, %%l0, %%l1; mul.wide.u32 %%l1, %%t0, %d; add.s64 %%out, %%out, %%l1;\n",
        4 * OUTS);
    for (int i = 0; i < 6; i++) put("ld.global.u32 %%x%d, [%%l0+%d];\n", i, 4 * i);
  } else {
    put("ld.param.u32 %%t0, [a]; ld.param.u64 %%out, [b]; ld.param.u32 %%x%d, [c];\n", DEPTH);
    for (int i = 0; i < 6; i++)
      put("mul.lo.s32 %%x%d, %%t0, %d; add.s32 %%x%d, %%x%d, %d;\n", i, 2 * i + 1, i, i, i);
  }
  put("mov.u32 %%x%d, %d;\n", FUEL, number ? FUNCTION_FUEL : KERNEL_FUEL);
  if (number == 0) put("mov.u32 %%x%d, %d;\n", DEPTH, START_DEPTH);
  for (int i = 0; i < LOCALS; i++) put("st.local.u32 [mine+%d], 0;\n", 4 * i);
  if (!body->structured) {
    for (int i = FIRST_SCOPED; i < body->words; i++) put("mov.u32 %%x%d, 0;\n", i);
    for (int i = 0; i < body->wides; i++) put("mov.u64 %%w%d, 0;\n", i);
    for (int i = 0; i < LENGTH(body->scoped); i++)
      if (body->scoped[i]) put("setp.ne.u32 %%p%d, %%x%d, %%x%d;\n", i, FUEL, FUEL);
  }
  for (int i = 0; i < body->count; i++) put_code(body, &body->code[i], number, i + 1);
  put("}\n");
}
enum { KERNEL_PROLOGUE = 8 + 6 + 2 + LOCALS };

static void put_program(const struct flow_program *program) {
  static const char parameters[] = "(.param .b32 a, .param .b64 b, .param .b32 c)";
  length = 0;
  put(SIM_HEADER);
  for (int i = 1; i <= program->function_count; i++)
    put(".func (.param .b32 result) f%d%s;\n", i, parameters);
  put(".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n");
  put_body(program, 0);
  for (int i = 1; i <= program->function_count; i++) {
    put(".func (.param .b32 result) f%d%s\n", i, parameters);
    put_body(program, i);
  }
}

/* ---- the comparison ---- */

enum { MAX_THREADS = 2 * 96 };

/* False if a thread takes too long. */
static bool run_threads(const struct flow_program *program, const uint32_t in[][8], int threads,
                        struct thread *thread) {
  for (int t = 0; t < threads; t++) {
    uint32_t x[MAX_WORDS + 1] = {0};
    memcpy(x, in[t], 6 * sizeof *x);
    x[FUEL] = KERNEL_FUEL;
    x[DEPTH] = START_DEPTH;
    thread[t] = (struct thread){.executed = KERNEL_PROLOGUE};
    interpret(program, 0, x, &thread[t]);
    if (thread[t].steps > MAX_STEPS) return false;
  }
  return true;
}

static void __attribute__((format(printf, 2, 3))) complain(uint64_t seed, const char *format, ...) {
  char what[200];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  fputs(text, stderr);
  fail_msg("program %llu, above: %s", (unsigned long long)seed, what);
}

static void compare(struct sim *sim, const struct flow_program *program, uint64_t seed,
                    const struct thread *thread, const uint32_t in[][8], unsigned blocks,
                    unsigned size) {
  static uint32_t out[MAX_THREADS][OUTS];
  int threads = (int)(blocks * size);
  uint64_t executed = 0, from = sim_buffer(sim, in, sizeof *in * MAX_THREADS),
           to = sim_zeros(sim, sizeof out);
  sim_load(sim, text);
  if (sim_try(sim, sim_line(blocks, size), from, to, 0, 0) != 0 || sim->hazard_count) {
    sim_print_hazards(sim);
    complain(seed, "is refused or has hazards");
  }
  sim_read(sim, out, to, sizeof out);
  for (int t = 0; t < threads; t++) {
    executed += thread[t].executed;
    for (int i = 0; i < OUTS; i++)
      if (out[t][i] != thread[t].out[i])
        complain(seed, "%u blocks of %u, thread %d, word %d: 0x%x, not 0x%x", blocks, size, t, i,
                 out[t][i], thread[t].out[i]);
  }
  uint64_t counted = sim->report.counters.value[COUNTER_thread_inst_executed];
  if (program->counted_exactly && counted != executed)
    complain(seed, "%llu thread instructions, not %llu", (unsigned long long)counted,
             (unsigned long long)executed);
}

static void random_programs_as_one_thread_at_a_time(void **state) {
  (void)state;
  static struct flow_program program;
  static struct thread threads[MAX_THREADS];
  static uint32_t in[MAX_THREADS][8];
  static const unsigned sizes[] = {32, 64, 1, 17, 33, 96};
  const char *wish = getenv("KIT_FLOW_SEED");
  int programs = getenv("KIT_TEST_ALL") ? PROGRAMS : PROGRAMS / 3;
  uint64_t first = wish ? strtoull(wish, NULL, 0) : 0;
  struct sim *sim = NULL;
  int ran = 0, divergent = 0;
  for (uint64_t seed = first; seed < first + (wish ? 1 : (uint64_t)programs); seed++) {
    struct sim_random random = {seed ^ 0x5eed};
    unsigned size = sizes[seed % LENGTH(sizes)], blocks = 1 + seed % 2;
    for (int t = 0; t < MAX_THREADS; t++)
      for (int i = 0; i < 6; i++) in[t][i] = (uint32_t)sim_next(&random);
    make_program(&program, seed);
    if (!run_threads(&program, (const uint32_t(*)[8])in, (int)(blocks * size), threads)) continue;
    put_program(&program);
    if (wish) print_message("%s\n", text);
    if (ran % 50 == 0) { /* a device holds 64 modules */
      if (sim) sim_close(sim);
      sim = sim_open_bare((struct device_options){.threads = 1 + ran / 50 % 2});
    }
    compare(sim, &program, seed, threads, (const uint32_t(*)[8])in, blocks, size);
    ran++;
    divergent += sim->report.counters.value[COUNTER_divergent_branches] > 0;
  }
  if (sim) sim_close(sim);
  print_message("%d programs, %d of them divergent\n", ran, divergent);
  if (!wish) assert_true(ran > programs * 3 / 4 && divergent > ran / 2);
}

/* ---- single cases ---- */

/* f(n) = n < 2 ? 1 : n * f(n - 1), called by some lanes only, to a depth of their own. */
#define FACTORIAL                                                                                \
  ".func (.param .b32 result) f(.param .b32 n)\n{\n"                                             \
  ".reg .b32 %r<9>; .reg .pred %p<3>; ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra " \
  "one;\n"                                                                                       \
  "sub.s32 %r2, %r1, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), f, "    \
  "(a);\n"                                                                                       \
  "ld.param.b32 %r3, [b]; } mul.lo.s32 %r4, %r1, %r3; st.param.b32 [result], %r4; ret;\n"        \
  "one: st.param.b32 [result], 1; ret;\n}\n"
#define CALL_F(to, from)                                    \
  "{ .param .b32 a; .param .b32 b; st.param.b32 [a], " from \
  "; call (b), f, (a);\n ld.param.b32 " to ", [b]; }\n"

static void recursion_in_some_lanes(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          FACTORIAL,
          "mov.u32 %r10, 77; and.b32 %r11, %r0, 3; setp.eq.s32 %p1, %r11, 1;\n"
          "@%p1 bra over; shr.u32 %r12, %r0, 1;" CALL_F(
              "%r10", "%r12") "over: add.s64 %rd0, %rd0, %rd4; st.global.u32 [%rd0], %r10; ret;"),
      1);
  uint32_t got[200];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 2, 100, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < 200; t++) {
    uint32_t right = 1;
    for (uint32_t n = t % 100 / 2; n > 1; n--) right *= n;
    assert_int_equal(got[t], t % 100 % 4 == 1 ? 77 : right);
  }
  sim_close(sim);
}

static void endless_recursion_ends_the_launch(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(FACTORIAL, AT(20) CALL_F("%r10", "%r0")
                                AT(30) "mov.u32 %r11, 100000;\n" CALL_F("%r10", "%r11") "ret;"),
      1);
  assert_int_equal(sim_try(sim, sim_line(1, 32), 0, 0, 0, 0), 0);
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_trap);
  assert_non_null(strstr(sim->hazards[0].message, "too deeply"));
  assert_int_equal(device_synchronize(sim->device), 700);
  sim_close(sim);
}

/* Blocks from which no path leads to the end: lanes leave the loop by an exit in a function. */
static void loop_that_only_an_exit_leaves(void **state) {
  (void)state;
  struct sim *sim = sim_open(SIM_KERNEL(".func f(.param .b64 to, .param .b32 i)\n{\n.reg .b64 "
                                        "%rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;\n"
                                        "ld.param.u64 %rd1, [to]; ld.param.u32 %r1, [i]; "
                                        "ld.global.u32 %r2, [%rd1]; add.s32 %r2, %r2, %r1;\n"
                                        "st.global.u32 [%rd1], %r2; mov.u32 %r3, %tid.x; "
                                        "setp.eq.s32 %p1, %r1, %r3; @%p1 exit; ret;\n}\n",
                                        "add.s64 %rd0, %rd0, %rd4; mov.u32 %r10, 0;\n"
                                        "again: { .param .b64 a; .param .b32 b; st.param.b64 [a], "
                                        "%rd0; st.param.b32 [b], %r10; call f, (a, b); }\n"
                                        "add.s32 %r10, %r10, 1; bra again;"),
                             1);
  uint32_t got[40];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, 40, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < 40; t++) assert_int_equal(got[t], t * (t + 1) / 2);
  sim_close(sim);
}

/* The counters show where lanes meet again: after an if, a loop, and a chain of gotos. The line b
 * is no such place, as not all paths lead there. */
/* clang-format off */
static const char meeting[] = SIM_KERNEL("",
    AT(10) "and.b32 %r10, %r0, 1; setp.eq.s32 %p1, %r10, 1; mov.u32 %r11, 0; @%p1 bra odd;"
    AT(11) "add.s32 %r11, %r11, 1; bra even;"
    AT(12) "odd: add.s32 %r11, %r11, 2;"
    AT(13) "even: add.s32 %r11, %r11, 3;"
    AT(14) "loop: add.s32 %r11, %r11, 1; add.s32 %r12, %r4, 8;\n"
           "setp.lt.s32 %p2, %r11, %r12; @%p2 bra loop;"
    AT(15) "add.s32 %r11, %r11, 1;"
    AT(16) "setp.lt.s32 %p3, %r4, 8; @%p3 bra a; setp.lt.s32 %p4, %r4, 16; @%p4 bra b; bra c;"
    AT(17) "a: add.s32 %r11, %r11, 1;"
    AT(18) "b: add.s32 %r11, %r11, 1;"
    AT(19) "c: add.s32 %r11, %r11, 1;"
    AT(20) "ret;");
/* clang-format on */

static void lanes_meet_where_paths_do(void **state) {
  (void)state;
  struct sim *sim = sim_open(meeting, 1);
  sim_run(sim, 1, 64, 0, 0, 0, 0);
  static const struct {
    int line;
    uint64_t warps, lanes; /* of one warp */
  } right[] = {{10, 4, 128}, {11, 2, 32}, {12, 1, 16}, {13, 1, 32}, {15, 1, 32},
               {17, 1, 8},   {18, 2, 16}, {19, 1, 32}, {20, 1, 32}};
  for (int i = 0; i < LENGTH(right); i++)
    for (int k = 0; k < sim->report.line_count; k++) {
      const uint64_t *v = sim->lines[k].counters.value;
      if (sim->lines[k].line != right[i].line) continue;
      if (v[COUNTER_inst_executed] != 2 * right[i].warps ||
          v[COUNTER_thread_inst_executed] != 2 * right[i].lanes)
        fail_msg("line %d: %llu instructions, %llu of threads", right[i].line,
                 (unsigned long long)v[COUNTER_inst_executed],
                 (unsigned long long)v[COUNTER_thread_inst_executed]);
    }
  assert_int_equal(sim->report.line_count, 12);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs_as_one_thread_at_a_time),
      cmocka_unit_test(recursion_in_some_lanes),
      cmocka_unit_test(endless_recursion_ends_the_launch),
      cmocka_unit_test(loop_that_only_an_exit_leaves),
      cmocka_unit_test(lanes_meet_where_paths_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
