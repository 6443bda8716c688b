/* test_sim_waiting.c: launches that wait for what others store while they run (device_wait.c,
 * exec/await.h). Programs in CUDA C++ are tests/programs/waiting.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/sim_device.h"

/* Waits for the word at p0 and then stores 7 at p1; where p2 is not 0, counts at p2 meanwhile. */
static const char waits[] =
    SIM_KERNEL("", AT(5) "setp.ne.u64 %p3, %rd2, 0; mov.u32 %r12, 0;\n"
                         "L: ld.volatile.global.u32 %r10, [%rd0];\n" AT(6)
                         "setp.ne.u32 %p1, %r10, 0; @%p1 bra E; @!%p3 bra L;\n"
                         "add.u32 %r12, %r12, 1; st.volatile.global.u32 [%rd2], %r12; bra L;\n"
                         AT(7) "E: st.volatile.global.u32 [%rd1], 7; ret;");
/* Stores bytes: its granules are others. */
static const char bytes[] =
    SIM_KERNEL("",
               "add.u64 %rd6, %rd0, %rd3; cvt.u64.u32 %rd7, %r3; add.u64 %rd6, %rd6, %rd7;\n"
               "st.global.u8 [%rd6], 1; ret;");

static struct sim *open_waiting(void) {
  struct sim *sim = sim_open_bare((struct device_options){.threads = 2, .waits = true});
  sim_load(sim, waits);
  return sim;
}

static struct device_waiting go_on(struct sim *sim, enum device_patience patience) {
  struct device_waiting left;
  device_go_on(sim->device, patience, &left);
  assert_int_equal(left.count > 0, device_waits(sim->device));
  return left;
}

static void set(struct sim *sim, uint64_t address, uint32_t value) {
  device_has_news(sim->device);
  assert_int_equal(device_write(sim->device, address, &value, sizeof value), 0);
}

static uint32_t get(struct sim *sim, uint64_t address) {
  uint32_t value;
  sim_read(sim, &value, address, sizeof value);
  return value;
}

/* It ends once a copy, or a kernel, has stored what it waits for, and not before. */
static void waits_for_other_work(void **state) {
  (void)state;
  struct sim *sim = open_waiting();
  uint64_t flag = sim_zeros(sim, 64), out = sim_zeros(sim, 64);
  uint32_t stream;
  assert_int_equal(
      device_stream_create(sim->device, &(struct device_stream){.non_blocking = true}, &stream), 0);
  assert_int_equal(sim_try(sim, sim_line(3, 64), flag, out, 0, 0), 0);
  assert_true(device_waits(sim->device));
  assert_int_equal(sim->launches, 0);
  assert_false(go_on(sim, DEVICE_WAITS).moved);
  set(sim, flag + 4, 1); /* something else */
  struct device_waiting left = go_on(sim, DEVICE_WAITS);
  assert_int_equal(left.count, 1);
  assert_int_equal(left.streams[0], 0);
  assert_false(left.moved);
  set(sim, flag, 1);
  assert_true(go_on(sim, DEVICE_WAITS).moved);
  assert_false(device_waits(sim->device));
  assert_int_equal(get(sim, out), 7);
  assert_int_equal(sim->launches, 1);

  set(sim, flag, 0);
  assert_int_equal(sim_try(sim, sim_line(1, 1), flag, out, 0, 0), 0);
  set(sim, out + 4, 0);
  assert_int_equal(sim_try(sim, sim_line(1, 1), out + 4, flag, 0, 0), 0); /* for another one */
  assert_int_equal(go_on(sim, DEVICE_WAITS).count, 2);
  set(sim, out + 4, 1);
  while (go_on(sim, DEVICE_WAITS).moved) continue;
  assert_false(device_waits(sim->device));
  assert_int_equal(sim->launches, 3);
  assert_int_equal(device_synchronize(sim->device), 0);
  assert_int_equal(sim->hazard_count, 0);
  sim_close(sim);
}

/* Others may use the same array, in other granules, or have given it back. */
static void others_use_its_arrays(void **state) {
  (void)state;
  struct sim *sim = open_waiting();
  int first = sim->module;
  uint64_t flag = sim_zeros(sim, 4096), out = sim_zeros(sim, 4096), gone = sim_zeros(sim, 4096);
  sim_load(sim, bytes);
  int second = sim->module;
  sim->module = first;
  assert_int_equal(sim_try(sim, sim_line(1, 1), flag, out, out + 64, 0), 0);
  assert_true(device_waits(sim->device));
  sim->module = second;
  for (int round = 0; round < 3; round++) {
    sim_run(sim, 8, 128, flag, 0, 0, 1024);
    sim_run(sim, 8, 128, out, 0, 0, 1024);
    go_on(sim, DEVICE_WAITS);
  }
  assert_int_equal(device_free(sim->device, gone), 0);
  set(sim, flag, 1);
  while (go_on(sim, DEVICE_WAITS).count) continue;
  assert_int_equal(get(sim, out), 7);
  assert_int_equal(device_synchronize(sim->device), 0);
  assert_int_equal(sim->hazard_count, 0);
  sim_close(sim);
}

/* The host stores to managed memory and sees what is stored there, turn by turn: the flag last. */
static void host_and_launch(void **state) {
  (void)state;
  struct sim *sim = open_waiting();
  uint64_t array;
  int pages;
  assert_int_equal(
      device_malloc_managed(sim->device, 4096, (struct source_place){.line = 4}, &array, &pages),
      0);
  uint32_t *host = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0);
  assert_true(host != MAP_FAILED);
  memset(host, 0, 4096);
  assert_int_equal(sim_try(sim, sim_line(1, 1), array, array + 4, array + 8, 0), 0);
  for (uint32_t before = 0, turn = 0; turn < 5; turn++) {
    assert_true(host[2] > before && host[1] == 0);
    before = host[2];
    assert_true(go_on(sim, DEVICE_WAITS).moved); /* it counts on, whether the host does anything */
  }
  assert_true(go_on(sim, DEVICE_GIVES_UP).count == 1); /* no deadlock: it does not only wait */
  host[0] = 1;
  assert_int_equal(go_on(sim, DEVICE_WAITS).count, 0);
  assert_int_equal(host[1], 7);
  assert_int_equal(device_synchronize(sim->device), 0);
  assert_int_equal(sim->hazard_count, 0);
  host[0] = host[1] = 0;
  assert_int_equal(sim_try(sim, sim_line(1, 1), array, array + 4, 0, 0), 0);
  assert_false(go_on(sim, DEVICE_WAITS).moved);
  host[0] = 1;
  assert_true(go_on(sim, DEVICE_WAITS).moved);
  assert_int_equal(host[1], 7);
  munmap(host, 4096);
  close(pages);
  sim_close(sim);
}

static void expect_deadlock(const struct sim *sim) {
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_deadlock);
  assert_int_equal(sim->hazards[0].line, 5);
}

/* When nobody will store anything, it is a deadlock; also when the program ends, or the device. */
static void waits_in_vain(void **state) {
  (void)state;
  for (int how = 0; how < 3; how++) {
    struct sim *sim = open_waiting();
    uint64_t flag = sim_zeros(sim, 64), out = sim_zeros(sim, 64);
    assert_int_equal(sim_try(sim, sim_line(1, 32), flag, out, 0, 0), 0);
    assert_int_equal(device_synchronize(sim->device), 0);
    assert_int_equal(sim->hazard_count, 0);
    if (how < 2) {
      assert_int_equal(go_on(sim, how ? DEVICE_ENDS : DEVICE_GIVES_UP).count, 0);
      assert_int_equal(device_synchronize(sim->device), cudaErrorLaunchTimeout);
      expect_deadlock(sim);
    }
    sim_close(sim);
  }
  struct sim *sim = open_waiting(); /* one that is busy just ends with the program */
  uint64_t flag = sim_zeros(sim, 64), out = sim_zeros(sim, 64);
  assert_int_equal(sim_try(sim, sim_line(1, 1), flag, out, out + 8, 0), 0);
  assert_int_equal(go_on(sim, DEVICE_ENDS).count, 0);
  assert_int_equal(sim->hazard_count, 0);
  sim_close(sim);
  sim = sim_open(waits, 2); /* in a grading nobody else stores */
  flag = sim_zeros(sim, 64), out = sim_zeros(sim, 64);
  assert_int_equal(sim_try(sim, sim_line(1, 32), flag, out, 0, 0), 0);
  assert_false(device_waits(sim->device));
  assert_int_equal(device_synchronize(sim->device), cudaErrorLaunchTimeout);
  expect_deadlock(sim);
  sim_close(sim);
}

/* As many as there may be wait; one more runs to its end. */
static void many_wait(void **state) {
  (void)state;
  struct sim *sim = open_waiting();
  uint64_t flag = sim_zeros(sim, 64), out = sim_zeros(sim, 64);
  for (int i = 0; i < MAX_WAITING; i++)
    assert_int_equal(sim_try(sim, sim_line(1, 1), flag, out, 0, 0), 0);
  assert_int_equal(go_on(sim, DEVICE_WAITS).count, MAX_WAITING);
  set(sim, out + 4, 1);
  assert_int_equal(sim_try(sim, sim_line(1, 1), out + 4, flag, 0, 0), 0);
  assert_int_equal(sim->launches, 1);
  device_has_news(sim->device);
  assert_int_equal(go_on(sim, DEVICE_WAITS).count, 0);
  assert_int_equal(sim->launches, MAX_WAITING + 1);
  assert_int_equal(device_synchronize(sim->device), 0);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_for_other_work),
      cmocka_unit_test(others_use_its_arrays),
      cmocka_unit_test(host_and_launch),
      cmocka_unit_test(waits_in_vain),
      cmocka_unit_test(many_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
