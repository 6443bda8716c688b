/* test_grader_coverage.c: which elements no kernel wrote, and what the launch has to do with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/run/run.h"

extern const struct family family_matmul, family_vector_add;

struct launched {
  uint64_t grid[2], block[2];
  uint64_t stores; /* floats, all in one line; 0: not counted */
};

/* An m x n result of which the first `rows` and `columns`, at multiples of step, were written; of a
 * vector m is 1. */
static char *describe_of(const struct family *family, long m, long n, long rows, long columns,
                         long step, const struct launched *by) {
  const long matrix[] = {m, n, 8}, vector[] = {n};
  const long *dims = family == &family_matmul ? matrix : vector;
  float *output = malloc(sizeof(float) * (size_t)(m * n));
  memset(output, 0xff, sizeof(float) * (size_t)(m * n));
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j += step) output[i * n + j] = 1;
  struct launch_record launch = {.line = 30, .launches = 1};
  struct line_counters lines[] = {{.line = 19}, {.line = 20}};
  for (int i = 0; i < 2 && by; i++) {
    launch.grid[i] = by->grid[i];
    launch.block[i] = by->block[i];
  }
  if (by && by->stores) {
    launch.lines = lines;
    launch.line_count = 2;
    launch.counters.value[COUNTER_global_store_bytes] = 4 * by->stores;
    lines[1].counters = launch.counters;
  }
  struct set_record set = {.outputs = {output}};
  struct report report = {
      .launches = &launch, .launch_count = by ? 1 : 0, .sets = &set, .set_count = 1};
  char *words = coverage_describe(family->problem, dims, &report, 0);
  free(output);
  return words;
}

static char *describe(long m, long n, long rows, long columns, long step,
                      const struct launched *by) {
  return describe_of(&family_matmul, m, n, rows, columns, step, by);
}

static char *describe_vector(long n, long count, long step, const struct launched *by) {
  return describe_of(&family_vector_add, 1, n, 1, count, step, by);
}

static void expect(char *words, const char *wanted) {
  if (!wanted)
    assert_null(words);
  else if (!words || !strstr(words, wanted))
    fail_msg("'%s' does not say '%s'", words ? words : "", wanted);
  free(words);
}

static void test_too_small(void **state) {
  (void)state;
  const struct launched one = {{1, 1}, {16, 16}}, two = {{2, 3}, {16, 16}},
                        tiles = {{2, 2}, {32, 8}};
  expect(describe(17, 33, 16, 16, 1, &one),
         "C was written only in rows 0 to 15 of 17 and columns 0 to 15 of 33: the grid (line 30) "
         "is 1 x 1 "
         "blocks, and it takes 3 x 2. Round up: (33 + 15) / 16 blocks in x, (17 + 15) / 16 blocks "
         "in y.");
  expect(describe(48, 33, 48, 32, 1, &two),
         "columns 0 to 31 of 33: the grid (line 30) is 2 x 3 blocks, and it takes 3 x 3. Round up: "
         "(33 + "
         "15) / 16 blocks in x.");
  expect(describe(70, 70, 64, 64, 1, &tiles),
         "it takes 3 x 3. Round up: (70 + 31) / 32 blocks in x, (70 + 31)");
}

static void test_exchanged(void **state) {
  (void)state;
  const struct launched lab1 = {{3, 4}, {16, 16}}, lab4 = {{2, 4}, {32, 8}};
  expect(describe(37, 53, 37, 48, 1, &lab1),
         "the grid (line 30) is 3 x 4 blocks, and it takes 4 x 3, as the kernel goes along the "
         "columns of C "
         "with blockIdx.x: exchange x and y");
  expect(describe(128, 64, 64, 64, 1, &lab4),
         "goes along the columns of C with blockIdx.y: exchange x and y");
}

static void test_index(void **state) {
  (void)state;
  const struct launched fits = {{3, 2}, {16, 16}};
  expect(describe(17, 33, 17, 33, 16, &fits),
         "only every 16th column was written, and a block (line 30) has 16 threads in x: is "
         "threadIdx.x "
         "missing in the index of the column?");
}

static void test_no_kernel(void **state) {
  (void)state;
  const struct launched idle = {{3, 2}, {16, 16}};
  expect(describe(17, 33, 0, 0, 1, NULL), "no kernel was launched, and C was not written.");
  expect(describe(17, 33, 0, 0, 1, &idle),
         "the kernel launched in line 30 ran, but none of its threads stored anything.");
}

/* What a guard leaves out is not the grid's doing. */
static void test_not_the_grid(void **state) {
  (void)state;
  const struct launched fits = {{3, 2}, {16, 16}};
  expect(describe(17, 33, 17, 29, 1, &fits), NULL);
  expect(describe(17, 33, 17, 30, 1, &fits), NULL); /* not even if 3 blocks could share them */
  expect(describe(17, 33, 17, 33, 3, &fits), NULL);
  const struct launched flat = {{1, 1}, {256, 1}};
  expect(describe(17, 33, 16, 33, 1, &flat), NULL); /* one thread may write a column */
  const struct launched none = {{0, 0}, {0, 0}}, huge = {{UINT64_MAX, 1}, {16, UINT64_MAX}};
  expect(describe(17, 33, 16, 16, 1, &none), NULL); /* a report may say anything */
  expect(describe(17, 33, 16, 16, 1, &huge), NULL);
}

/* All blocks write what the first one does, as the stores show that were counted. */
static void test_same_for_all_blocks(void **state) {
  (void)state;
  const struct launched wide = {{4, 1}, {16, 16}, 16 * 16 * 4}, both = {{3, 2}, {16, 16}, 256 * 6},
                        vector = {{4, 1}, {256, 1}, 256 * 4};
  expect(describe(16, 64, 16, 16, 1, &wide),
         "C was written only in columns 0 to 15 of 64: blocks that differ in blockIdx.x write the "
         "same elements. Does the index of the store (line 20) lack blockIdx.x?");
  expect(describe(17, 33, 16, 16, 1, &both), "lack blockIdx.x and blockIdx.y?");
  expect(describe_vector(1000, 256, 1, &vector),
         "elements 256 to 999 of out were not written: blocks that differ in blockIdx.x write the "
         "same elements. Does the index");
}

static void test_vector(void **state) {
  (void)state;
  const struct launched one = {{1, 1}, {256, 1}, 256}, fits = {{4, 1}, {256, 1}, 997},
                        uncounted = {{4, 1}, {256, 1}, 0}, square = {{4, 4}, {16, 16}, 256};
  expect(describe_vector(1000, 256, 1, &one),
         "elements 256 to 999 of out were not written: the grid (line 30) is 1 block, and it takes "
         "4. Round up: (1000 + 255) / 256 blocks.");
  expect(describe_vector(1000, 997, 1, &fits),
         "elements 997 to 999 of out were not written. The grid (line 30) has enough threads, "
         "1024: look at the condition of the store (line 20).");
  expect(describe_vector(256, 255, 1, &one), "element 255 of out was not written. The grid");
  expect(describe_vector(1000, 256, 1, &uncounted), /* the index, or the condition */
         "look at the condition and at the index of the store.");
  expect(describe_vector(1000, 1000, 256, &fits),
         "only every 256th element was written, and a block (line 30) has 256 threads in x: is "
         "threadIdx.x missing in the index of the element?");
  expect(describe_vector(1000, 256, 1, &square), NULL);
  expect(describe_vector(100000, 1000, 1, &one), NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_too_small),    cmocka_unit_test(test_exchanged),
      cmocka_unit_test(test_index),        cmocka_unit_test(test_no_kernel),
      cmocka_unit_test(test_not_the_grid), cmocka_unit_test(test_same_for_all_blocks),
      cmocka_unit_test(test_vector),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
