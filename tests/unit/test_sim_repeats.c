/* test_sim_repeats.c: which launches are executed again, and that what memory holds is right
 * whether they are or not (repeats.h). Programs in CUDA C++: tests/programs/repeats.cu. */
#include "harness/sim/base/content.h"
#include "tests/unit/sim_device.h"

enum { N = 256, BYTES = N * 4 };

static int executed;
static void count(void *context, const char *kernel) {
  (void)context;
  executed += kernel != NULL;
}

/* A device that need not execute launches again; `executed` counts those that it does. */
static struct sim *open_counted(const char *ptx) {
  struct sim *sim = sim_open_bare((struct device_options){.threads = 2, .repeats = true});
  sim_load(sim, ptx);
  device_listen(sim->device, &(struct device_listener){.context = sim,
                                                       .launched = sim_launched,
                                                       .hazard = sim_hazard,
                                                       .printed = sim_printed,
                                                       .runs = count});
  executed = 0;
  return sim;
}

static uint64_t numbers(struct sim *sim, unsigned first) {
  unsigned values[N];
  for (unsigned i = 0; i < N; i++) values[i] = first + i;
  return sim_buffer(sim, values, sizeof values);
}

static unsigned element(struct sim *sim, uint64_t array, int i) {
  unsigned value;
  sim_read(sim, &value, array + 4 * (uint64_t)i, sizeof value);
  return value;
}

static void set(struct sim *sim, uint64_t array, int i, unsigned value) {
  assert_int_equal(device_write(sim->device, array + 4 * (uint64_t)i, &value, sizeof value), 0);
}

static void run(struct sim *sim, uint64_t p0, uint64_t p1) { sim_run(sim, 2, N / 2, p0, p1, 0, 0); }

/* p1[i] = p0[i] + 1 */
#define ADDRESSES "add.s64 %rd6, %rd0, %rd4; add.s64 %rd7, %rd1, %rd4;\n"
#define NEXT                                        \
  ADDRESSES AT(2) "ld.global.u32 %r10, [%rd6];" AT( \
      3) "add.u32 %r10, %r10, 1; st.global.u32 [%rd7], %r10;"
static const char *const next_of = SIM_KERNEL("", NEXT "ret;");

static void same_inputs(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = numbers(sim, 10), out = sim_buffer(sim, NULL, BYTES);
  run(sim, in, out);
  struct launch_report first = sim->report;
  run(sim, in, out);
  uint64_t spent = device_used(sim->device).instructions;
  for (int i = 0; i < 4; i++) run(sim, in, out);
  assert_int_equal(executed, 2);
  assert_int_equal(device_used(sim->device).instructions, spent);
  assert_int_equal(sim->launches, 6);
  assert_memory_equal(&sim->report.counters, &first.counters, sizeof first.counters);
  assert_true(sim->report.time_ns == first.time_ns);
  assert_string_equal(sim->report.bound, first.bound);
  assert_int_equal(element(sim, out, N - 1), 10 + N);
  double before = device_time_ns(sim->device);
  run(sim, in, out);
  assert_true(device_time_ns(sim->device) > before);
  assert_int_equal(sim_try(sim, sim_line(1, N / 2), in, out, 0, 0), 0); /* another shape */
  assert_int_equal(executed, 3);
  sim_close(sim);
}

static void changed_inputs(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = numbers(sim, 10), out = sim_buffer(sim, NULL, BYTES), other = numbers(sim, 500);
  for (int i = 0; i < 4; i++) run(sim, in, out);
  set(sim, in, 7, 1000);
  run(sim, in, out);
  assert_int_equal(element(sim, out, 7), 1001);
  assert_int_equal(executed, 3);
  set(sim, in, 7, 17); /* as it was: what was known of that is put back */
  for (int i = 0; i < 3; i++) run(sim, in, out);
  assert_int_equal(element(sim, out, 7), 18);
  assert_int_equal(device_copy(sim->device, in, other, BYTES), 0);
  run(sim, in, out);
  assert_int_equal(element(sim, out, 7), 508);
  run(sim, other, out); /* another array, of the same contents */
  assert_int_equal(element(sim, out, 7), 508);
  assert_int_equal(device_fill(sim->device, in, 0, BYTES), 0);
  run(sim, in, out);
  assert_int_equal(element(sim, out, 7), 1);
  sim_close(sim);
}

static void changed_outputs(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = numbers(sim, 10), out = sim_buffer(sim, NULL, BYTES + 4);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(device_fill(sim->device, out, 0, BYTES + 4), 0);
    run(sim, in, out);
    assert_int_equal(element(sim, out, 3), 14);
    assert_int_equal(element(sim, out, N), 0);
  }
  assert_int_equal(executed, 3); /* once for the copy of what it leaves behind */
  set(sim, out, N, 77);          /* where the kernel does not write */
  run(sim, in, out);
  assert_int_equal(element(sim, out, N), 77);
  assert_int_equal(executed, 4);
  sim_close(sim);
}

static void in_place(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t array = numbers(sim, 0), start = numbers(sim, 0);
  for (unsigned i = 1; i < 6; i++) {
    run(sim, array, array);
    assert_int_equal(element(sim, array, 0), i);
  }
  assert_int_equal(executed, 5);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(device_copy(sim->device, array, start, BYTES), 0);
    run(sim, array, array);
    assert_int_equal(element(sim, array, 9), 10);
    run(sim, array, array);
    assert_int_equal(element(sim, array, 9), 11);
  }
  assert_in_range(executed, 7, 9);
  sim_close(sim);
}

static void in_turns(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t a = numbers(sim, 0), b = sim_zeros(sim, BYTES), c = sim_zeros(sim, BYTES);
  for (int i = 0; i < 8; i++) { /* what one writes, the next one reads */
    run(sim, a, b);
    run(sim, b, c);
    assert_int_equal(element(sim, c, 4), 6);
  }
  assert_int_equal(executed, 4);
  executed = 0;
  for (unsigned i = 1; i < 4; i++) { /* two buffers that change their roles */
    run(sim, b, c);
    run(sim, c, b);
    assert_int_equal(element(sim, b, 4), 5 + 2 * i);
  }
  assert_in_range(executed, 5, 6);
  sim_close(sim);
}

static void sums(void **state) {
  (void)state;
  struct sim *sim = open_counted(SIM_KERNEL(
      "",
      "add.s64 %rd6, %rd0, %rd4; ld.global.u32 %r10, [%rd6]; red.global.add.u32 [%rd1], %r10;"
      "ret;"));
  uint64_t in = numbers(sim, 1), sum = sim_zeros(sim, 4);
  for (unsigned i = 1; i < 5; i++) {
    run(sim, in, sum);
    assert_int_equal(element(sim, sum, 0), i * (N * (N + 1) / 2));
  }
  assert_int_equal(executed, 4);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(device_fill(sim->device, sum, 0, 4), 0);
    run(sim, in, sum);
    assert_int_equal(element(sim, sum, 0), N * (N + 1) / 2);
  }
  assert_in_range(executed, 5, 6);
  sim_close(sim);
}

static void freed(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = numbers(sim, 10), out = sim_buffer(sim, NULL, BYTES);
  for (int i = 0; i < 3; i++) run(sim, in, out);
  assert_int_equal(device_free(sim->device, in), 0);
  assert_int_equal(sim_try(sim, sim_line(2, N / 2), in, out, 0, 0), 0);
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_use_after_free);
  sim_close(sim);
}

/* *p0 is the array to which it adds 1. */
static void pointers_in_memory(void **state) {
  (void)state;
  struct sim *sim =
      open_counted(SIM_KERNEL("",
                              "ld.global.u64 %rd6, [%rd0]; add.s64 %rd6, %rd6, %rd4;"
                              "ld.global.u32 %r10, [%rd6]; add.u32 %r10, %r10, 1;"
                              "add.s64 %rd7, %rd1, %rd4; st.global.u32 [%rd7], %r10; ret;"));
  uint64_t a = numbers(sim, 0), b = numbers(sim, 100), out = sim_zeros(sim, BYTES),
           pointer = sim_buffer(sim, &a, sizeof a);
  for (int i = 0; i < 4; i++) run(sim, pointer, out);
  assert_int_equal(element(sim, out, 1), 2);
  assert_int_equal(executed, 2);
  set(sim, a, 1, 50); /* no parameter names it */
  run(sim, pointer, out);
  assert_int_equal(element(sim, out, 1), 51);
  assert_int_equal(device_write(sim->device, pointer, &b, sizeof b), 0);
  for (int i = 0; i < 3; i++) run(sim, pointer, out);
  assert_int_equal(element(sim, out, 1), 102);
  set(sim, b, 1, 60);
  run(sim, pointer, out);
  assert_int_equal(element(sim, out, 1), 61);
  sim_close(sim);
}

/* Hazards count each time. */
static void hazards(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = sim_buffer(sim, NULL, BYTES), out = sim_zeros(sim, BYTES);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(sim_try(sim, sim_line(2, N / 2), in, out, 0, 0), 0);
    assert_int_equal(sim->hazard_count, 1);
    assert_int_equal(sim->hazards[0].kind, HAZARD_uninit);
  }
  assert_int_equal(executed, 4);
  sim_close(sim);
}

/* In two streams that nothing orders, it is a race although what it does is known. */
static void streams(void **state) {
  (void)state;
  struct sim *sim = open_counted(next_of);
  uint64_t in = numbers(sim, 10), out = sim_zeros(sim, BYTES), params[4] = {in, out};
  uint32_t stream[2];
  for (int i = 0; i < 2; i++)
    assert_int_equal(
        device_stream_create(sim->device, &(struct device_stream){.non_blocking = true, .line = 1},
                             &stream[i]),
        0);
  struct launch launch = {.module = sim->module,
                          .kernel = "k",
                          .grid = {2, 1, 1},
                          .block = {N / 2, 1, 1},
                          .params = params,
                          .param_bytes = sizeof params,
                          .stream = stream[0]};
  sim->hazard_count = 0;
  for (int i = 0; i < 5; i++) assert_int_equal(device_launch(sim->device, &launch), 0);
  assert_int_equal(executed, 2);
  assert_int_equal(sim->hazard_count, 0);
  launch.stream = stream[1];
  assert_int_equal(device_launch(sim->device, &launch), 0);
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_race);
  assert_int_equal(executed, 3);
  assert_int_equal(device_synchronize(sim->device), 0);
  assert_int_equal(device_launch(sim->device, &launch), 0); /* its accesses count as well */
  launch.stream = stream[0];
  assert_int_equal(device_launch(sim->device, &launch), 0);
  assert_int_equal(executed, 4);
  assert_int_equal(sim->hazard_count, 2);
  sim_close(sim);
}

/* Each bit counts, wherever it lies; so does what is initialised. */
static void contents(void **state) {
  (void)state;
  struct memory *memory = memory_open(1 << 20, 0);
  struct allocation *a = memory_allocate(memory, 300, false);
  uint64_t seen[300 * 8 + 2], unset = content_number(a);
  int count = 0;
  memset(a->data, 0, 300);
  memory_mark_initialised(a, 0, 4);
  seen[count++] = content_number(a);
  memory_mark_initialised(a, 0, 300);
  seen[count++] = content_number(a);
  for (int bit = 0; bit < 300 * 8; bit++) {
    a->data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    if (bit % 3 == 0) a->data[(bit + 64) / 8 % 300] ^= (unsigned char)(1 << bit % 8);
    a->changes++;
    for (int i = 0; i < count; i++) assert_true(content_number(a) != seen[i]);
    seen[count++] = content_number(a);
  }
  assert_true(seen[0] != unset && seen[1] != unset);
  memory_close(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_inputs),     cmocka_unit_test(changed_inputs),
      cmocka_unit_test(changed_outputs), cmocka_unit_test(in_place),
      cmocka_unit_test(in_turns),        cmocka_unit_test(sums),
      cmocka_unit_test(freed),           cmocka_unit_test(pointers_in_memory),
      cmocka_unit_test(hazards),         cmocka_unit_test(streams),
      cmocka_unit_test(contents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
