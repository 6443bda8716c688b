/* test_sim_call.c: a call of the submission: what it has made and not given back when it returns
 * (device_call_ends), and what in it is made to fail. */
#include <math.h>

#include "tests/unit/sim_device.h"

static struct sim *open_for_leaks(bool leaks) {
  return sim_open_bare((struct device_options){.threads = 1, .leaks = leaks});
}

static uint64_t allocate(struct sim *sim, size_t bytes, int line) {
  uint64_t address;
  assert_int_equal(device_malloc(sim->device, bytes, (struct source_place){NULL, line}, &address),
                   0);
  return address;
}

static struct device_event new_event(struct sim *sim, int line) {
  struct device_event event = {0};
  assert_int_equal(device_event_create(sim->device, line, &event), 0);
  return event;
}

static uint32_t new_stream(struct sim *sim, int line) {
  uint32_t stream;
  assert_int_equal(
      device_stream_create(sim->device, &(struct device_stream){.line = line}, &stream), 0);
  return stream;
}

static void assert_leak(const struct sim *sim, int index, int line, int count, const char *words) {
  const struct hazard *h = &sim->hazards[index];
  assert_in_range(index, 0, sim->hazard_count - 1);
  assert_int_equal(h->kind, HAZARD_leak);
  assert_false(h->warning);
  assert_int_equal(h->line, line);
  assert_int_equal(h->count, count);
  if (!strstr(h->message, words)) fail_msg("no '%s' in: %s", words, h->message);
}

/* Of each line one hazard, in order; the harness's own arrays and what is given back are none. */
static void places(void **state) {
  (void)state;
  struct sim *sim = open_for_leaks(true);
  uint64_t input = allocate(sim, 64, 0);
  device_call_begins(sim->device, true);
  uint64_t kept = allocate(sim, 4 << 20, 31), freed = allocate(sim, 4 << 20, 32);
  struct device_event event = new_event(sim, 40);
  uint32_t stream = new_stream(sim, 50);
  uint64_t managed;
  int pages;
  assert_int_equal(
      device_malloc_managed(sim->device, 100, (struct source_place){NULL, 33}, &managed, &pages),
      0);
  for (int i = 0; i < 3; i++) allocate(sim, 1000, 20);
  new_stream(sim, LINE_OF_RUNTIME);
  for (int i = 0; i < 2; i++) new_event(sim, 41);
  struct device_event recorded = {0};
  assert_int_equal(device_event_record(sim->device, &recorded, 0), 0); /* made by the runtime */
  assert_int_equal(device_free(sim->device, freed), 0);
  device_call_ends(sim->device, true);
  assert_int_equal(sim->hazard_count, 6);
  assert_leak(sim, 0, 20, 3, "3 arrays of 3000 bytes made here are never freed");
  assert_leak(sim, 1, 31, 1, "the array of 4.0 MiB made here is never freed");
  assert_non_null(strstr(sim->hazards[1].message, "cudaFree"));
  assert_leak(sim, 2, 33, 1, "the array of 100 bytes");
  assert_leak(sim, 3, 40, 1, "the event made here is never destroyed");
  assert_non_null(strstr(sim->hazards[3].message, "cudaEventDestroy"));
  assert_leak(sim, 4, 41, 2, "2 events made here are never destroyed");
  assert_leak(sim, 5, 50, 1, "the stream made here is never destroyed");
  sim->hazard_count = 0; /* the next call frees them, and leaves nothing itself */
  device_call_begins(sim->device, true);
  assert_int_equal(device_free(sim->device, kept), 0);
  assert_int_equal(device_event_destroy(sim->device, &event), 0);
  assert_int_equal(device_stream_destroy(sim->device, stream), 0);
  event = new_event(sim, 40), stream = new_stream(sim, 50);
  assert_int_equal(device_event_destroy(sim->device, &event), 0);
  assert_int_equal(device_stream_destroy(sim->device, stream), 0);
  device_call_ends(sim->device, true);
  assert_int_equal(sim->hazard_count, 0);
  assert_int_equal(device_free(sim->device, input), 0);
  sim_close(sim);
}

/* Not of a call that failed, not outside of calls, and not unless they are asked for. */
static void not_sought(void **state) {
  (void)state;
  struct sim *sim = open_for_leaks(true);
  allocate(sim, 64, 31);
  device_call_ends(sim->device, true);
  device_call_begins(sim->device, true);
  allocate(sim, 64, 32);
  device_call_ends(sim->device, false);
  device_call_begins(sim->device, true);
  device_call_ends(sim->device, true);
  assert_int_equal(sim->hazard_count, 0);
  sim_close(sim);
  sim = open_for_leaks(false);
  device_call_begins(sim->device, true);
  allocate(sim, 64, 31);
  device_call_ends(sim->device, true);
  assert_int_equal(sim->hazard_count, 0);
  sim_close(sim);
}

/* One of its kind in each call, here the first, fails, as on a GPU that has no room for it; nothing
 * else does, and it is no hazard. */
static void faults(void **state) {
  (void)state;
  static const int codes[][4] = {[FAULT_NONE] = {0, 0, 0, 0},
                                 [FAULT_MALLOC] = {2, 0, 0, 0},
                                 [FAULT_PINNED] = {0, 2, 0, 0},
                                 [FAULT_COPY] = {0, 0, 1, 0},
                                 [FAULT_LAUNCH] = {0, 0, 0, 701}};
  static const struct sim_shape shape = {{1, 1, 1}, {32, 1, 1}, 0};
  uint64_t address, none[4] = {0};
  char bytes[64] = {1};
  struct device_strike strike;
  for (int fault = FAULT_NONE; fault <= FAULT_LAUNCH; fault++) {
    struct sim *sim =
        sim_open_bare((struct device_options){.threads = 1, .fault = (enum device_fault)fault});
    sim_load(sim, SIM_KERNEL("", "ret;"));
    uint64_t input = sim_buffer(sim, bytes, sizeof bytes); /* before the call */
    for (int call = 0; call < 2; call++) {
      device_call_begins(sim->device, true);
      assert_false(device_fault_struck(sim->device, &strike));
      for (int i = 0; i < 2; i++) {
        const int *wanted = i == 0 ? codes[fault] : codes[FAULT_NONE];
        struct device_issue issue = {.line = 33};
        assert_int_equal(device_malloc(sim->device, 64, (struct source_place){NULL, 31}, &address),
                         wanted[0]);
        assert_int_equal(device_pin(sim->device, 32, TIMELINE_PIN, 64), wanted[1]);
        assert_int_equal(device_write_rows(sim->device, &issue, input, 64, bytes, 64, 64, 1),
                         wanted[2]);
        assert_int_equal(sim_try_params(sim, "k", shape, none), wanted[3]);
        assert_int_equal(sim->hazard_count, 0);
      }
      assert_int_equal(device_fault_struck(sim->device, &strike), fault != FAULT_NONE);
      if (fault) {
        assert_int_equal(strike.line, fault == FAULT_LAUNCH ? 900 : 30 + fault);
        assert_true(strike.launched);
      }
      assert_false(device_fault_struck(sim->device, &strike));
      device_call_ends(sim->device, true);
      assert_int_equal(device_synchronize(sim->device), 0); /* it is not sticky */
    }
    device_call_begins(sim->device, true); /* the harness's own work after a call without any */
    device_call_ends(sim->device, true);
    sim_buffer(sim, bytes, sizeof bytes);
    sim_close(sim);
  }
}

/* A later one fails in each call that makes so many, whatever else it does between them. */
static void later_faults(void **state) {
  (void)state;
  struct sim *sim =
      sim_open_bare((struct device_options){.threads = 1, .fault = FAULT_MALLOC, .fault_at = 3});
  char bytes[64] = {1};
  uint64_t input = sim_buffer(sim, bytes, sizeof bytes), address;
  struct device_strike strike;
  for (int call = 0; call < 3; call++) {
    int mallocs = call == 1 ? 2 : 4; /* the second call makes too few */
    device_call_begins(sim->device, true);
    for (int i = 1; i <= mallocs; i++) {
      struct device_issue issue = {.line = 20};
      assert_int_equal(device_write_rows(sim->device, &issue, input, 64, bytes, 64, 64, 1), 0);
      struct source_place place = {NULL, 30 + i};
      assert_int_equal(device_malloc(sim->device, 64, place, &address),
                       i == 3 ? cudaErrorMemoryAllocation : 0);
    }
    assert_int_equal(device_fault_struck(sim->device, &strike), call != 1);
    if (call != 1) assert_int_equal(strike.line, 33);
    assert_false(call != 1 && strike.launched);
    device_call_ends(sim->device, true);
  }
  sim_close(sim);
}

/* Time that a launch adds to the device's. */
static double time_of_launch(struct sim *sim) {
  static const struct sim_shape shape = {{3, 1, 1}, {32, 1, 1}, 0};
  uint64_t none[4] = {0};
  double before = device_time_ns(sim->device);
  assert_int_equal(sim_try_params(sim, "k", shape, none), 0);
  return device_time_ns(sim->device) - before;
}

static bool lasts(struct sim *sim, double ns) { return fabs(time_of_launch(sim) - ns) < 1e-6; }

/* A launch of a call whose time nobody asks for has none, and passes none, unless the program has
 * an event: what its events read is the same either way. */
static void untimed(void **state) {
  (void)state;
  struct sim *sim = open_for_leaks(false);
  sim_load(sim, SIM_KERNEL("", "ret;"));
  double outside = time_of_launch(sim);
  assert_true(outside > 0 && sim->report.timed);
  device_call_begins(sim->device, true);
  assert_true(lasts(sim, outside) && sim->report.timed);
  device_call_ends(sim->device, true);
  device_call_begins(sim->device, false);
  assert_true(time_of_launch(sim) == 0);
  assert_false(sim->report.timed);
  assert_true(sim->report.time_ns == 0 && !sim->report.bound[0]);
  assert_true(sim->report.counters.value[COUNTER_inst_executed] > 0);
  new_event(sim, 1);
  assert_true(lasts(sim, outside));
  assert_false(sim->report.timed);
  device_call_ends(sim->device, true);
  device_call_begins(sim->device, true);
  assert_true(lasts(sim, outside) && sim->report.timed);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(not_sought),
                                     cmocka_unit_test(faults), cmocka_unit_test(later_faults),
                                     cmocka_unit_test(untimed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
