/* test_sim_traffic.c: sectors and bytes by line and array, worked out by hand: arrays on one line,
 * an instruction that goes from array to array, atomics, __constant__ variables. */
#include "tests/unit/sim_device.h"

struct on_event {
  struct traffic list[64];
  int count;
  struct counters counters;
};

static void launched(void *context, const struct launch_report *report) {
  struct on_event *on_event = context;
  assert_in_range(report->traffic_count, 0, LENGTH(on_event->list));
  on_event->count = report->traffic_count;
  for (int i = 0; i < report->traffic_count; i++) on_event->list[i] = report->traffic[i];
  on_event->counters = report->counters;
}

static struct sim *open_for(struct on_event *on_event, const char *text, int threads) {
  struct sim *sim = sim_open(text, threads);
  device_listen(sim->device, &(struct device_listener){.context = on_event, .launched = launched});
  return sim;
}

static uint64_t floats(struct sim *sim, const char *name, size_t count) {
  uint64_t address = sim_zeros(sim, count * 4);
  device_name_array(sim->device, address, name, 1, count, 4, DEVICE_SCRATCH);
  return address;
}

static void expect(const struct on_event *on_event, int i, int line, bool store, const char *array,
                   uint64_t sectors, uint64_t bytes) {
  assert_in_range(i, 0, on_event->count - 1);
  const struct traffic *t = &on_event->list[i];
  if (t->line != line || t->store != store || strcmp(t->array, array) != 0 ||
      t->sectors != sectors || t->bytes != bytes)
    fail_msg("entry %d: line %d %s %s: %llu sectors, %llu bytes", i, t->line,
             t->store ? "stores" : "loads", t->array, (unsigned long long)t->sectors,
             (unsigned long long)t->bytes);
}

/* Three blocks of 64 threads: a warp reads a row of A, a float of B a sector, stores a row. */
static void arrays_of_one_line(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      "", AT(10)
      "add.s64 %rd10, %rd0, %rd4; ld.global.f32 %f1, [%rd10]; mul.wide.u32 %rd11, %r3, 32;"
      "add.s64 %rd11, %rd1, %rd11; ld.global.f32 %f2, [%rd11]; add.f32 %f1, %f1, %f2;"
      "add.s64 %rd12, %rd2, %rd4; st.global.f32 [%rd12], %f1;" AT(20) "ret;");
  for (int threads = 1; threads <= 3; threads += 2) {
    struct on_event on_event;
    struct sim *sim = open_for(&on_event, text, threads);
    uint64_t a = floats(sim, "A", 192), b = floats(sim, "B", 8 * 192), c = floats(sim, "C", 192);
    sim_run(sim, 3, 64, a, b, c, 0);
    assert_int_equal(on_event.count, 3);
    expect(&on_event, 0, 10, false, "A", 6 * 4, 6 * 128);
    expect(&on_event, 1, 10, false, "B", 6 * 32, 6 * 128);
    expect(&on_event, 2, 10, true, "C", 6 * 4, 6 * 128);
    sim_close(sim);
  }
}

/* One instruction reads rows of A and B in turn, five times; then a float for all: a new class. */
static void one_instruction_two_arrays(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      "", "mov.u32 %r10, 0;\nloop: and.b32 %r11, %r10, 1; setp.eq.u32 %p1, %r11, 0;"
      "selp.b64 %rd10, %rd0, %rd1, %p1; add.s64 %rd10, %rd10, %rd5;" AT(11)
      "ld.global.f32 %f1, [%rd10];"
      AT(12) "add.s32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 5; @%p2 bra loop;" AT(13)
      "ld.global.f32 %f1, [%rd1]; setp.lt.u32 %p3, %r0, 1; @%p3 ld.global.f32 %f2, [%rd1+32];"
      AT(20) "ret;");
  struct on_event on_event;
  struct sim *sim = open_for(&on_event, text, 1);
  uint64_t a = floats(sim, "A", 64), b = floats(sim, "B", 64);
  sim_run(sim, 1, 32, a, b, 0, 0);
  assert_int_equal(on_event.count, 4);
  expect(&on_event, 0, 11, false, "A", 3 * 4, 3 * 128);
  expect(&on_event, 1, 11, false, "B", 2 * 4, 2 * 128);
  expect(&on_event, 2, 13, false, "B", 1, 128); /* all lanes: 1 sector for 128 bytes */
  expect(&on_event, 3, 13, false, "B", 1, 4);   /* one lane: 32 for 128 */
  assert_int_equal(on_event.counters.value[COUNTER_global_load_sectors], 22);
  assert_int_equal(on_event.counters.value[COUNTER_global_load_bytes], 5 * 128 + 128 + 4);
  sim_close(sim);
}

/* An atomic whose old value is used is a load, too; red is none. All lanes at one address are one
 * sector, though the hardware counts one in each of 32 turns. */
static void atomics(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      "", "add.s64 %rd10, %rd0, %rd5; add.s64 %rd11, %rd1, %rd5;" AT(10)
      "atom.global.add.u32 %r10, [%rd10], 0;" AT(11) "red.global.add.u32 [%rd11], %r10;" AT(12)
      "red.global.add.u32 [%rd2], 1;" AT(20) "ret;");
  struct on_event on_event;
  struct sim *sim = open_for(&on_event, text, 1);
  uint64_t a = floats(sim, "A", 32), b = floats(sim, "B", 32);
  sim_run(sim, 1, 32, a, b, b, 0);
  assert_int_equal(on_event.count, 4);
  expect(&on_event, 3, 12, true, "B", 1, 128);
  assert_int_equal(on_event.counters.value[COUNTER_global_atomic_sectors], 4 + 4 + 32);
  expect(&on_event, 0, 10, false, "A", 4, 128);
  expect(&on_event, 1, 10, true, "A", 4, 128);
  expect(&on_event, 2, 11, true, "B", 4, 128);
  assert_int_equal(on_event.counters.value[COUNTER_global_atomic_bytes], 384);
  assert_int_equal(on_event.counters.value[COUNTER_global_atomic_load_bytes], 128);
  assert_int_equal(on_event.counters.value[COUNTER_global_load_bytes], 0);
  sim_close(sim);
}

/* 1 KiB of sizes and flags is no data; one float more is, also if it comes from the device. */
static void constants(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".const .align 4 .f32 c[512];", "mov.u64 %rd10, c; add.s64 %rd10, %rd10, %rd5;" AT(10)
      "ld.const.f32 %f1, [%rd10]; mov.u64 %rd11, c; ld.const.f32 %f2, [%rd11];" AT(20) "ret;");
  struct on_event on_event;
  struct sim *sim = open_for(&on_event, text, 1);
  uint64_t data = floats(sim, "A", 512), address;
  size_t bytes;
  assert_int_equal(device_get_symbol(sim->device, sim->module, "c", &address, &bytes), 0);
  float host[256] = {0};
  assert_int_equal(device_write(sim->device, address, host, sizeof host), 0);
  sim_run(sim, 1, 32, 0, 0, 0, 0);
  assert_int_equal(on_event.count, 0);
  assert_int_equal(on_event.counters.value[COUNTER_constant_load_bytes], 0);
  assert_int_equal(device_copy(sim->device, address + 1024, data, 4), 0);
  sim_run(sim, 1, 32, 0, 0, 0, 0);
  assert_int_equal(on_event.count, 1);
  expect(&on_event, 0, 10, false, "c", 5, 256); /* a row, and one float for all */
  assert_int_equal(on_event.counters.value[COUNTER_constant_load_bytes], 256);
  assert_int_equal(on_event.counters.value[COUNTER_global_load_sectors], 0);
  sim_close(sim);
}

struct sum {
  int lines;
  uint64_t instructions, all;
};

static void add_lines(void *context, const struct launch_report *report) {
  struct sum *sum = context;
  sum->lines = report->line_count;
  for (int i = 0; i < report->line_count; i++)
    sum->instructions += report->lines[i].counters.value[COUNTER_inst_executed];
  sum->all = report->counters.value[COUNTER_inst_executed];
}

static void ten_thousand_lines(void **state) {
  (void)state;
  enum { LINES = 10000 };
  char *text = malloc(1 << 20), *at = text;
  at += sprintf(at, "%s", SIM_HEADER SIM_ENTRY("k"));
  for (int i = 0; i < LINES; i++)
    at += sprintf(at, ".loc 1 %d 0\nadd.s32 %%r10, %%r10, 1;\n", i + 2);
  sprintf(at, "st.global.u32 [%%rd0], %%r10; ret;\n}\n");
  struct sum sum = {0};
  struct sim *sim = sim_open(text, 1);
  device_listen(sim->device, &(struct device_listener){.context = &sum, .launched = add_lines});
  uint64_t out = sim_zeros(sim, 4);
  assert_int_equal(sim_try(sim, sim_line(1, 1), out, 0, 0, 0), 0);
  assert_in_range(sum.lines, LINES, LINES + 1);
  assert_int_equal(sum.instructions, sum.all);
  sim_close(sim);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_of_one_line),
      cmocka_unit_test(one_instruction_two_arrays),
      cmocka_unit_test(atomics),
      cmocka_unit_test(constants),
      cmocka_unit_test(ten_thousand_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
