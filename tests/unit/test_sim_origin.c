/* test_sim_origin.c: where device memory's words come from: kernels, copies either way, fills. */
#include "tests/unit/sim_device.h"

static const struct source_place nowhere;
static const struct device_issue plain = {.host_waits = true};

/* k: p0[thread] = p1[thread] for the threads of the launch. */
static const char copy_kernel[] = SIM_KERNEL(
    "", AT(2) "add.u64 %rd6, %rd0, %rd4; add.u64 %rd7, %rd1, %rd4; ld.global.u32 %r5, [%rd7];\n"
              "st.global.u32 [%rd6], %r5; ret;");

static struct sim *open_sim(void) {
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1, .origins = true});
  sim_load(sim, copy_kernel);
  return sim;
}

static uint64_t allocate(struct sim *sim, size_t words) {
  uint64_t address;
  assert_int_equal(device_malloc(sim->device, words * 4, nowhere, &address), 0);
  return address;
}

/* As text: one letter a word: k a kernel's, c carried, else the number of a word that came in. */
static void expect(struct sim *sim, uint64_t address, const char *words) {
  struct transfer_runs runs = {0};
  char text[65] = "";
  size_t count = strlen(words), at = 0;
  assert_true(device_origins(sim->device, address, count * 4, &runs));
  for (size_t r = 0; r < runs.count; r++)
    for (uint64_t w = 0; w < runs.items[r].words; w++)
      text[at++] = runs.items[r].origin == ORIGIN_KERNEL ? 'k'
                   : runs.items[r].origin == ORIGIN_CARRIED
                       ? 'c'
                       : (char)('0' + runs.items[r].origin - ORIGIN_FIRST_IN + w);
  free(runs.items);
  assert_string_equal(text, words);
}

static void run(struct sim *sim, uint64_t to, uint64_t from, unsigned threads) {
  uint64_t params[4] = {to, from, 0, 0};
  struct launch launch = {.module = sim->module,
                          .kernel = "k",
                          .grid = {1, 1, 1},
                          .block = {threads, 1, 1},
                          .params = params,
                          .param_bytes = sizeof params};
  assert_int_equal(device_launch(sim->device, &launch), 0);
}

static void copies_in(struct sim *sim, uint64_t to, size_t words) {
  uint32_t data[16] = {1, 2, 3};
  struct device_issue issue = plain;
  assert_int_equal(
      device_write_rows(sim->device, &issue, to, words * 4, data, words * 4, words * 4, 1), 0);
}

static void test_origins(void **state) {
  (void)state;
  struct sim *sim = open_sim();
  uint64_t in = allocate(sim, 8), out = allocate(sim, 8), third = allocate(sim, 8);
  uint32_t values[8] = {0};
  assert_int_equal(device_write(sim->device, in, values, sizeof values), 0);
  assert_int_equal(device_name_array(sim->device, in, "in", 1, 8, 4, DEVICE_INPUT), 0);
  assert_int_equal(device_name_array(sim->device, out, "out", 1, 8, 4, DEVICE_OUTPUT), 0);
  expect(sim, in, "cccccccc");
  expect(sim, out, "cccccccc");
  run(sim, out, in, 5);
  expect(sim, out, "kkkkkccc");
  copies_in(sim, out + 8, 2); /* over a kernel's */
  expect(sim, out, "kk01kccc");
  run(sim, out, in, 3); /* and a kernel over that */
  expect(sim, out, "kkk1kccc");
  copies_in(sim, out + 12, 3);
  expect(sim, out, "kkk234cc");
  struct device_issue issue = plain;
  assert_int_equal(device_copy_rows(sim->device, &issue, third, 32, out, 32, 32, 1), 0);
  expect(sim, third, "kkk234cc");
  run(sim, third, in, 4);
  expect(sim, third, "kkkk34cc");
  assert_int_equal(device_fill_rows(sim->device, &issue, third, 8, 0, 8, 1), 0);
  expect(sim, third, "cckk34cc");
  assert_int_equal(device_copy_rows(sim->device, &issue, third, 32, in, 32, 32, 1), 0);
  expect(sim, third, "cccccccc");
  sim_close(sim);
}

/* Rows that overlap, moved by one word. */
static void test_overlap(void **state) {
  (void)state;
  struct sim *sim = open_sim();
  uint64_t a = allocate(sim, 8);
  struct device_issue issue = plain;
  copies_in(sim, a, 6);
  assert_int_equal(device_copy_rows(sim->device, &issue, a + 4, 20, a, 20, 20, 1), 0);
  expect(sim, a, "001234cc");
  sim_close(sim);
}

/* Race tags are for smaller granules from one launch on: what kernels wrote before stays known. */
static void test_other_granule(void **state) {
  (void)state;
  struct sim *sim = open_sim();
  int words = sim->module;
  sim_load(sim, SIM_KERNEL("", AT(2) "add.u64 %rd6, %rd0, %rd3; st.global.u8 [%rd6], %r0; ret;"));
  uint64_t a = allocate(sim, 4), b = allocate(sim, 4);
  copies_in(sim, a, 4);
  copies_in(sim, b, 4);
  int bytes = sim->module;
  sim->module = words;
  run(sim, a, b, 2);
  expect(sim, a, "kk23");
  sim->module = bytes;
  uint64_t params[4] = {a, 0, 0, 13};
  struct launch launch = {.module = bytes,
                          .kernel = "k",
                          .grid = {1, 1, 1},
                          .block = {1, 1, 1},
                          .params = params,
                          .param_bytes = sizeof params};
  assert_int_equal(device_launch(sim->device, &launch), 0);
  expect(sim, a, "kk2k");
  sim_close(sim);
}

/* Launches of several blocks that only store to an array leave claims, not tags. */
static void test_claims(void **state) {
  (void)state;
  struct sim *sim = open_sim();
  int words = sim->module;
  sim_load(sim, SIM_KERNEL("", AT(2) "cvt.u64.u32 %rd7, %r3; add.u64 %rd6, %rd0, %rd7;"
                                     "st.global.u8 [%rd6], %r0; ret;"));
  int bytes = sim->module;
  uint64_t a = allocate(sim, 8), b = allocate(sim, 8);
  copies_in(sim, a, 8);
  copies_in(sim, b, 8);
  sim->module = words;
  assert_int_equal(sim_try(sim, sim_line(2, 2), a, b, 0, 0), 0);
  expect(sim, a, "kkkk4567");
  assert_int_equal(sim_try(sim, sim_line(2, 1), a + 24, b, 0, 0), 0);
  expect(sim, a, "kkkk45kk");
  sim->module = bytes;
  assert_int_equal(sim_try(sim, sim_line(3, 1), a + 17, 0, 0, 0), 0);
  expect(sim, a, "kkkkk5kk");
  sim->module = words;
  assert_int_equal(sim_try(sim, sim_line(2, 1), a, b, 0, 0), 0);
  expect(sim, a, "kkkkk5kk");
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_other_granule),
      cmocka_unit_test(test_claims),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
