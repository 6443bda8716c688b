/* test_sim_budget.c: what a launch may spend, over all its blocks and over all launches, for any
 * number of threads the same; kernels that repeat themselves, and such as only seem to.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "tests/unit/sim_device.h"

#include <unistd.h>

enum { MILLION = 1000000 };

/* clang-format off */
#define LOOP(label, count) \
  " add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, " #count "; @%p1 bra " label ";"
static const char kernels[] =
    SIM_HEADER ".shared .align 4 .b8 s[4];\n.global .align 4 .b8 g[4];\n"
    /* a thousand rounds of three instructions */
    SIM_ENTRY("rounds") "mov.u32 %r10, 0;" AT(5) "$again:" LOOP("$again", 1000) " ret;\n}\n"
    SIM_ENTRY("long") "mov.u32 %r10, 0;" AT(5) "$again:" LOOP("$again", 4000000) " ret;\n}\n"
    SIM_ENTRY("races") "mov.u32 %r10, 0;" AT(5) "$again: st.global.u32 [g], %r3;" LOOP("$again",
    1000) " ret;\n}\n"
    /* endless */
    SIM_ENTRY("bare") AT(5) "$again: bra $again;\n}\n"
    SIM_ENTRY("sums") "add.s64 %rd10, %rd0, %rd4; mov.f32 %f1, 0f00000000; mov.u32 %r11, 0;" AT(5)
    "$again: add.f32 %f1, %f1, 0f3F800000;"
        " st.global.f32 [%rd10], %f1; setp.lt.s32 %p1, %r11, 9; @%p1 bra $again; ret;\n}\n"
    SIM_ENTRY("barriers") "mov.u32 %r11, 0; mov.u32 %r12, 0;" AT(5)
    "$again: bar.sync 0; add.s32 %r12, %r12, 1;"
        " setp.lt.s32 %p1, %r11, 9; @%p1 bra $again; ret;\n}\n"
    SIM_ENTRY("some_lanes") "setp.lt.s32 %p1, %r4, 7; @%p1 bra $stay; ret; $stay:" AT(5)
    "$again: add.s32 %r12, %r12, 1;"
        " @%p1 bra $again; ret;\n}\n"
    SIM_ENTRY("in_shared") "st.shared.u32 [s], 0;" AT(5)
    "$again: ld.shared.u32 %r10, [s]; xor.b32 %r11, %r10, 1;"
        " st.shared.u32 [s], %r11; setp.lt.u32 %p1, %r10, 2; @%p1 bra $again; ret;\n}\n"
    /* a search that never gets closer, in an array that nobody writes */
    SIM_ENTRY("searches") "mov.u32 %r10, 0;" AT(5)
    "$again: ld.global.u32 %r11, [%rd0]; add.s32 %r10, %r11, %r10;"
        " shr.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 9; @%p1 bra $again; ret;\n}\n"
    /* these end, some only after long */
    SIM_ENTRY("shared_counter") "mov.u32 %r10, 0; st.shared.u32 [s], 0;" AT(5)
    "$again: ld.shared.u32 %r10, [s];"
        " add.s32 %r10, %r10, 1; st.shared.u32 [s], %r10; setp.lt.s32 %p1, %r10, 1000000; "
        "@%p1 bra $again; ret;\n}\n"
    SIM_ENTRY("global_counter") "mov.u32 %r10, 0;" AT(5) "$again: ld.global.u32 %r10, [%rd0];"
        " add.s32 %r10, %r10, 1; st.global.u32 [%rd0], %r10; setp.lt.s32 %p1, %r10, 1000000; "
        "@%p1 bra $again; ret;\n}\n"
    SIM_ENTRY("waits_for_the_clock") AT(5)
    "$again: mov.u32 %r10, %clock; setp.lt.u32 %p1, %r10, 5000000; @%p1 bra $again;"
        " ret;\n}\n"
    SIM_ENTRY("nested") "mov.u32 %r12, 0; $outer: mov.u32 %r10, 0;" AT(5) "$again:" LOOP("$again",
    1000)
        " add.s32 %r12, %r12, 1; setp.lt.s32 %p2, %r12, 2000; @%p2 bra $outer; ret;\n}\n"
    /* no end in sight but that of the array */
    SIM_ENTRY("walks") "mov.u64 %rd10, %rd0;" AT(5)
    "$again: st.global.u32 [%rd10], 1; add.s64 %rd10, %rd10, 4;"
        " bra $again;\n}\n";
/* clang-format on */

static struct sim *open_with(int threads, struct budget budget, struct budget used) {
  struct sim *sim =
      sim_open_bare((struct device_options){.threads = threads, .budget = budget, .used = used});
  sim_load(sim, kernels);
  return sim;
}

static void run(struct sim *sim, const char *kernel, unsigned blocks, unsigned threads,
                uint64_t flag) {
  uint64_t params[4] = {flag, 0, 0, 0};
  struct sim_shape shape = {{blocks, 1, 1}, {threads, 1, 1}, 0};
  assert_int_equal(sim_try_params(sim, kernel, shape, params), 0);
}

static void what_is_spent_does_not_depend_on_threads(void **state) {
  (void)state;
  static const char *const names[] = {"rounds", "races"};
  for (int k = 0; k < LENGTH(names); k++) {
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads++) {
      struct sim *sim = open_with(threads, (struct budget){0}, (struct budget){.instructions = 7});
      run(sim, names[k], 40, 64, 0);
      uint64_t spent = device_used(sim->device).instructions;
      assert_in_range(spent, 40 * 2 * 3000 + 7, 40 * 2 * 3000 * 20);
      if (!first) first = spent;
      assert_true(spent == first);
      sim_close(sim);
    }
  }
}

static void expect_end(struct sim *sim, enum hazard_kind kind, int line, const char *words) {
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, kind);
  assert_int_equal(sim->hazards[0].line, line);
  if (!strstr(sim->hazards[0].message, words))
    fail_msg("'%s' is not in: %s", words, sim->hazards[0].message);
  assert_int_equal(device_synchronize(sim->device), 702);
}

static void launches_share_the_budget(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    struct sim *sim =
        open_with(threads, (struct budget){.instructions = 750000}, (struct budget){0});
    for (int i = 0; i < 3; i++) { /* of 80 warps of 3000 and a few each */
      run(sim, "rounds", 40, 64, 0);
      assert_int_equal(sim->hazard_count, 0);
    }
    run(sim, "rounds", 40, 64, 0);
    expect_end(sim, HAZARD_budget, 5, "the budget of 750000 warp instructions");
    assert_true(device_used(sim->device).instructions > 750000);
    assert_true(device_used(sim->device).instructions < 750100);
    sim_close(sim);
    sim = open_with(threads, (struct budget){.instructions = MILLION},
                    (struct budget){.instructions = MILLION}); /* in another process */
    uint64_t params[4] = {0};
    struct sim_shape shape = {{1, 1, 1}, {32, 1, 1}, 0};
    assert_int_equal(sim_try_params(sim, "rounds", shape, params), 702);
    expect_end(sim, HAZARD_budget, 900, "only to start them takes more");
    sim_close(sim);
  }
}

/* What runs for long, under sanitizers much longer. */
#if defined __SANITIZE_ADDRESS__
enum { IS_SLOW = true, MAX_THREADS = 1 };
#else
enum { IS_SLOW = false, MAX_THREADS = 3 };
#endif

static void what_repeats_itself_is_endless(void **state) {
  (void)state;
  static const char *const names[] = {"bare",       "sums",      "barriers",
                                      "some_lanes", "in_shared", "searches"};
  static const unsigned threads_of[] = {32, 32, 96, 32, 1, 32};
  for (int k = 0; k < LENGTH(names); k++)
    for (int threads = 1; threads <= MAX_THREADS; threads += 2) {
      struct sim *sim = open_with(threads, (struct budget){0}, (struct budget){0});
      uint64_t flag = sim_zeros(sim, 4 * 96);
      run(sim, names[k], 3, threads_of[k], flag);
      if (sim->hazard_count != 1 || sim->hazards[0].kind != HAZARD_timeout) {
        sim_print_hazards(sim);
        fail_msg("%s", names[k]);
      }
      expect_end(sim, HAZARD_timeout, 5, "forever");
      assert_true(device_used(sim->device).instructions < 3 * MILLION);
      sim_close(sim);
    }
}

static void what_takes_long_is_not_endless(void **state) {
  (void)state;
  if (IS_SLOW) skip();
  static const char *const names[] = {"long", "shared_counter", "global_counter",
                                      "waits_for_the_clock", "nested"};
  for (int k = 0; k < LENGTH(names); k++) {
    struct sim *sim = open_with(1, (struct budget){0}, (struct budget){0});
    uint64_t flag = sim_zeros(sim, 4);
    run(sim, names[k], 1, 1, flag);
    if (sim->hazard_count) {
      sim_print_hazards(sim);
      fail_msg("%s", names[k]);
    }
    assert_int_equal(device_synchronize(sim->device), 0);
    assert_true(device_used(sim->device).instructions > 4 * MILLION);
    sim_close(sim);
  }
  struct sim *sim = open_with(1, (struct budget){0}, (struct budget){0});
  run(sim, "walks", 1, 32, sim_zeros(sim, 4 * MILLION));
  assert_int_equal(sim->hazards[0].kind, HAZARD_oob);
  assert_int_equal(device_synchronize(sim->device), 700);
  sim_close(sim);
}

static void copies_and_calls_have_budgets(void **state) {
  (void)state;
  static char bytes[1000];
  struct device_issue issue = {.line = 12, .host_waits = true};
  struct sim *sim =
      open_with(1, (struct budget){.bytes = 2500, .calls = 3}, (struct budget){.bytes = 100});
  uint64_t array = sim_zeros(sim, 1000);
  for (int i = 0; i < 2; i++)
    assert_int_equal(device_write_rows(sim->device, &issue, array, 1000, bytes, 1000, 1000, 1), 0);
  assert_int_equal(device_used(sim->device).bytes, 2100);
  assert_int_equal(device_fill_rows(sim->device, &issue, array, 10, 0, 1, 6), 0); /* 64 a row */
  assert_int_equal(device_used(sim->device).bytes, 2484);
  for (int i = 0; i < 3; i++) device_count_call(sim->device);
  assert_false(device_is_over_budget(sim->device));
  assert_int_equal(sim->hazard_count, 0);
  assert_int_equal(device_fill_rows(sim->device, &issue, array, 17, 0, 17, 1), 702);
  expect_end(sim, HAZARD_budget, 12, "over their budget of 2500 bytes");
  assert_true(device_is_over_budget(sim->device));
  device_count_call(sim->device);
  assert_int_equal(sim->hazard_count, 1); /* the first one says it */
  sim_close(sim);
  sim = open_with(1, (struct budget){.calls = 2}, (struct budget){.calls = 1});
  device_count_call(sim->device);
  assert_int_equal(sim->hazard_count, 0);
  device_count_call(sim->device);
  expect_end(sim, HAZARD_budget, 0, " 2 times");
  sim_close(sim);
}

/* What host and device exchange around work on managed memory is copied, whoever wrote it. */
static void managed_memory_is_copied(void **state) {
  (void)state;
  struct sim *sim = open_with(1, (struct budget){.bytes = 3500}, (struct budget){0});
  uint64_t array;
  int pages;
  assert_int_equal(
      device_malloc_managed(sim->device, 1000, (struct source_place){.line = 4}, &array, &pages),
      0);
  uint64_t before = device_used(sim->device).bytes;
  run(sim, "rounds", 1, 32, 0);
  assert_int_equal(device_used(sim->device).bytes, before + 1000);
  device_read(sim->device, &array, array, 4); /* the harness looks at it */
  assert_int_equal(device_used(sim->device).bytes, before + 1000);
  while (device_used(sim->device).bytes + 1000 <= 3500) run(sim, "rounds", 1, 32, 0);
  uint64_t params[4] = {0};
  struct sim_shape shape = {{1, 1, 1}, {32, 1, 1}, 0};
  assert_int_equal(sim_try_params(sim, "rounds", shape, params), 702);
  expect_end(sim, HAZARD_budget, 900, "managed memory");
  close(pages);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_spent_does_not_depend_on_threads),
      cmocka_unit_test(launches_share_the_budget),
      cmocka_unit_test(what_repeats_itself_is_endless),
      cmocka_unit_test(what_takes_long_is_not_endless),
      cmocka_unit_test(copies_and_calls_have_budgets),
      cmocka_unit_test(managed_memory_is_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
