/* test_sim_model_spill.c: kernels that may have fewer registers than they need: how many they get,
 * which values go to local memory (plan_spill.c), and what that costs where L2 keeps them and where
 * it does not. */
#include "tests/unit/sim_traced.h"

#include "harness/sim/model/replay.h"

/* A loop of `turns` turns, each of which changes `values` values that live from turn to turn. */
static struct traced *open_loop(const char *directives, int values, int turns) {
  static char text[1 << 16];
  size_t at = 0;
#define PUT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
  PUT("%s.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n%s\n%s",
      SIM_HEADER, directives,
      "{\n.reg .f32 %v<200>;\n" SIM_REGISTERS SIM_PROLOGUE
      "add.s64 %rd10, %rd0, %rd4; cvt.rn.f32.u32 %f1, %r0; mov.u32 %r10, 0;\n");
  for (int i = 0; i < values; i++) PUT("add.f32 %%v%d, %%f1, 0f%08X;\n", i, 0x3F800000 + i);
  PUT("again:\n");
  for (int i = 0; i < values; i++) PUT("fma.rn.f32 %%v%d, %%v%d, %%f1, %%f1;\n", i, i);
  PUT("add.s32 %%r10, %%r10, 1; setp.lt.u32 %%p1, %%r10, %d; @%%p1 bra again;\n", turns);
  for (int i = 1; i < values; i++) PUT("add.f32 %%v0, %%v0, %%v%d;\n", i);
  PUT("st.global.f32 [%%rd10], %%v0;\nret;\n}\n");
#undef PUT
  assert_in_range(at, 1, sizeof text - 1);
  return traced_open(text);
}

/* The loop as it is planned. */
static const struct plan_block *loop_of(const struct traced *t) {
  for (int b = 0; b < t->kernel.plan->block_count; b++) {
    const struct plan_block *block = &t->kernel.plan->blocks[b];
    if (block->block->end != END_BRANCH) continue;
    while (block->longer) block = block->longer;
    return block;
  }
  fail_msg("no loop");
  return NULL;
}

static void count_spills(const struct plan_block *block, int *loads, int *stores) {
  *loads = *stores = 0;
  for (int i = 0; i < block->spill_count; i++)
    *(block->spills[i].stores ? stores : loads) += block->spills[i].words;
}

static void registers_by_the_bounds(void **state) {
  (void)state;
  static const struct {
    const char *directives;
    int values, registers;
    bool spills;
  } rows[] = {
      {"", 100, 0, false},
      {".maxntid 256, 1, 1", 100, 0, false},
      {".maxntid 1024, 1, 1", 100, 64, true},
      {".maxntid 1024, 1, 1 .minnctapersm 1", 100, 64, true},
      {".maxntid 1024, 1, 1 .minnctapersm 2", 100, 32, true},
      {".maxntid 1024, 1, 1 .minnctapersm 9", 100, 32, true}, /* there is no room for so many */
      {".maxntid 256, 1, 1 .minnctapersm 4", 100, 64, true},
      {".maxntid 100, 1, 1 .minnctapersm 6", 100, 80, true},
      {".maxntid 1024, 1, 1 .minnctapersm 2", 8, 0, false},
      {".maxnreg 40", 100, 40, true},
      {".maxnreg 40", 20, 0, false},
      {".maxntid 256, 1, 1 .maxnreg 200 .minnctapersm 4", 100, 64, true},
      {".minnctapersm 2", 100, 0, false}, /* of blocks whose size is not known */
  };
  for (int i = 0; i < LENGTH(rows); i++) {
    struct traced *t = open_loop(rows[i].directives, rows[i].values, 2);
    int loads, stores, registers = t->kernel.info.registers;
    count_spills(loop_of(t), &loads, &stores);
    if (rows[i].spills != (loads > 0) || rows[i].spills != (stores > 0) ||
        (rows[i].registers && registers != rows[i].registers))
      fail_msg("%s, %d values: %d registers, %d loads, %d stores", rows[i].directives,
               rows[i].values, registers, loads, stores);
    if (!rows[i].registers) assert_true(registers > rows[i].values);
    traced_close(t);
  }
}

/* Constants at known addresses are operands; a function takes some registers while it runs. */
static void what_takes_registers(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int more; /* than that of one sum */
  } rows[] = {
      {"add.f64 %fd1, %fd1, %fd2;", 0},
      {"ld.const.f64 %fd3, [256]; ld.const.f64 %fd4, [264]; ld.const.f64 %fd5, [272];"
       "fma.rn.f64 %fd1, %fd1, %fd3, %fd2; fma.rn.f64 %fd1, %fd1, %fd4, %fd5;"
       "mul.f64 %fd1, %fd1, %fd3;",
       0},
      {"ld.global.f64 %fd3, [%rd10]; ld.global.f64 %fd4, [%rd10+8]; ld.global.f64 %fd5, [%rd10+16];"
       "fma.rn.f64 %fd1, %fd1, %fd3, %fd2; fma.rn.f64 %fd1, %fd1, %fd4, %fd5;"
       "mul.f64 %fd1, %fd1, %fd3;",
       6},
      {"div.rn.f64 %fd1, %fd1, %fd2;", 12},
      {"sqrt.rn.f64 %fd1, %fd1; add.f64 %fd1, %fd1, %fd2;", 6},
  };
  int least = 0;
  for (int i = 0; i < LENGTH(rows); i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", SIM_HEADER SIM_ENTRY("k")
             "add.s64 %rd10, %rd0, %rd4; ld.global.f64 %fd1, [%rd10]; "
             "ld.global.f64 %fd2, [%rd10+64];",
             rows[i].body, "st.global.f64 [%rd10], %fd1; st.global.f64 [%rd10+8], %fd2; ret; }\n");
    struct traced *t = traced_open(text);
    int registers = t->kernel.info.registers;
    if (i == 0) least = registers;
    if (registers - least < rows[i].more - 1 || registers - least > rows[i].more + 1)
      fail_msg("%s: %d registers, not about %d", rows[i].body, registers, least + rows[i].more);
    traced_close(t);
  }
}

/* Values that are all changed in each turn, and come round in turn: those that stay are as many as
 * there is room for; the others are loaded and stored once a turn. */
static void the_others_are_loaded_and_stored_once(void **state) {
  (void)state;
  for (int values = 60; values <= 180; values += 40) {
    struct traced *t = open_loop(".maxnreg 40", values, 2);
    const struct plan_block *loop = loop_of(t);
    int loads, stores;
    count_spills(loop, &loads, &stores);
    assert_in_range(loads, (values - 40) * loop->turns, (values - 25) * loop->turns);
    assert_int_equal(loads, stores);
    for (int i = 0; i < loop->spill_count; i++) {
      const struct plan_spill *spill = &loop->spills[i];
      assert_in_range(spill->at, i ? loop->spills[i - 1].at : 0, loop->count);
      assert_in_range(spill->slot, 0, t->kernel.plan->slot_count - 1);
    }
    assert_true(t->kernel.plan->max_ops >= loop->count + loop->spill_count);
    traced_close(t);
  }
}

static const struct sm plain = {.predicate = 10,
                                .l1_latency = 30,
                                .l2_latency = 200,
                                .dram_latency = 500,
                                .l1_lines = 1600,
                                .l2_line = 2,
                                .l2_sector = 0.5,
                                .store_unit = 1,
                                .port_line = 2,
                                .port_sector = 0.5,
                                .port_unit = 1,
                                .dram_local = 10};

static struct replay play(const char *directives, unsigned threads, const struct sm *sm) {
  struct traced *t = open_loop(directives, 100, 20);
  struct replay r;
  traced_launch(t, 1, threads, traced_buffer(t, NULL, 1 << 20), 0);
  assert_true(replay_run(t->kernel.plan, t->result.traces, t->result.trace_count, 1, true, true, 1,
                         sm, &r));
  traced_close(t);
  return r;
}

static void spills_take_time_and_go_to_l2(void **state) {
  (void)state;
  struct replay all = play("", 32, &plain), few = play(".maxnreg 40", 32, &plain);
  assert_int_equal(all.local.stored, 0);
  assert_int_equal(all.instructions, few.instructions); /* of the program */
  /* some 65 words a turn, 4 sectors each; L1 holds those of one warp */
  assert_in_range(few.local.stored, 20 * 55 * 4, 20 * 75 * 4);
  assert_true(few.local.missed < few.local.stored / 10);
  assert_in_range(few.local.lines, 55, 120);
  assert_true(few.cycles > all.cycles + 20 * 55);
  /* where L1 is too small, they come back from L2 */
  struct sm small = plain;
  small.l1_lines = 48;
  struct replay lost = play(".maxnreg 40", 32, &small);
  assert_in_range(lost.local.stored, few.local.stored, few.local.stored);
  assert_true(lost.local.missed > lost.local.stored / 2);
  assert_true(lost.cycles > few.cycles);
}

static void what_l2_does_not_keep_comes_from_dram(void **state) {
  (void)state;
  struct sm outside = plain;
  outside.local_outside = 0.5;
  struct replay kept = play(".maxnreg 40", 1024, &plain),
                lost = play(".maxnreg 40", 1024, &outside);
  assert_true(kept.busy[BUSY_DRAM] <= 0);
  /* half of the sectors, two at a time */
  double pairs = 0.25 * (double)(lost.local.stored + lost.local.missed);
  assert_true(lost.busy[BUSY_DRAM] > 9 * pairs && lost.busy[BUSY_DRAM] < 11 * pairs);
  assert_true(lost.cycles > kept.cycles);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(registers_by_the_bounds),
                                     cmocka_unit_test(what_takes_registers),
                                     cmocka_unit_test(the_others_are_loaded_and_stored_once),
                                     cmocka_unit_test(spills_take_time_and_go_to_l2),
                                     cmocka_unit_test(what_l2_does_not_keep_comes_from_dram)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
