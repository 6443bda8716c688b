/* test_grader_transpose.c: the transpose problem: its values, check, and words for mistakes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/problems/family.h"
#include "harness/problems/transpose/transposed.h"

extern const struct family family_transpose;

struct work {
  long dims[2];
  float *in, *out;
};

static struct work make(long rows, long cols, uint64_t seed) {
  struct work w = {.dims = {rows, cols}};
  w.in = calloc((size_t)(rows * cols), sizeof *w.in);
  w.out = calloc((size_t)(rows * cols), sizeof *w.out);
  family_transpose.make_inputs(w.dims, seed, (void *[]){w.in});
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++) w.out[j * rows + i] = w.in[i * cols + j];
  return w;
}

/* Checks and frees; words: what the finding must say, NULL: all is right. */
static void expect(struct work w, const char *words) {
  struct finding finding = {0};
  bool right =
      family_transpose.check(w.dims, (const void *[]){w.in}, (const void *[]){w.out}, 3, &finding);
  assert_int_equal(right, words == NULL);
  if (words && !strstr(finding.text, words)) fail_msg("'%s' lacks '%s'", finding.text, words);
  free(w.in);
  free(w.out);
}

/* Each value belongs to one element, none is 0, and its element can be told from it. */
static void test_values(void **state) {
  (void)state;
  struct work w = make(4096, 4096, 99);
  unsigned char *seen = calloc((size_t)1 << 24, 1);
  struct transposed t = {w.in, w.out, 4096, 4096};
  for (long i = 0; i < 1L << 24; i++) {
    long place = (long)((double)w.in[i] * 0x1p23 + 0x1p23); /* in [0, 2^24) */
    assert_true(w.in[i] != 0 && fabsf(w.in[i]) < 1);
    assert_int_equal(seen[place]++, 0);
    if (i % 1001 == 0) assert_int_equal(transposed_index(&t, w.in[i]), i);
  }
  assert_int_equal(transposed_index(&t, 0), -1);
  assert_int_equal(transposed_index(&t, NAN), -1);
  assert_int_equal(transposed_index(&t, 0.5f), -1);
  free(seen);
  expect(w, NULL);
}

static void test_seeds_differ(void **state) {
  (void)state;
  struct work a = make(8, 8, 1), b = make(8, 8, 2);
  assert_true(memcmp(a.in, b.in, 64 * sizeof(float)) != 0);
  expect(a, NULL);
  expect(b, NULL);
}

static void test_one_element(void **state) {
  (void)state;
  struct work w = make(37, 53, 5);
  w.out[20 * 37 + 11] += 1;
  expect(w, "out[20][11]: expected ");
  w = make(37, 53, 5);
  w.out[52 * 37 + 36] = NAN;
  expect(w, "which is in[36][52], got nan (1 of 1961 elements wrong: they are NaN");
}

/* A wrong element for each pattern: out[j][i] gets in[f(i, j)], a flat index. */
typedef long source(long i, long j, long rows, long cols);

static void expect_moved(long rows, long cols, source *from, const char *words) {
  struct work w = make(rows, cols, 7);
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < cols; j++) {
      long at = from(i, j, rows, cols);
      w.out[j * rows + i] = at >= 0 && at < rows * cols ? w.in[at] : NAN;
    }
  }
  expect(w, words);
}

static long copied(long i, long j, long rows, long cols) { return (void)cols, j * rows + i; }
static long wrong_read_stride(long i, long j, long rows, long cols) {
  return (i * rows + j) % (rows * cols);
}
static long exchanged(long i, long j, long rows, long cols) {
  long at = j * rows + i;
  return at % cols * rows + at / cols;
}
static long tile_in_place(long i, long j, long rows, long cols) {
  (void)rows;
  return (j / 16 * 16 + i % 16) * cols + i / 16 * 16 + j % 16;
}
static long tile_not_turned(long i, long j, long rows, long cols) {
  (void)rows;
  return (i / 16 * 16 + j % 16) * cols + j / 16 * 16 + i % 16;
}
static long from_the_right(long i, long j, long rows, long cols) {
  return (void)rows, i * cols + (j + 1) % cols;
}

static void test_patterns(void **state) {
  (void)state;
  expect_moved(64, 64, copied, "out is a copy of in");
  expect_moved(48, 32, copied, "out is a copy of in");
  expect_moved(40, 56, wrong_read_stride, "in is read as if its rows had 40 elements");
  expect_moved(40, 56, exchanged, "in is taken to be 56 x 40 and out 40 x 56, but in has 40 rows");
  expect_moved(64, 64, tile_in_place, "each tile of 16 x 16 is transposed, but stays where it was");
  expect_moved(64, 96, tile_not_turned, "each tile of 16 x 16 goes to the right place");
  expect_moved(64, 2000, from_the_right, "1 column right of the right one");

  struct work w = make(50, 30, 7); /* written with cols as the length of out's rows */
  float *good = w.out;
  w.out = calloc(50 * 30, sizeof *w.out);
  for (long i = 0; i < 50 * 30; i++) w.out[i] = NAN;
  for (long j = 0; j < 30; j++)
    for (long i = 0; i < 50 && j * 30 + i < 50 * 30; i++) w.out[j * 30 + i] = w.in[i * 30 + j];
  free(good);
  expect(w, "out is written as if its rows had 30 elements");

  w = make(64, 64, 7);
  for (long i = 0; i < 64 * 64; i++) w.out[i] = 0;
  expect(w, "they are 0");
  w = make(64, 64, 7);
  memset(w.out, 0x7e, 64 * 64 * sizeof *w.out);
  expect(w, "they are garbage");
  w = make(64, 40, 7);
  for (long j = 32; j < 40; j++)
    for (long i = 0; i < 64; i++) w.out[j * 64 + i] = NAN;
  expect(w, "all rows of out from 32 on; they are NaN, as out was before the call");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_seeds_differ),
      cmocka_unit_test(test_one_element),
      cmocka_unit_test(test_patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
