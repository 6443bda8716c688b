/* test_sim_watch.c: what is seen in the few blocks of a launch that are watched: sectors that loads
 * ask of L2, and where the lanes of each instruction went; figures worked out by hand. The same for
 * 1, 2 and 5 threads. */
#include "tests/unit/sim_device.h"

static const int thread_counts[] = {1, 2, 5};

/* ---- sectors of L2 ---- */

static uint64_t l2_sectors(const struct sim *sim) {
  return sim->report.counters.value[COUNTER_l2_load_sectors];
}
static uint64_t load_sectors(const struct sim *sim) {
  return sim->report.counters.value[COUNTER_global_load_sectors];
}

/* Runs body in blocks of 64 threads; %rd10: the address of element tid.x in the first array, which
 * has 1 MiB. */
static void check_l2(const char *name, const char *body, unsigned blocks, uint64_t asked,
                     uint64_t distinct, uint64_t requests) {
  static const char start[] =
      "add.s64 %rd10, %rd0, %rd5; mov.u64 %rd20, s; add.s64 %rd20, %rd20, %rd5;\n"
      "st.shared.u32 [%rd20], 0; mov.u32 %r20, 0;";
  char text[4096];
  snprintf(text, sizeof text, "%s%s%s%s\n%s\nret;\n}\n", SIM_HEADER,
           ".const .align 4 .b8 c[256];\n.shared .align 16 .b8 s[256];\n", SIM_ENTRY("k"), start,
           body);
  for (int i = 0; i < LENGTH(thread_counts); i++) {
    struct sim *sim = sim_open(text, thread_counts[i]);
    uint64_t data = sim_zeros(sim, 1 << 20);
    assert_int_equal(sim_try(sim, sim_line(blocks, 64), data, 0, 0, 0), 0);
    const uint64_t *v = sim->report.counters.value;
    uint64_t got = v[COUNTER_l2_load_requests];
    if (load_sectors(sim) != asked || l2_sectors(sim) != distinct || got != requests)
      fail_msg("%s, %d threads: %llu sectors, %llu of L2 in %llu requests", name, thread_counts[i],
               (unsigned long long)load_sectors(sim), (unsigned long long)l2_sectors(sim),
               (unsigned long long)got);
    sim_close(sim);
  }
}

/* A warp's row of floats has 4 sectors, a block's 8. */
static void sectors_that_a_block_asks_for_again(void **state) {
  (void)state;
  check_l2("a row", "ld.global.u32 %r10, [%rd10];", 3, 24, 24, 6);
  check_l2("four times",
           "again: ld.global.u32 %r10, [%rd10]; add.s32 %r20, %r20, 1; "
           "setp.lt.u32 %p1, %r20, 4; @%p1 bra again;",
           3, 96, 24, 6);
  check_l2("both warps the same",
           "mul.wide.u32 %rd11, %r4, 4; add.s64 %rd11, %rd0, %rd11; ld.global.u32 %r10, [%rd11];",
           3, 24, 12, 3);
  check_l2("one float for all", "ld.global.u32 %r10, [%rd0];", 3, 6, 3, 3);
  check_l2("float4, then its third float",
           "mul.wide.u32 %rd11, %r0, 16; add.s64 %rd11, %rd0, %rd11;\n"
           "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd11]; ld.global.u32 %r14, [%rd11+8];",
           1, 64, 32, 8);
  check_l2("some lanes only", /* 8 of the first warp: one sector */
           "setp.lt.u32 %p1, %r0, 8; @%p1 ld.global.u32 %r10, [%rd10]; @%p1 ld.global.u32 %r11, "
           "[%rd10];",
           1, 2, 1, 1);
  check_l2("through a generic address",
           "ld.u32 %r10, [%rd10]; ld.u32 %r11, [%rd10]; cvta.shared.u64 %rd20, %rd20; ld.u32 %r12, "
           "[%rd20];",
           1, 16, 8, 2);
  check_l2("no load but of shared and constant memory",
           "ld.shared.u32 %r10, [%rd20]; mov.u64 %rd11, c; ld.const.u32 %r11, [%rd11];", 1, 0, 0,
           0);
  check_l2("a store and an atomic",
           "atom.global.add.u32 %r10, [%rd10], 1; ld.global.u32 %r10, [%rd10+2048]; "
           "red.global.add.u32 [%rd10], 1;",
           1, 8, 8, 2);
}

/* The sample of 16 blocks is 1, 3, 5, ..., 15. */
static void the_sample_stands_for_the_rest(void **state) {
  (void)state;
  static const char twice_if_odd[] =
      "and.b32 %r11, %r1, 1; setp.eq.u32 %p1, %r11, 1; ld.global.u32 %r10, [%rd10]; @%p1 "
      "ld.global.u32 %r10, [%rd10];";
  static const char twice_if_even[] =
      "and.b32 %r11, %r1, 1; setp.eq.u32 %p1, %r11, 0; ld.global.u32 %r10, [%rd10]; @%p1 "
      "ld.global.u32 %r10, [%rd10];";
  check_l2("odd blocks load twice", twice_if_odd, 16, 192, 96, 24);
  check_l2("even blocks load twice", twice_if_even, 16, 192, 192, 48);
  check_l2("loads in no block of the sample", /* no ratio: all of them */
           "setp.eq.u32 %p1, %r1, 2; @%p1 ld.global.u32 %r10, [%rd10]; @%p1 ld.global.u32 %r10, "
           "[%rd10];",
           16, 16, 16, 4);
}

/* Every block stores to the first element: a race, so the launch is undone and starts again. */
static void a_launch_that_is_undone_is_seen_once(void **state) {
  (void)state;
  check_l2("a race between blocks",
           "st.global.u32 [%rd0+4096], %r1; ld.global.u32 %r10, [%rd10]; ld.global.u32 %r10, "
           "[%rd10];",
           40, 640, 320, 80);
}

/* Three of four reads lie beyond the array: they ask for nothing. */
static void lanes_out_of_bounds_ask_for_nothing(void **state) {
  (void)state;
  static const char text[] =
      SIM_KERNEL("",
                 "mul.wide.u32 %rd11, %r0, 4; add.s64 %rd11, %rd0, %rd11; ld.global.u32 %r10, "
                 "[%rd11]; ret;");
  struct sim *sim = sim_open(text, 1);
  uint64_t data = sim_zeros(sim, 64);
  assert_int_equal(sim_try(sim, sim_line(1, 64), data, 0, 0, 0), 0);
  assert_int_equal(load_sectors(sim), 2);
  assert_int_equal(l2_sectors(sim), 2);
  sim_close(sim);
}

/* ---- recorded accesses ---- */

static const struct access_report *find_access(const struct sim *sim, int line, int index) {
  for (int i = 0; i < sim->report.access_count; i++)
    if (sim->accesses[i].line == line && sim->accesses[i].index == index) return &sim->accesses[i];
  fail_msg("nothing is recorded of line %d, number %d", line, index);
  return NULL;
}

/* A tile of 32 rows of `pitch` floats: line 10 stores a row a warp, line 12 loads a column. */
#define TILE(pitch, bytes) \
  SIM_KERNEL(".shared .align 4 .b8 tile[" #bytes "];\n",                                     \
             "mov.u32 %r5, %tid.y; mov.u64 %rd10, tile;\n"                                   \
             "mad.lo.s32 %r10, %r5, " #pitch ", %r0; mul.wide.u32 %rd11, %r10, 4;\n"         \
             "mad.lo.s32 %r11, %r0, " #pitch ", %r5; mul.wide.u32 %rd12, %r11, 4;\n"         \
             "add.s64 %rd11, %rd10, %rd11; add.s64 %rd12, %rd10, %rd12;\n"                   \
             AT(10) "st.shared.u32 [%rd11], %r0;" AT(11) "bar.sync 0;" AT(12)                \
             "ld.shared.u32 %r12, [%rd12]; ret;")

static void columns_of_a_tile(void **state) {
  (void)state;
  for (int pad = 0; pad < 2; pad++) {
    struct sim *sim = sim_open(pad ? TILE(33, 4224) : TILE(32, 4096), 2);
    sim_record(sim, true);
    assert_int_equal(sim_try(sim, (struct sim_shape){{3, 1, 1}, {32, 32, 1}, 0}, 0, 0, 0, 0), 0);
    assert_int_equal(sim->hazard_count, 0);
    assert_int_equal(sim->report.access_count, 2);
    const struct access_report *store = find_access(sim, 10, 0), *load = find_access(sim, 12, 0);
    assert_string_equal(store->op, "store");
    assert_string_equal(load->op, "load");
    assert_string_equal(load->array, "tile");
    assert_true(load->shared && store->shared);
    assert_int_equal(load->bytes, 4);
    assert_int_equal(load->base, 0);
    assert_int_equal(load->array_bytes, (32 + pad) * 32 * 4);
    assert_int_equal(load->warp_count, 32);
    for (int w = 0; w < 32; w++) {
      assert_int_equal(load->warps[w].warp, w);
      assert_true(load->warps[w].mask == 0xffffffff);
      assert_int_equal(store->warps[w].cost, 1);
      assert_int_equal(load->warps[w].cost, pad ? 1 : 32);
      for (int lane = 0; lane < 32; lane++) {
        assert_int_equal(load->warps[w].offsets[lane], 4 * (lane * (32 + pad) + w));
        assert_int_equal(load->warps[w].offsets[lane] / 4 % 32, pad ? (lane + w) % 32 : w);
      }
    }
    sim_close(sim);
  }
}

static void global_accesses(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".global .align 4 .b8 sum[256];\n",
      "mul.wide.u32 %rd10, %r0, 128; add.s64 %rd10, %rd0, %rd10; add.s64 %rd11, %rd1, %rd5; "
      "mov.u64 "
      "%rd12, sum; add.s64 %rd12, %rd12, %rd5;\n" AT(20)
      "ld.global.u32 %r10, [%rd10]; ld.global.u32 "
                                                         "%r11, [%rd10+64];" AT(
          21) "ld.u32 %r12, [%rd11];" AT(22) "red.global.add.u32 [%rd12], 1;" AT(
          23) "red.global.add.u32 [%rd1], 1;" AT(24) "ret;");
  struct sim *sim = sim_open(text, 2);
  uint64_t in = sim_zeros(sim, 4096), scratch = sim_zeros(sim, 256);
  device_name_array(sim->device, in, "in", 32, 32, 4, DEVICE_INPUT);
  assert_int_equal(sim_try(sim, sim_line(2, 32), in, scratch, 0, 0), 0);
  assert_int_equal(sim->report.access_count, 0);
  sim_record(sim, true);
  assert_int_equal(sim_try(sim, sim_line(2, 32), in, scratch, 0, 0), 0);
  assert_int_equal(sim->report.access_count, 5);
  const struct access_report *first = find_access(sim, 20, 0), *second = find_access(sim, 20, 1);
  assert_string_equal(first->array, "in");
  assert_false(first->shared);
  assert_int_equal(first->array_bytes, 4096);
  assert_int_equal(first->warps[0].cost, 32);
  assert_int_equal(second->warps[0].cost, 32);
  assert_int_equal(first->warps[0].offsets[31], 31 * 128);
  assert_int_equal(second->warps[0].offsets[31], 31 * 128 + 64);
  assert_string_equal(find_access(sim, 21, 0)->array, ""); /* the student's own */
  assert_int_equal(find_access(sim, 21, 0)->warps[0].cost, 4);
  assert_string_equal(find_access(sim, 22, 0)->array, "sum");
  assert_string_equal(find_access(sim, 22, 0)->op, "atomic");
  assert_int_equal(find_access(sim, 22, 0)->warps[0].cost, 4);
  assert_int_equal(find_access(sim, 23, 0)->warps[0].cost, 32); /* one address: lanes take turns */
  sim_close(sim);
}

/* Line 10: block 0 does not come there, of the sample of 16 blocks (1, 3, ...) block 5 is the first
 * that does. Line 11: at first half of the lanes, then all, farther up. Line 12: never all; the
 * first time counts. */
static void which_execution_is_recorded(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      "", "add.s64 %rd10, %rd0, %rd5; setp.ge.u32 %p1, %r1, 4;" AT(10) "@%p1 ld.global.u32 %r10, "
          "[%rd10];\n"
          "mov.u32 %r20, 16;\n" AT(11)
          "again: setp.lt.u32 %p2, %r4, %r20; @%p2 ld.global.u32 %r11, "
          "[%rd10];\n" AT(12) "setp.gt.u32 %p3, %r4, 0; @%p3 ld.global.u32 %r12, [%rd10];\n"
          "add.s64 %rd10, %rd10, 1024; add.s32 %r20, %r20, 16; setp.le.u32 %p4, %r20, 48; @%p4 bra "
          "again; ret;");
  for (int i = 0; i < LENGTH(thread_counts); i++) {
    struct sim *sim = sim_open(text, thread_counts[i]);
    uint64_t in = sim_zeros(sim, 8192);
    sim_record(sim, true);
    sim_run(sim, 16, 64, in, 0, 0, 0);
    const struct access_report *late = find_access(sim, 10, 0), *grows = find_access(sim, 11, 0),
                               *never = find_access(sim, 12, 0);
    assert_int_equal(late->block[0], 5);
    assert_int_equal(grows->block[0], 0);
    assert_int_equal(late->warp_count, 2);
    for (int w = 0; w < 2; w++) {
      assert_true(grows->warps[w].mask == 0xffffffff);
      assert_int_equal(grows->warps[w].offsets[0], 1024 + w * 128);
      assert_true(never->warps[w].mask == 0xfffffffe);
      assert_int_equal(never->warps[w].offsets[0], 0);
      assert_int_equal(never->warps[w].offsets[1], w * 128 + 4);
    }
    sim_close(sim);
  }
}

/* 120 loads on line 30, one on line 40: what is left out is what there is much of. */
static void instructions_beyond_the_limit(void **state) {
  (void)state;
  static char body[16384];
  strcpy(body, AT(30));
  for (int i = 0; i < 120; i++)
    sprintf(body + strlen(body), "ld.global.u32 %%r10, [%%rd0+%d];\n", 4 * i);
  strcat(body, AT(40) "ld.global.u32 %r11, [%rd0];\n" AT(41) "ret;");
  char *text = malloc(32768);
  snprintf(text, 32768, "%s%s%s\n}\n", SIM_HEADER, SIM_ENTRY("k"), body);
  struct sim *sim = sim_open(text, 2);
  uint64_t in = sim_zeros(sim, 1024);
  sim_record(sim, true);
  sim_run(sim, 2, 32, in, 0, 0, 0);
  assert_int_equal(sim->report.access_count, 96);
  for (int i = 0; i < 95; i++) {
    assert_int_equal(sim->accesses[i].line, 30);
    assert_int_equal(sim->accesses[i].index, i);
    assert_int_equal(sim->accesses[i].warps[0].offsets[0], 4 * i);
  }
  assert_int_equal(sim->accesses[95].line, 40);
  sim_close(sim);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sectors_that_a_block_asks_for_again),
      cmocka_unit_test(the_sample_stands_for_the_rest),
      cmocka_unit_test(a_launch_that_is_undone_is_seen_once),
      cmocka_unit_test(lanes_out_of_bounds_ask_for_nothing),
      cmocka_unit_test(columns_of_a_tile),
      cmocka_unit_test(global_accesses),
      cmocka_unit_test(which_execution_is_recorded),
      cmocka_unit_test(instructions_beyond_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
