/* test_sim_model_plan.c: what becomes of PTX on its way to an SM (plan.h): the order of
 * instructions within a basic block, loops that are unrolled, branches that are not there, and what
 * instructions cost (costs.c). */
#include <stdarg.h>

#include "tests/unit/sim_traced.h"

/* ---- the order within a block ---- */

/* The lines of a block's operations in the order of issue, without those of line 1. */
static const char *order_of(const struct traced *t, const struct plan_block *plan) {
  static char text[4096];
  const struct op *ops = t->kernel.programs[0]->ops + plan->block->first;
  size_t length = 0;
  text[0] = '\0';
  for (int i = 0; i < plan->count; i++) {
    int line = ops[plan->order[i] % (plan->count / plan->turns)].line;
    if (line == 1 || length + 8 > sizeof text) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, length ? " %d" : "%d", line);
  }
  return text;
}

/* Behind a barrier, where all that the first block made is there: %rd10 and %rd11 are addresses in
 * global memory, %rd12 in shared memory. */
#define BEHIND_A_BARRIER                                                                      \
  "add.s64 %rd10, %rd0, %rd4; add.s64 %rd11, %rd1, %rd4; mov.u64 %rd12, s; mov.u32 %r10, 1; " \
  "mov.f32 %f1, 0f00000000; setp.eq.u32 %p1, %r0, 0; bar.sync 0;\n"
#define VARIABLES ".shared .align 16 .b8 s[1024];\n"

/* clang-format off */
static const struct {
  const char *name, *body, *order;
} orders[] = {
    {"a load over arithmetic",
     AT(10) "add.f32 %f2, %f1, %f1; add.f32 %f2, %f2, %f2;" AT(11) "ld.global.u32 %r20, [%rd10];",
     "11 10 10"},
    {"two loads over what uses the first",
     AT(10) "ld.global.f32 %f2, [%rd10];" AT(11) "add.f32 %f3, %f2, %f2;" AT(12)
     "ld.global.f32 %f4, [%rd11];",
     "10 12 11"},
    {"what needs nothing over what waits for a load",
     AT(10) "ld.global.f32 %f2, [%rd10];" AT(11) "add.f32 %f3, %f2, %f2;" AT(12)
     "add.f32 %f4, %f1, %f1;", "10 12 11"},
    {"not over its own address",
     AT(10) "add.s64 %rd13, %rd10, 4;" AT(11) "ld.global.u32 %r20, [%rd13];", "10 11"},
    {"not over a store to its space",
     AT(10) "st.global.u32 [%rd10], %r10;" AT(11) "ld.global.u32 %r20, [%rd11];", "10 11"},
    {"nor a store over a load",
     AT(10) "ld.global.u32 %r20, [%rd10]; add.s32 %r21, %r20, 1;" AT(11)
     "st.global.u32 [%rd11], %r10;", "10 11 10"},
    {"over a store to another space",
     AT(10) "st.shared.u32 [%rd12], %r10;" AT(11) "ld.global.u32 %r20, [%rd11];", "11 10"},
    {"not over a store to a generic address",
     AT(10) "st.u32 [%rd10], %r10;" AT(11) "ld.shared.u32 %r20, [%rd12];", "10 11"},
    {"over a store if nobody writes what it reads",
     AT(10) "st.global.u32 [%rd10], %r10;" AT(11) "ld.global.nc.u32 %r20, [%rd11];", "11 10"},
    {"not over an atomic operation",
     AT(10) "mul.lo.s32 %r20, %r10, %r10; red.global.add.u32 [%rd10], %r20;" AT(11)
     "ld.global.u32 %r21, [%rd11];",
     "10 10 11"},
    {"nor an atomic operation over a load",
     AT(10) "ld.global.u32 %r20, [%rd10];" AT(11) "add.s32 %r21, %r20, 1;" AT(12)
     "red.global.add.u32 [%rd11], 1;",
     "10 12 11"},
    {"not over a fence",
     AT(10) "add.f32 %f2, %f1, %f1;" AT(11) "membar.gl;" AT(12) "ld.global.u32 %r20, [%rd10];",
     "10 11 12"},
    {"not over a warp's barrier",
     AT(10) "add.f32 %f2, %f1, %f1;" AT(11) "bar.warp.sync -1;" AT(12)
     "ld.shared.u32 %r20, [%rd12];", "10 11 12"},
    {"not over a volatile load, if volatile itself",
     AT(10) "add.s64 %rd13, %rd10, 4; ld.volatile.global.u32 %r20, [%rd13];" AT(11)
     "ld.volatile.global.u32 %r21, [%rd11];", "10 10 11"},
    {"shuffles in a row",
     AT(10) "ld.global.u32 %r20, [%rd10];" AT(11) "shfl.sync.down.b32 %r21, %r20, 1, 31, -1;"
     AT(12) "shfl.sync.down.b32 %r22, %r10, 1, 31, -1;" AT(13) "ld.global.u32 %r23, [%rd11];",
     "10 13 11 12"},
    {"nothing over a division's branches",
     AT(10) "add.s64 %rd13, %rd10, 4;" AT(11) "div.rn.f32 %f2, %f1, %f1;" AT(12)
     "ld.global.u32 %r20, [%rd13];" AT(13) "add.f32 %f3, %f1, %f1;", "10 11 12 13"},
    {"nor a division over what comes before",
     AT(10) "ld.global.f32 %f2, [%rd10];" AT(11) "add.f32 %f2, %f2, %f2;" AT(12)
     "sqrt.rn.f32 %f3, %f1;", "10 11 12"},
    {"a load over an approximate division, which has none",
     AT(10) "div.approx.f32 %f2, %f1, %f1;" AT(11) "ld.global.u32 %r20, [%rd10];", "11 10"},
    {"a predicated instruction behind the one whose result it may keep",
     AT(10) "ld.global.f32 %f2, [%rd10];" AT(11) "@%p1 mov.f32 %f2, %f1;" AT(12)
     "add.f32 %f3, %f1, %f1;",
     "10 12 11"},
};
/* clang-format on */

static void loads_first(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(orders); i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s%s" AT(1) "ret;\n}\n", SIM_HEADER, VARIABLES,
             SIM_ENTRY("k"), BEHIND_A_BARRIER, orders[i].body);
    struct traced *t = traced_open(text);
    const char *order = order_of(t, &t->kernel.plan->blocks[1]);
    if (strcmp(order, orders[i].order) != 0) {
      print_error("%s: %s, not %s\n", orders[i].name, order, orders[i].order);
      wrong++;
    }
    traced_close(t);
  }
  assert_int_equal(wrong, 0);
}

/* Registers that are loaded and not yet used, at most, if `loads` loads of one or four words are
 * each followed by what uses them, while so many registers hold what `from` makes of %r0. */
static int most_loaded_beside(int loads, int words, int held, const char *from) {
  char text[16384], to[80];
  int length = snprintf(text, sizeof text, "%s%s%s", SIM_HEADER, SIM_ENTRY("k"),
                        ".reg .f32 %v<200>; .reg .b32 %h<40>; add.s64 %rd10, %rd0, %rd4; "
                        "mov.f32 %f1, 0f00000000;\n");
  for (int i = 0; i < held; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "mul.lo.s32 %%h%d, %s, %d;\n",
                       i, from, 2 * i + 3);
  length += snprintf(text + length, sizeof text - (size_t)length, "bar.sync 0;\n");
  for (int i = 0; i < 4 * loads; i += 4) {
    snprintf(to, sizeof to, words == 4 ? "v4.f32 {%%v%d, %%v%d, %%v%d, %%v%d}" : "f32 %%v%d", i,
             i + 1, i + 2, i + 3);
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "ld.global.%s, [%%rd10+%d]; add.f32 %%f1, %%f1, %%v%d;\n", to, 4 * i, i);
  }
  length += snprintf(text + length, sizeof text - (size_t)length, "bar.sync 0;\n");
  for (int i = 0; i < held; i++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "st.global.u32 [%%rd10], %%h%d;\n", i);
  assert_in_range(length, 1, sizeof text - 100);
  snprintf(text + length, sizeof text - (size_t)length, "ret;\n}\n");
  struct traced *t = traced_open(text);
  const struct plan_block *plan = &t->kernel.plan->blocks[1];
  int loaded = 0, most = 0;
  for (int i = 0; i < plan->count; i++) {
    loaded += plan->ops[plan->order[i]].traced >= 0 ? words : -words; /* loads and adds by turns */
    if (loaded > most) most = loaded;
  }
  traced_close(t);
  return most;
}

static int most_loaded(int loads, int words) { return most_loaded_beside(loads, words, 0, ""); }

/* A thread of a full SM has 32 registers, so that values that are needed later leave fewer to load
 * into; but what is the same for all threads lies in uniform registers. */
static void values_in_registers_leave_less_room(void **state) {
  (void)state;
  int few = most_loaded_beside(40, 1, 1, "%r0"), more = most_loaded_beside(40, 1, 11, "%r0");
  assert_int_equal(more, few - 10);
  assert_int_equal(most_loaded_beside(40, 1, 11, "%r1"), most_loaded_beside(40, 1, 1, "%r1"));
  /* 40, then, but no more than a few are free */
  assert_in_range(most_loaded_beside(40, 1, 30, "%r0"), 2, 8);
  assert_in_range(most_loaded_beside(40, 1, 22, "%r0"), 2, 6);
}

static char *append(char *at, const char *end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static char *append(char *at, const char *end, const char *format, ...) {
  va_list list;
  va_start(list, format);
  at += vsnprintf(at, (size_t)(end - at), format, list);
  va_end(list);
  assert_true(at < end);
  return at;
}

/* The same of 40 loads in a loop of as many turns as the register says, while so many values are
 * held that are the same for all lanes. */
static int most_loaded_in_loop(const char *turns, int held) {
  enum { LOADS = 40 };
  char text[16384], *at = text;
  const char *end = text + sizeof text;
  at = append(at, end, "%s%s.reg .f32 %%v<200>; .reg .b32 %%h<40>;", SIM_HEADER, SIM_ENTRY("k"));
  at = append(at, end, "add.s64 %%rd10, %%rd0, %%rd4; mov.u32 %%r10, %s;\n", turns);
  for (int k = 0; k < held; k++) at = append(at, end, "xor.b32 %%h%d, %%r1, %d;\n", k, 2 * k + 3);
  at = append(at, end, "again: bar.sync 0;\n");
  for (int k = 0; k < LOADS; k++)
    at = append(at, end, "ld.global.f32 %%v%d, [%%rd10+%d]; add.f32 %%f1, %%f1, %%v%d;\n", k, 4 * k,
                k);
  at = append(at, end, "sub.s32 %%r10, %%r10, 1; setp.gt.s32 %%p1, %%r10, 0; @%%p1 bra again;\n");
  for (int k = 0; k < held; k++) at = append(at, end, "st.global.u32 [%%rd10], %%h%d;\n", k);
  append(at, end, "st.global.f32 [%%rd10], %%f1; ret;\n}\n");
  struct traced *t = traced_open(text);
  const struct plan_block *plan = &t->kernel.plan->blocks[1];
  while (plan->count < 2 * LOADS) plan++;
  int loaded = 0, most = 0;
  for (int k = 0; k < plan->count; k++) { /* loads and adds by turns, and then the loop's end */
    if (plan->order[k] < 2 * LOADS) loaded += plan->order[k] % 2 ? -1 : 1;
    if (loaded > most) most = loaded;
  }
  traced_close(t);
  return most;
}

/* Where only some lanes may be, up to four values that are the same for all of them are in ordinary
 * registers, too. */
static void lanes_that_go_different_ways_need_more_registers(void **state) {
  (void)state;
  int together = most_loaded_in_loop("%r1", 1), apart = most_loaded_in_loop("%r0", 1);
  assert_int_equal(most_loaded_in_loop("%r1", 9), together);
  assert_int_equal(most_loaded_in_loop("%r0", 3), apart - 2);
  assert_int_equal(most_loaded_in_loop("%r0", 9), apart - 3);
}

/* Addresses take registers, too: none is made before the loads in front of it have theirs, or they
 * would leave no room for what is loaded. 24 loads, each from an address of its own. */
static void addresses_wait_for_loads_without_room(void **state) {
  (void)state;
  enum { LOADS = 24 };
  char text[16384];
  int length = snprintf(text, sizeof text, "%s%s%s", SIM_HEADER, SIM_ENTRY("k"),
                        ".reg .f32 %v<40>; add.s64 %rd10, %rd0, %rd4; mov.f32 %f1, 0f00000000; "
                        "mov.u32 %r10, %r0;\nbar.sync 0;\n");
  for (int i = 0; i < LOADS; i++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "ld.global.f32 %%f2, [%%rd10+%d]; add.s32 %%r10, %%r10, %%r1; "
                       "mul.wide.s32 %%rd11, %%r10, 4; add.s64 %%rd12, %%rd10, %%rd11; "
                       "ld.global.f32 %%v%d, [%%rd12]; fma.rn.f32 %%f1, %%f2, %%v%d, %%f1;\n",
                       4 * i, i, i);
  assert_in_range(length, 1, sizeof text - 100);
  snprintf(text + length, sizeof text - (size_t)length,
           "bar.sync 0;\nst.global.f32 [%%rd10], %%f1;\nret;\n}\n");
  struct traced *t = traced_open(text);
  const struct plan_block *plan = &t->kernel.plan->blocks[1];
  int place[512], close = 0;
  for (int i = 0; i < plan->count; i++) {
    const struct plan_op *op = &plan->ops[plan->order[i]];
    place[plan->order[i]] = i;
    for (int k = 0; k < op->input_count; k++)
      close += op->inputs[k] >= 0 && plan->ops[op->inputs[k]].traced >= 0 &&
               i - place[op->inputs[k]] < 4;
  }
  assert_int_equal(close, 0); /* no load right before what waits for it */
  traced_close(t);
}

/* A thread of a full SM has 32 registers. */
static void no_more_loads_than_registers(void **state) {
  (void)state;
  assert_int_equal(most_loaded(4, 1), 4);
  assert_int_equal(most_loaded(2, 4), 8);
  assert_in_range(most_loaded(40, 1), 9, 31);
  assert_in_range(most_loaded(40, 4), 9, 31);
}

/* ---- what costs nothing ---- */

static struct traced *open_body(const char *variables, const char *body) {
  char text[16384];
  snprintf(text, sizeof text, "%s%s%s%s\n}\n", SIM_HEADER, variables, SIM_ENTRY("k"), body);
  return traced_open(text);
}

/* The plan of the only operation of a line. */
static const struct plan_op *op_of_line(const struct traced *t, int line) {
  const struct program *program = t->kernel.programs[0];
  for (int b = 0; b < program->block_count; b++)
    for (int i = 0; i < program->blocks[b].count; i++)
      if (program->ops[program->blocks[b].first + i].line == line)
        return &t->kernel.plan->blocks[b].ops[i];
  fail_msg("there is no operation of line %d", line);
  return NULL;
}

/* A move hands on what its source is: what reads the copy waits for the load. */
static void moves_are_free(void **state) {
  (void)state;
  struct traced *t = open_body("", AT(10) "ld.global.u32 %r10, [%rd0];" AT(11)
                                       "mov.u32 %r11, %r10;" AT(12) "cvt.u64.u32 %rd10, %r11;"
                                       AT(13)
                                           "cvta.to.global.u64 %rd11, %rd10;" AT(14)
                                               "add.s64 %rd12, %rd11, 4;" AT(1) "ret;");
  for (int line = 11; line <= 13; line++) {
    const struct plan_op *op = op_of_line(t, line);
    assert_int_equal(op->cost.unit, UNIT_NONE);
    assert_int_equal(op->cost.slots + op->cost.latency, 0);
    assert_int_equal(op->input_count, 1);
    assert_ptr_equal(&t->kernel.plan->blocks[0].ops[op->inputs[0]], op_of_line(t, line - 1));
  }
  assert_int_not_equal(op_of_line(t, 14)->cost.unit, UNIT_NONE);
  traced_close(t);
}

/* ---- loops ---- */

#define LOOP(step, body)                                                                   \
  "mov.u32 %r10, 0; mov.u32 %r11, 3; add.s64 %rd10, %rd0, %rd4; mov.f32 %f1, 0f00000000; " \
  "mov.u64 %rd12, s; mov.u32 %r13, 0;\n"                                                   \
  "again:\n" body "add.s32 %r10, %r10, " step                                              \
  "; setp.lt.u32 %p1, %r10, %r2; @%p1 bra again;\n"                                        \
  "ret;"
#define LOAD "ld.global.f32 %f2, [%rd10]; add.s64 %rd10, %rd10, 4; fma.rn.f32 %f1, %f2, %f2, %f1;\n"
#define INDEXED(step)                                                                  \
  "add.s32 %r14, %r13, %r0; mul.wide.s32 %rd13, %r14, 4; add.s64 %rd14, %rd0, %rd13; " \
  "ld.global.f32 %f2, [%rd14]; fma.rn.f32 %f1, %f2, %f2, %f1; add.s32 %r13, %r13, " step ";\n"
#define FOUR(piece) piece piece piece piece
#define TEN_ADDS                                                                            \
  "add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, " \
  "%f1; add.f32 %f1, %f1, %f1;\n add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 "    \
  "%f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1;\n"

static const struct {
  const char *name, *body;
  bool unrolled;
} loops[] = {
    {"a constant step", LOOP("1", LOAD), true},
    {"a larger one", LOOP("32", LOAD), true},
    {"one that is not to be", LOOP("1", ".pragma \"nounroll\"; " LOAD), false},
    {"another pragma", LOOP("1", ".pragma \"used_bytes_mask 0xf\"; " LOAD), true},
    {"a step in a register", LOOP("%r11", LOAD), false},
    {"a step that is loaded", LOOP("%r12", "ld.global.u32 %r12, [%rd10];"), false},
    {"the counter is a copy", LOOP("1", LOAD "mov.u32 %r14, %r10; mov.u32 %r10, %r14;"), true},
    {"an index of 32 bits that steps", LOOP("4", FOUR(INDEXED("16"))), false},
    {"in no more than one turn", LOOP("4", INDEXED("16")), true},
    {"one that steps by a register", LOOP("4", FOUR(INDEXED("%r11"))), true},
    {"two of four", LOOP("4", LOAD INDEXED("16") INDEXED("16") LOAD), true},
    {"three of four", LOOP("4", LOAD INDEXED("16") INDEXED("16") INDEXED("16")), false},
    {"of shared memory",
     LOOP("4",
          "mul.wide.u32 %rd13, %r13, 4; add.s64 %rd14, %rd12, %rd13; "
          "ld.shared.f32 %f2, [%rd14]; add.s32 %r13, %r13, 4;"),
     true},
    {"stores", LOOP("1", "st.global.f32 [%rd10], %f1; add.s64 %rd10, %rd10, 4;"), true},
    {"an atomic operation", LOOP("1", "red.global.add.u32 [%rd10], 1;"), false},
    {"a shuffle", LOOP("1", "shfl.sync.down.b32 %r13, %r13, 1, 31, -1;"), false},
    {"a vote", LOOP("1", "vote.sync.ballot.b32 %r13, %p2, -1;"), false},
    {"a fence", LOOP("1", "membar.cta;"), false},
    {"a barrier", LOOP("1", "bar.sync 0;"), false},
    {"a volatile load", LOOP("1", "ld.volatile.global.u32 %r13, [%rd10];"), false},
    {"a body with predicates", LOOP("1", "setp.eq.u32 %p3, %r10, 7; @%p3 bra odd;" LOAD "odd:"),
     true},
    {"a body of two blocks", LOOP("1", "setp.eq.u32 %p3, %r10, 7; @%p3 bra odd;" TEN_ADDS "odd:"),
     false},
    {"a large body",
     LOOP("1", TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS),
     false},
};

/* The loop that is unrolled most, of those that are planned as one; NULL: none. */
static const struct plan_block *unrolled_block(const struct traced *t) {
  const struct plan_block *found = NULL;
  for (int i = 0; i < t->kernel.plan->block_count; i++)
    for (const struct plan_block *b = &t->kernel.plan->blocks[i]; b; b = b->longer)
      if (b->turns > (found ? found->turns : 1)) found = b;
  return found;
}

static void loops_of_known_length_are_unrolled(void **state) {
  (void)state;
  for (int i = 0; i < LENGTH(loops); i++) {
    struct traced *t = open_body(VARIABLES ".const .align 4 .b8 dummy[4];\n", loops[i].body);
    const struct plan_block *plan = unrolled_block(t);
    if ((plan != NULL) != loops[i].unrolled)
      fail_msg("%s: unrolled %d", loops[i].name, plan != NULL);
    if (plan) {
      int counts[2] = {0};
      for (int k = 0; k < plan->part_count / plan->turns; k++) {
        counts[0] += t->kernel.plan->blocks[plan->parts[k].number].count;
        counts[1] += t->kernel.plan->blocks[plan->parts[k].number].traced_count;
      }
      assert_int_equal(plan->count, counts[0] * plan->turns);
      assert_int_equal(plan->traced_count, counts[1] * plan->turns);
      assert_true(t->kernel.plan->max_ops >= plan->count);
    }
    traced_close(t);
  }
}

/* The larger the body, the fewer turns. */
static void turns_by_the_size_of_the_body(void **state) {
  (void)state;
  static const char *const bodies[] = {
      LOOP("1", LOAD), LOOP("1", LOAD TEN_ADDS),
      LOOP("1", LOAD TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS)};
  int last = INT32_MAX;
  for (int step = 1; step <= 32; step += 31) { /* steps of 1 are counted by the PTX already */
    struct traced *t = open_body(VARIABLES, step == 1 ? LOOP("1", LOAD) : LOOP("32", LOAD));
    assert_true(unrolled_block(t)->unrolls == (step > 1));
    traced_close(t);
  }
  for (int i = 0; i < LENGTH(bodies); i++) {
    struct traced *t = open_body(VARIABLES, bodies[i]);
    const struct plan_block *plan = unrolled_block(t);
    assert_non_null(plan);
    assert_true(plan->turns < last);
    last = plan->turns;
    traced_close(t);
  }
}

/* A loop that counts by four has been unrolled once: again by four, or not at all. */
static void what_is_unrolled_by_four(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int turns;
  } rows[] = {{LOOP("1", LOAD TEN_ADDS TEN_ADDS), 4},
              {LOOP("4", LOAD TEN_ADDS TEN_ADDS), 4},
              {LOOP("1", LOAD TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS), 2},
              {LOOP("4", LOAD TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS TEN_ADDS), 1}};
  for (int i = 0; i < LENGTH(rows); i++) {
    struct traced *t = open_body(VARIABLES, rows[i].body);
    const struct plan_block *plan = unrolled_block(t);
    assert_int_equal(plan ? plan->turns : 1, rows[i].turns);
    traced_close(t);
  }
}

/* Of a later turn, steps of counter and address and the test cost nothing; loads wait for nothing
 * of the turn before, so that they come first. */
static void turns_overlap(void **state) {
  (void)state;
  struct traced *t = open_body(VARIABLES, LOOP("1", LOAD));
  const struct plan_block *plan = unrolled_block(t);
  int each = plan->count / plan->turns, first_sum = -1, loads = 0;
  for (int i = 0; i < plan->count; i++) {
    int which = plan->order[i], place = which % each;
    if (place == 2 && first_sum < 0) first_sum = i; /* the fma */
    loads += place == 0 && first_sum < 0;
  }
  assert_int_equal(loads, plan->turns);
  for (int turn = 0; turn < plan->turns; turn++)
    for (int place = 0; place < each; place++) {
      const struct plan_op *op = &plan->ops[turn * each + place];
      bool step = place == 1 || place == 3, test = place == 4;
      assert_int_equal(op->is_step, turn > 0 && step);
      bool free = (turn > 0 && step) || (test && turn < plan->turns - 1);
      assert_int_equal(op->cost.unit == UNIT_NONE, free);
    }
  traced_close(t);
}

/* What compares the counter needs its value in each turn; the loop's own question is the last to
 * write its predicate. */
static void compared_counters_are_made(void **state) {
  (void)state;
  struct traced *t = open_body(
      VARIABLES, LOOP("1", LOAD "setp.gt.s32 %p1, %r10, %r0; selp.u32 %r13, %r11, %r13, %p1; "));
  const struct plan_block *plan = unrolled_block(t);
  assert_non_null(plan);
  int each = plan->count / plan->turns;
  assert_int_equal(each, 7);
  for (int turn = 0; turn < plan->turns; turn++) {
    const struct plan_op *ops = &plan->ops[turn * each];
    assert_int_not_equal(ops[3].cost.unit, UNIT_NONE);
    if (turn < plan->turns - 1) assert_int_not_equal(ops[5].cost.unit, UNIT_NONE);
    assert_int_equal(ops[6].cost.unit == UNIT_NONE, turn < plan->turns - 1);
  }
  traced_close(t);
}

static void halves_count_in_predicated_parts(void **state) {
  (void)state;
  struct traced *t = open_body(VARIABLES,
                               "setp.eq.u32 %p1, %r0, 7; mov.u64 %rd12, s; @%p1 bra end;\n"
                               "cvt.s64.s32 %rd11, %r0; sub.s64 %rd13, %rd12, %rd11; st.shared.u32 "
                               "[%rd13], %r0;\nend: ret;");
  const struct plan_block *plan = t->kernel.plan->blocks[0].longer;
  assert_non_null(plan);
  int slots = 0, all = 0;
  for (int i = 0; i < plan->count; i++) slots += plan->ops[i].cost.slots;
  for (int i = 0; i < plan->part_count; i++)
    for (int k = 0; k < t->kernel.plan->blocks[plan->parts[i].number].count; k++)
      all += t->kernel.plan->blocks[plan->parts[i].number].ops[k].cost.slots;
  assert_int_equal(slots, all);
  traced_close(t);
}

/* ---- branches ---- */

#define SKIP(body, otherwise)                                               \
  "mov.f32 %f1, 0f00000000; setp.eq.u32 %p1, %r0, 7; @%p1 bra over;\n" body \
  "bra end;\nover:\n" otherwise "end: st.global.f32 [%rd0], %f1; ret;"

#define ASK(question, body)                                                    \
  "mov.f32 %f1, 0f00000000; setp.eq.u32 %p1, %r0, 7; @%p1 bra end;\n" question \
  "@%p2 bra end;\n" body "end: st.global.f32 [%rd0], %f1; ret;"
#define FOUR_ADDS \
  "add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1;\n"
#define LOADED "ld.global.f32 %f3, [%rd1];"

static void short_ways_are_predicated(void **state) {
  (void)state;
  static const struct {
    const char *name, *body;
    bool predicated;
  } cases[] = {
      {"one way", SKIP("add.f32 %f1, %f1, %f1;", ""), true},
      {"both ways", SKIP("add.f32 %f1, %f1, %f1;", "mul.f32 %f1, %f1, %f1;"), true},
      {"eight instructions", SKIP(FOUR_ADDS FOUR_ADDS, ""), true},
      {"ten", SKIP(TEN_ADDS, ""), false},
      {"twelve on two ways", SKIP(FOUR_ADDS "neg.f32 %f1, %f1; " FOUR_ADDS, FOUR_ADDS), true},
      {"fourteen", SKIP(TEN_ADDS, FOUR_ADDS), false},
      {"ten beside a load before the branch", LOADED SKIP(TEN_ADDS, ""), true},
      {"a load among them",
       SKIP("ld.global.f32 %f2, [%rd1]; " TEN_ADDS "add.f32 %f1, %f1, %f2;", ""), true},
      {"20 of them", LOADED SKIP(TEN_ADDS TEN_ADDS, ""), true},
      {"24", LOADED SKIP(TEN_ADDS TEN_ADDS FOUR_ADDS, ""), false},
      {"ten that go to global memory", LOADED SKIP(TEN_ADDS "st.global.f32 [%rd1], %f1;", ""),
       false},
      {"an atomic operation", SKIP("red.global.add.u32 [%rd1], 1;", ""), false},
      {"a shuffle", SKIP("shfl.sync.down.b32 %r10, %r0, 1, 31, -1;", ""), false},
      {"a long way", SKIP(TEN_ADDS TEN_ADDS, ""), false},
      {"a way with branches of its own", SKIP("div.rn.f32 %f1, %f1, %f1;", ""), false},
      {"one without", SKIP("div.approx.f32 %f1, %f1, %f1;", ""), true},
      {"a long way among two", SKIP("add.f32 %f1, %f1, %f1;", TEN_ADDS TEN_ADDS), false},
      {"a loop on the way",
       SKIP("mov.u32 %r10, 0; in: add.s32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, %r2; @%p2 bra in;",
            ""),
       false},
      {"a second question", ASK("setp.lt.u32 %p2, %r0, %r2;", "add.f32 %f1, %f1, %f1;"), true},
      {"  that is answered by a load",
       ASK("ld.global.u32 %r10, [%rd1]; setp.lt.u32 %p2, %r10, %r2;", "add.f32 %f1, %f1, %f1;"),
       false},
      {"  ten instructions behind it", ASK("setp.lt.u32 %p2, %r0, %r2;", TEN_ADDS), false},
      {"a way out",
       "setp.eq.u32 %p1, %r0, 7; @%p1 bra over; add.f32 %f1, %f1, %f1; ret; over: ret;", false},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    struct traced *t = open_body("", cases[i].body);
    if (t->kernel.plan->blocks[0].predicated != cases[i].predicated)
      fail_msg("%s: predicated %d", cases[i].name, t->kernel.plan->blocks[0].predicated);
    traced_close(t);
  }
}

/* Around what the lanes of a warp may go through apart, BSSY and BSYNC. */
static void parting_lanes_meet(void **state) {
  (void)state;
  static const struct {
    const char *name, *body;
    int slots;
  } cases[] = {
      {"by thread", SKIP(TEN_ADDS TEN_ADDS, ""), 3},
      {"by block",
       "mov.f32 %f1, 0f00000000; setp.eq.u32 %p1, %r1, 7; @%p1 bra over;\n" TEN_ADDS TEN_ADDS
       "over: st.global.f32 [%rd0], %f1; ret;",
       1},
      {"to the end",
       "mov.f32 %f1, 0f00000000; setp.eq.u32 %p1, %r0, 7; @%p1 bra over;\n" TEN_ADDS TEN_ADDS
       "st.global.f32 [%rd0], %f1; over: ret;",
       1},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    struct traced *t = open_body("", cases[i].body);
    if (t->kernel.plan->blocks[0].branch_slots != cases[i].slots)
      fail_msg("%s: %d", cases[i].name, t->kernel.plan->blocks[0].branch_slots);
    traced_close(t);
  }
}

/* ---- what instructions cost ---- */

/* Cycles of one scheduler's unit for a warp: CUDA C++ Programming Guide, "Arithmetic Instructions",
 * compute capability 9.0: 128 / its results a cycle of an SM. 0: a row of instructions. */
static const struct {
  const char *text;
  enum unit unit;
  int cycles;
} costs[] = {
    {"add.f32 %f1, %f2, %f3;", UNIT_FP32, 1},
    {"mul.f32 %f1, %f2, %f3;", UNIT_FP32, 1},
    {"fma.rn.f32 %f1, %f2, %f3, %f1;", UNIT_FP32, 1},
    {"fma.rn.f16x2 %r10, %r11, %r12, %r13;", UNIT_FP32, 1},
    {"mul.rn.bf16 %rs1, %rs2, %rs3;", UNIT_FP32, 1},
    {"cvt.f32.f16 %f1, %rs2;", UNIT_FP32, 1},
    {"cvt.rn.f16x2.f32 %r10, %f1, %f2;", UNIT_ALU, 2},
    {"max.bf16x2 %r10, %r11, %r12;", UNIT_ALU, 2},
    {"setp.lt.f16 %p1, %rs1, %rs2;", UNIT_ALU, 2},
    {"cvt.rni.s32.f16 %r10, %rs1;", UNIT_SFU, 8},
    {"tanh.approx.f16x2 %r10, %r11;", UNIT_SFU, 0},
    {"mul.lo.s32 %r10, %r11, %r12;", UNIT_FP32, 2},
    {"mad.lo.s32 %r10, %r11, %r12, %r13;", UNIT_FP32, 2},
    {"add.s32 %r10, %r11, %r12;", UNIT_ADD, 2},
    {"sub.s32 %r10, %r11, %r12;", UNIT_ADD, 2},
    {"and.b32 %r10, %r11, %r12;", UNIT_ALU, 2},
    {"shl.b32 %r10, %r11, 3;", UNIT_ALU, 2},
    {"min.s32 %r10, %r11, %r12;", UNIT_ALU, 2},
    {"max.f32 %f1, %f2, %f3;", UNIT_ALU, 2},
    {"setp.lt.s32 %p1, %r10, %r11;", UNIT_ALU, 2},
    {"selp.b32 %r10, %r11, %r12, %p1;", UNIT_ALU, 2},
    {"add.f64 %fd1, %fd2, %fd3;", UNIT_FP64, 2},
    {"fma.rn.f64 %fd1, %fd2, %fd3, %fd1;", UNIT_FP64, 2},
    {"min.f64 %fd1, %fd2, %fd3;", UNIT_FP64, 0},
    {"popc.b32 %r10, %r11;", UNIT_SFU, 8},
    {"cvt.rzi.s32.f32 %r10, %f1;", UNIT_SFU, 8},
    {"cvt.rni.u64.f32 %rd10, %f1;", UNIT_SFU, 8},
    {"cvt.rzi.s32.f64 %r10, %fd1;", UNIT_SFU, 8},
    {"cvt.f64.f32 %fd1, %f1;", UNIT_SFU, 8},
    {"rsqrt.approx.ftz.f32 %f1, %f2;", UNIT_SFU, 8},
    {"sin.approx.f32 %f1, %f2;", UNIT_SFU, 0},
    {"div.rn.f32 %f1, %f2, %f3;", UNIT_SFU, 0},
    {"sqrt.rn.f32 %f1, %f2;", UNIT_SFU, 0},
    {"div.u32 %r10, %r11, %r12;", UNIT_SFU, 0},
    {"rem.s32 %r10, %r11, %r12;", UNIT_SFU, 0},
    {"div.rn.f64 %fd1, %fd2, %fd3;", UNIT_FP64, 0},
    {"add.s64 %rd10, %rd11, %rd12;", UNIT_ADD, 0},
    {"shfl.sync.down.b32 %r10, %r11, 1, 31, -1;", UNIT_SHUFFLE, 1},
    {"ld.global.u32 %r10, [%rd0];", UNIT_MEMORY, 1},
    {"st.shared.u32 [%rd12], %r10;", UNIT_MEMORY, 1},
    {"red.global.add.u32 [%rd0], 1;", UNIT_MEMORY, 1},
    {"mov.f32 %f1, %f2;", UNIT_NONE, 0},
};

/* What was loaded without sign, by itself, is converted as words are. */
static void bytes_are_converted_as_words(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int unit;
  } cases[] = {
      {"ld.global.u8 %q1, [%rd0]; " AT(10) "cvt.rn.f32.u16 %f1, %q1;", UNIT_ALU},
      {"ld.shared.u16 %q1, [%rd12]; " AT(10) "cvt.rn.f32.u16 %f1, %q1;", UNIT_ALU},
      {"ld.global.s8 %q1, [%rd0]; " AT(10) "cvt.rn.f32.s16 %f1, %q1;", UNIT_SFU},
      {"ld.global.v2.u16 {%q1, %q2}, [%rd0]; " AT(10) "cvt.rn.f32.u16 %f1, %q1;", UNIT_SFU},
      {"ld.global.u8 %q1, [%rd0]; add.s16 %q2, %q1, %q1; " AT(10) "cvt.rn.f32.u16 %f1, %q2;",
       UNIT_SFU},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    char body[240];
    snprintf(body, sizeof body, ".reg .b16 %%q<4>; " AT(9) "%s" AT(1) "ret;", cases[i].text);
    struct traced *t = open_body(VARIABLES, body);
    if ((int)op_of_line(t, 10)->cost.unit != cases[i].unit)
      fail_msg("%s: unit %d", cases[i].text, op_of_line(t, 10)->cost.unit);
    traced_close(t);
  }
}

static void costs_by_unit(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(costs); i++) {
    char body[200];
    snprintf(body, sizeof body, AT(10) "%s" AT(1) "ret;", costs[i].text);
    struct traced *t = open_body(VARIABLES, body);
    struct cost cost = op_of_line(t, 10)->cost;
    bool several = cost.slots > 1 && cost.cycles + cost.alu > 2 && cost.latency > 4;
    bool fine = costs[i].unit == UNIT_NONE ? cost.slots == 0
                : costs[i].cycles          ? cost.cycles == costs[i].cycles && cost.slots == 1
                                           : several;
    if (cost.unit != costs[i].unit || !fine) {
      print_error("%s unit %d, %d instructions, %d cycles, latency %d\n", costs[i].text, cost.unit,
                  cost.slots, cost.cycles, cost.latency);
      wrong++;
    }
    traced_close(t);
  }
  assert_int_equal(wrong, 0);
}

/* The same on SMs of other capabilities, by the throughput of the CUDA C++ Programming Guide,
 * "Arithmetic Instructions": a quarter of the lanes for each scheduler. */
static const struct {
  int major, minor;
  const char *text;
  int cycles, latency; /* 0: any */
} other_costs[] = {
    {7, 5, "fma.rn.f32 %f1, %f2, %f3, %f1;", 2, 4},
    {7, 5, "mul.lo.s32 %r10, %r11, %r12;", 2, 4},
    {7, 5, "add.s32 %r10, %r11, %r12;", 2, 4},
    {7, 5, "shl.b32 %r10, %r11, 3;", 2, 4},
    {7, 5, "fma.rn.f16x2 %r10, %r11, %r12, %r13;", 2, 4},
    {7, 5, "fma.rn.f64 %fd1, %fd2, %fd3, %fd1;", 64, 48},
    {7, 5, "cvt.f64.f32 %fd1, %f1;", 64, 0},
    {7, 5, "rsqrt.approx.ftz.f32 %f1, %f2;", 8, 17},
    {8, 0, "add.f32 %f1, %f2, %f3;", 2, 4},
    {8, 0, "fma.rn.f16x2 %r10, %r11, %r12, %r13;", 1, 4},
    {8, 0, "add.f64 %fd1, %fd2, %fd3;", 4, 8},
    {8, 6, "fma.rn.f32 %f1, %f2, %f3, %f1;", 1, 4},
    {8, 6, "fma.rn.f16x2 %r10, %r11, %r12, %r13;", 2, 4},
    {8, 6, "and.b32 %r10, %r11, %r12;", 2, 4},
    {8, 6, "add.f64 %fd1, %fd2, %fd3;", 64, 48},
    {8, 9, "fma.rn.f32 %f1, %f2, %f3, %f1;", 1, 4},
    {8, 9, "cvt.f64.f32 %fd1, %f1;", 64, 0},
    {8, 9, "popc.b32 %r10, %r11;", 8, 17},
    {9, 0, "fma.rn.f64 %fd1, %fd2, %fd3, %fd1;", 2, 8},
};

static void costs_on_other_sms(void **state) {
  (void)state;
  for (int i = 0; i < LENGTH(other_costs); i++) {
    char body[200];
    snprintf(body, sizeof body, AT(10) "%s" AT(1) "ret;", other_costs[i].text);
    struct traced *t = open_body(VARIABLES, body);
    plan_free(t->kernel.plan);
    t->kernel.plan =
        plan_make(&t->kernel, capability_of(other_costs[i].major, other_costs[i].minor));
    struct cost cost = op_of_line(t, 10)->cost;
    if (cost.cycles != other_costs[i].cycles ||
        (other_costs[i].latency && cost.latency != other_costs[i].latency))
      fail_msg("%d.%d: %s: %d cycles, latency %d", other_costs[i].major, other_costs[i].minor,
               other_costs[i].text, cost.cycles, cost.latency);
    traced_close(t);
  }
}

/* ---- several operations in one instruction ---- */

/* clang-format off */
#define FUNCTIONS \
  ".extern .func (.param .b32 c) __kit_expf(.param .b32 a);\n" \
  ".extern .func (.param .b32 c) __kit_powf(.param .b32 a, .param .b32 b);\n"
#define EXP(of) \
  "{ .param .b32 a; .param .b32 c; st.param.f32 [a], " of "; call (c), __kit_expf, (a); " \
  "ld.param.f32 %f3, [c]; }"
#define POWER(of, to) \
  "{ .param .b32 a; .param .b32 b; .param .b32 c; st.param.f32 [a], " of "; " \
  "st.param.f32 [b], " to "; call (c), __kit_powf, (a, b); ld.param.f32 %f3, [c]; }"
static const struct {
  const char *name, *body;
  int slots; /* of what comes before the store at the end */
} fused[] = {
    {"an index, scaled and added to an address",
     "mul.wide.s32 %rd13, %r0, 4; add.s64 %rd14, %rd0, %rd13; st.global.u32 [%rd14], %r0;", 1},
    {"  to two addresses: two instructions",
     "mul.wide.s32 %rd13, %r0, 4; add.s64 %rd14, %rd0, %rd13; add.s64 %rd15, %rd1, %rd13; "
     "st.global.u32 [%rd14], %r0; st.global.u32 [%rd15], %r0;", 2},
    {"  but not if it is used as it is, too",
     "mul.wide.s32 %rd13, %r0, 4; add.s64 %rd14, %rd0, %rd13; st.global.u64 [%rd14], %rd13;", 2},
    {"  of indices that differ by a constant: one address",
     "add.s32 %r10, %r0, %r1; mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd0, %rd10; "
     "st.global.u32 [%rd11], %r0; add.s32 %r11, %r1, %r0; add.s32 %r12, %r11, 7; "
     "mul.wide.s32 %rd12, %r12, 4; add.s64 %rd13, %rd0, %rd12; st.global.u32 [%rd13], %r0;", 2},
    {"  if they are not used otherwise",
     "add.s32 %r10, %r0, %r1; mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd0, %rd10; "
     "st.global.u32 [%rd11], %r0; add.s32 %r12, %r10, 7; mul.wide.s32 %rd12, %r12, 4; "
     "add.s64 %rd13, %rd0, %rd12; st.global.u32 [%rd13], %r12;", 3},
    {"  of words that one load brings: two addresses",
     "ld.global.v2.u32 {%r10, %r11}, [%rd0]; mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd0, "
     "%rd10; mul.wide.s32 %rd12, %r11, 4; add.s64 %rd13, %rd0, %rd12; st.global.u32 [%rd11], %r0; "
     "st.global.u32 [%rd13], %r0;", 2},
    {"  scaled in 64 bits",
     "add.s64 %rd10, %rd4, %rd1; shl.b64 %rd11, %rd10, 2; add.s64 %rd12, %rd0, %rd11; "
     "st.global.u32 [%rd12], %r0; add.s64 %rd13, %rd1, %rd4; shl.b64 %rd14, %rd13, 2; "
     "add.s64 %rd15, %rd0, %rd14; st.global.u32 [%rd15], %r0;", 4},
    {"an address in shared memory", "add.s64 %rd10, %rd0, %rd4; st.shared.u32 [%rd10], %r0;", 1},
    {"  in global memory", "add.s64 %rd10, %rd0, %rd4; st.global.u32 [%rd10], %r0;", 2},
    {"  of a signed index, the upper half of which is not asked for",
     "cvt.s64.s32 %rd11, %r0; sub.s64 %rd10, %rd0, %rd11; st.shared.u32 [%rd10], %r0;", 1},
    {"an index into a row that begins at an index",
     "mul.wide.s32 %rd10, %r1, 4; ld.param.u64 %rd15, [p0]; add.s64 %rd11, %rd15, %rd10; "
     "mul.wide.s32 %rd12, %r0, 4; add.s64 %rd13, %rd11, %rd12; st.global.u32 [%rd13], %r0;", 6},
    {"  the row's beginning being used, too",
     "mul.wide.s32 %rd10, %r1, 4; ld.param.u64 %rd15, [p0]; add.s64 %rd11, %rd15, %rd10; "
     "mul.wide.s32 %rd12, %r0, 4; add.s64 %rd13, %rd11, %rd12; st.global.u32 [%rd13], %r0; "
     "st.global.u32 [%rd11], %r0;", 3},
    {"a quotient", "div.s32 %r10, %r0, %r2; st.global.u32 [%rd0], %r10;", 24},
    {"  and another one by the same divisor",
     "div.s32 %r10, %r0, %r2; div.s32 %r11, %r1, %r2; st.global.u32 [%rd0], %r10; "
     "st.global.u32 [%rd0], %r11;", 37},
    {"  by another one",
     "div.s32 %r10, %r0, %r2; div.s32 %r11, %r0, %r1; st.global.u32 [%rd0], %r10; "
     "st.global.u32 [%rd0], %r11;", 48},
    {"  without sign",
     "div.u32 %r10, %r0, %r2; rem.u32 %r11, %r1, %r2; st.global.u32 [%rd0], %r10; "
     "st.global.u32 [%rd0], %r11;", 28},
    {"three additions",
     "add.s32 %r20, %r0, %r1; add.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"four",
     "add.s32 %r20, %r0, %r1; add.s32 %r21, %r20, %r2; add.s32 %r22, %r21, %r4; "
     "st.global.u32 [%rd0], %r22;", 2},
    {"  with differences among them",
     "sub.s32 %r20, %r0, %r1; add.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"  but what counts a predicate is one by itself",
     "setp.lt.s32 %p2, %r0, %r1; selp.u32 %r19, 1, 0, %p2; add.s32 %r20, %r0, %r19; "
     "add.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 4},
    {"the extreme of a sum",
     "add.s32 %r20, %r0, %r1; min.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"  of a difference without sign",
     "sub.s32 %r20, %r0, %r1; max.u32 %r21, %r2, %r20; st.global.u32 [%rd0], %r21;", 1},
    {"  of a sum that is used besides",
     "add.s32 %r20, %r0, %r1; min.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21; "
     "st.global.u32 [%rd0], %r20;", 2},
    {"  of a sum of three",
     "add.s32 %r20, %r0, %r1; add.s32 %r21, %r20, %r2; min.s32 %r22, %r21, %r4; "
     "st.global.u32 [%rd0], %r22;", 2},
    {"the least of three",
     "min.s32 %r20, %r0, %r1; min.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"  the largest of two and the least of them and a third",
     "min.s32 %r20, %r0, %r1; max.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 2},
    {"a right shift and an addition",
     "shr.u32 %r20, %r0, 3; add.s32 %r21, %r20, %r1; st.global.u32 [%rd0], %r21;", 1},
    {"  by what is not a constant: two",
     "shr.u32 %r20, %r0, %r2; add.s32 %r21, %r20, %r1; st.global.u32 [%rd0], %r21;", 2},
    {"a product from which is subtracted",
     "mul.lo.s32 %r20, %r0, %r1; sub.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"  which is subtracted: two",
     "mul.lo.s32 %r20, %r0, %r1; sub.s32 %r21, %r2, %r20; st.global.u32 [%rd0], %r21;", 2},
    {"signs of floating-point operands",
     "neg.f32 %f2, %f1; abs.f32 %f3, %f4; fma.rn.f32 %f5, %f2, %f3, %f1; "
     "st.global.f32 [%rd0], %f5;", 1},
    {"  of several instructions",
     "neg.f32 %f2, %f1; add.f32 %f3, %f2, %f4; setp.lt.f32 %p2, %f2, %f5; "
     "selp.f32 %f6, %f3, %f4, %p2; st.global.f32 [%rd0], %f6;", 3},
    {"  of double precision",
     "neg.f64 %fd2, %fd1; fma.rn.f64 %fd3, %fd2, %fd1, %fd1; st.global.f64 [%rd0], %fd3;", 1},
    {"  but not of what is stored", "neg.f32 %f2, %f1; st.global.f32 [%rd0], %f2;", 1},
    {"  nor of what an integer operation takes",
     "neg.f32 %f2, %f1; mov.b32 %r20, %f2; xor.b32 %r20, %r20, %r0; st.global.u32 [%rd0], %r20;",
     2},
    {"a field of bits",
     "bfe.u32 %r20, %r0, 5, 3; st.global.u32 [%rd0], %r20;", 2},
    {"  the lowest ones", "bfe.u32 %r20, %r0, 0, 3; st.global.u32 [%rd0], %r20;", 1},
    {"  the highest ones, with their sign",
     "bfe.s32 %r20, %r0, 24, 8; st.global.u32 [%rd0], %r20;", 1},
    {"  the lowest ones with their sign", "bfe.s32 %r20, %r0, 0, 3; st.global.u32 [%rd0], %r20;",
     2},
    {"logic that is compared with zero",
     "and.b32 %r20, %r0, %r1; setp.ne.s32 %p2, %r20, 0; selp.b32 %r21, %r0, %r1, %p2; "
     "st.global.u32 [%rd0], %r21;", 2},
    {"  with something else",
     "and.b32 %r20, %r0, %r1; setp.ne.s32 %p2, %r20, 1; selp.b32 %r21, %r0, %r1, %p2; "
     "st.global.u32 [%rd0], %r21;", 3},
    {"  and used besides",
     "and.b32 %r20, %r0, %r1; setp.ne.s32 %p2, %r20, 0; selp.b32 %r21, %r20, %r1, %p2; "
     "st.global.u32 [%rd0], %r21;", 3},
    {"a choice between two of 64 bits",
     "setp.lt.s32 %p2, %r0, %r1; selp.b64 %rd10, %rd0, %rd1, %p2; st.global.u64 [%rd0], %rd10;", 3},
    {"logic of three operands",
     "xor.b32 %r20, %r0, %r1; and.b32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 1},
    {"  however many operations they take",
     "xor.b32 %r20, %r0, %r1; and.b32 %r21, %r20, %r2; xor.b32 %r22, %r21, %r1; "
     "st.global.u32 [%rd0], %r22;", 1},
    {"  of four",
     "xor.b32 %r20, %r0, %r1; and.b32 %r21, %r20, %r2; xor.b32 %r22, %r21, %r4; "
     "st.global.u32 [%rd0], %r22;", 2},
    {"  a constant is one",
     "and.b32 %r20, %r0, 255; or.b32 %r21, %r20, %r1; xor.b32 %r22, %r21, %r2; "
     "st.global.u32 [%rd0], %r22;", 2},
    {"  of 64 bits", "xor.b64 %rd10, %rd0, %rd1; and.b64 %rd11, %rd10, %rd4; "
     "st.global.u64 [%rd0], %rd11;", 2},
    {"  not with an addition between them",
     "xor.b32 %r20, %r0, %r1; add.s32 %r21, %r20, %r2; st.global.u32 [%rd0], %r21;", 2},
    {"two words put together",
     "cvt.u64.u32 %rd10, %r0; shl.b64 %rd10, %rd10, 32; cvt.u64.u32 %rd11, %r1; "
     "or.b64 %rd12, %rd10, %rd11; st.global.u64 [%rd0], %rd12;", 0},
    {"  and something more",
     "cvt.u64.u32 %rd10, %r0; shl.b64 %rd10, %rd10, 32; "
     "or.b64 %rd12, %rd10, %rd1; st.global.u64 [%rd0], %rd12;", 1},
    {"a shift of 64 bits", "shl.b64 %rd10, %rd0, 7; st.global.u64 [%rd0], %rd10;", 2},
    {"  by more than 32", "shl.b64 %rd10, %rd0, 37; st.global.u64 [%rd0], %rd10;", 1},
    {"  to the right, of 32", "cvt.u64.u32 %rd11, %r0; shr.u64 %rd10, %rd11, 7; "
     "st.global.u64 [%rd0], %rd10;", 1},
    {"  with its sign", "shr.s64 %rd10, %rd0, 40; st.global.u64 [%rd0], %rd10;", 2},
    {"  of which the lower half is needed",
     "shl.b64 %rd10, %rd0, 7; cvt.u32.u64 %r20, %rd10; st.global.u32 [%rd0], %r20;", 1},
    {"  of which the upper half is needed",
     "shl.b64 %rd10, %rd0, 7; shr.u64 %rd11, %rd10, 32; cvt.u32.u64 %r20, %rd11; "
     "st.global.u32 [%rd0], %r20;", 1},
    {"a rotation",
     "shl.b64 %rd10, %rd0, 13; shr.u64 %rd11, %rd0, 51; or.b64 %rd12, %rd10, %rd11; "
     "st.global.u64 [%rd0], %rd12;", 2},
    {"  by 32",
     "shl.b64 %rd10, %rd0, 32; shr.u64 %rd11, %rd0, 32; or.b64 %rd12, %rd10, %rd11; "
     "st.global.u64 [%rd0], %rd12;", 0},
    {"  none, as bits are lost",
     "shl.b64 %rd10, %rd0, 13; shr.u64 %rd11, %rd0, 52; or.b64 %rd12, %rd10, %rd11; "
     "st.global.u64 [%rd0], %rd12;", 4},
    {"a sum of 64 bits", "add.s64 %rd10, %rd0, %rd1; st.global.u64 [%rd0], %rd10;", 2},
    {"  of which the lower half is needed",
     "add.s64 %rd10, %rd0, %rd1; cvt.u32.u64 %r20, %rd10; st.global.u32 [%rd0], %r20;", 1},
    {"a product of 64 bits", "mul.lo.s64 %rd10, %rd0, %rd1; st.global.u64 [%rd0], %rd10;", 4},
    {"  by a small constant", "mul.lo.s64 %rd10, %rd0, 10; st.global.u64 [%rd0], %rd10;", 3},
    {"  of words",
     "cvt.u64.u32 %rd10, %r0; cvt.u64.u32 %rd11, %r1; mul.lo.s64 %rd12, %rd10, %rd11; "
     "st.global.u64 [%rd0], %rd12;", 1},
    {"a mask of one half", "and.b64 %rd10, %rd0, 4294967040; st.global.u64 [%rd0], %rd10;", 1},
    {"  what is loaded as a word has one",
     "ld.global.u32 %rd10, [%rd0]; xor.b64 %rd11, %rd10, %rd1; st.global.u64 [%rd0], %rd11;", 1},
    {"  but not with its sign",
     "ld.global.s32 %rd10, [%rd0]; xor.b64 %rd11, %rd10, %rd1; st.global.u64 [%rd0], %rd11;", 2},
    {"comparisons that are combined",
     "setp.lt.s32 %p2, %r0, 9; setp.ge.s32 %p3, %r1, %r2; or.pred %p4, %p2, %p3; "
     "selp.b32 %r20, %r0, %r1, %p4; st.global.u32 [%rd0], %r20;", 3},
    {"a function", "mov.b32 %f1, %r0;" EXP("%f1") "st.global.f32 [%rd0], %f3;", 8},
    {"  of a constant: the compiler's work",
     EXP("0f40000000") "st.global.f32 [%rd0], %f3;", 0},
    {"a power", "mov.b32 %f1, %r0;" POWER("%f1", "%f2") "st.global.f32 [%rd0], %f3;", 82},
    {"  of a constant: without its logarithm",
     "mov.f32 %f1, 0f40000000;" POWER("%f1", "%f2") "st.global.f32 [%rd0], %f3;", 32},
    {"  with an exponent that is a constant",
     "mov.b32 %f1, %r0;" POWER("%f1", "0f40000000") "st.global.f32 [%rd0], %f3;", 73},
    {"  of what is the same in each turn of a loop",
     "bar.sync 0; in: " POWER("%f4", "%f2") "st.global.f32 [%rd0], %f3; add.f32 %f2, %f2, %f3;"
     "setp.lt.f32 %p1, %f2, %f5; @%p1 bra in;", 34},
};
/* clang-format on */

static void one_instruction_of_several(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(fused); i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s bar.sync 0; %s ret;\n}\n", SIM_HEADER, FUNCTIONS,
             SIM_ENTRY("k"), fused[i].body);
    struct traced *t = traced_open(text);
    bool has_loop = strstr(fused[i].body, "in:") != NULL;
    const struct plan_block *block = &t->kernel.plan->blocks[has_loop ? 2 : 1];
    int slots = 0;
    for (int k = 0; k < block->count; k++)
      if (block->ops[k].traced < 0) slots += block->ops[k].cost.slots;
    if (slots != fused[i].slots) {
      print_error("%s: %d slots, not %d\n", fused[i].name, slots, fused[i].slots);
      wrong++;
    }
    traced_close(t);
  }
  assert_int_equal(wrong, 0);
}

/* Indices that differ by constants may have been scaled before the block: there is one address. */
static void addresses_of_earlier_sums(void **state) {
  (void)state;
  static const char *const seconds[] = {"add.s32 %r10, %r0, 7;", "add.s32 %r10, %r0, %r1;"};
  int slots[LENGTH(seconds)] = {0};
  for (int i = 0; i < LENGTH(seconds); i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "cvt.s64.s32 %%rd10, %%r0; shl.b64 %%rd11, %%rd10, 2; %s cvt.s64.s32 %%rd12, %%r10; "
             "shl.b64 %%rd13, %%rd12, 2; bar.sync 0; add.s64 %%rd14, %%rd0, %%rd11; "
             "add.s64 %%rd15, %%rd0, %%rd13; st.global.u32 [%%rd14], %%r0; "
             "st.global.u32 [%%rd15], %%r0; ret;",
             seconds[i]);
    struct traced *t = open_body("", text);
    const struct plan_block *block = &t->kernel.plan->blocks[1];
    for (int k = 0; k < block->count; k++)
      if (block->ops[k].traced < 0) slots[i] += block->ops[k].cost.slots;
    traced_close(t);
  }
  assert_int_equal(slots[0], 2);
  assert_int_equal(slots[1], 4);
}

#define CONSTANT_LOOP(turns, guard)                                                       \
  "mov.u64 %rd10, 64; mov.u32 %r10, 0; bar.sync 0; in: " guard                            \
  " ld.const.f32 %f2, [%rd10]; "                                                          \
  "ld.const.f32 %f3, [%rd10+4]; fma.rn.f32 %f1, %f2, %f3, %f1; add.s64 %rd10, %rd10, 8; " \
  "add.s32 %r10, %r10, 1; setp.ne.u32 %p1, %r10, " turns                                  \
  "; @%p1 bra in; st.global.f32 [%rd0], "                                                 \
  "%f1; ret;"

/* Two constants at addresses that a compiler knows are one instruction; a loop is unrolled for them
 * if it knows how many turns there are. */
static void constants_of_known_addresses(void **state) {
  (void)state;
  static const struct {
    const char *name, *body;
    int block, loads, slots;
    bool unrolled;
  } cases[] = {
      {"fixed ones",
       "mov.u64 %rd10, 64; bar.sync 0; ld.const.f32 %f2, [%rd10]; ld.const.f32 %f3, [%rd10+4]; "
       "add.f32 %f1, %f2, %f3; st.global.f32 [%rd0], %f1; ret;",
       1, 1, 3, false},
      {"in a hundred turns", CONSTANT_LOOP("100", ""), 1, 1, 2, true},
      {"in so many turns as an argument says", CONSTANT_LOOP("%r2", ""), 1, 2, 7, false},
      {"at an address that the thread tells",
       "cvt.u64.u32 %rd10, %r0; bar.sync 0; ld.const.f32 %f2, [%rd10]; ld.const.f32 %f3, "
       "[%rd10+4]; add.f32 %f1, %f2, %f3; st.global.f32 [%rd0], %f1; ret;",
       1, 2, 4, false},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    struct traced *t = open_body("", cases[i].body);
    const struct plan_block *block = &t->kernel.plan->blocks[cases[i].block];
    const struct op *ops = t->kernel.programs[0]->ops + block->block->first;
    int loads = 0, slots = 0;
    for (int k = 0; k < block->count; k++) {
      slots += block->ops[k].cost.slots;
      if (ops[k].constant) loads += block->ops[k].cost.slots;
    }
    if (loads != cases[i].loads || slots != cases[i].slots || block->unrolled != cases[i].unrolled)
      fail_msg("%s: %d slots, %d of them loads; unrolled %d", cases[i].name, slots, loads,
               block->unrolled);
    traced_close(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_first),
      cmocka_unit_test(no_more_loads_than_registers),
      cmocka_unit_test(addresses_wait_for_loads_without_room),
      cmocka_unit_test(values_in_registers_leave_less_room),
      cmocka_unit_test(lanes_that_go_different_ways_need_more_registers),
      cmocka_unit_test(moves_are_free),
      cmocka_unit_test(addresses_of_earlier_sums),
      cmocka_unit_test(constants_of_known_addresses),
      cmocka_unit_test(loops_of_known_length_are_unrolled),
      cmocka_unit_test(what_is_unrolled_by_four),
      cmocka_unit_test(turns_by_the_size_of_the_body),
      cmocka_unit_test(turns_overlap),
      cmocka_unit_test(compared_counters_are_made),
      cmocka_unit_test(halves_count_in_predicated_parts),
      cmocka_unit_test(short_ways_are_predicated),
      cmocka_unit_test(parting_lanes_meet),
      cmocka_unit_test(costs_by_unit),
      cmocka_unit_test(bytes_are_converted_as_words),
      cmocka_unit_test(costs_on_other_sms),
      cmocka_unit_test(one_instruction_of_several),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
