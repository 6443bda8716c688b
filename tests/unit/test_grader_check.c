/* test_grader_check.c: honest single precision passes in every order of summation, anything less is
 * refused and named. */
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
#include "harness/problems/matmul/product.h"

extern const struct family family_matmul;

/* One product: inputs as the grader makes them, and C. */
struct work {
  long dims[PROBLEM_MAX_DIMS];
  float *a, *b, *c;
};

static struct work work_new(long m, long n, long k) {
  struct work w = {.dims = {m, n, k}};
  w.a = malloc(sizeof(float) * (size_t)(m * k));
  w.b = malloc(sizeof(float) * (size_t)(k * n));
  w.c = calloc((size_t)(m * n), sizeof(float));
  family_matmul.make_inputs(w.dims, 42, (void *[]){w.a, w.b});
  return w;
}

static void work_free(struct work *w) {
  free(w->a);
  free(w->b);
  free(w->c);
}

static bool check(const struct work *w, struct finding *finding) {
  return family_matmul.check(w->dims, (const void *[]){w->a, w->b}, (const void *[]){w->c}, 7,
                             finding);
}

static void expect_right(const struct work *w) {
  struct finding finding = {0};
  if (!check(w, &finding)) fail_msg("refused: %s", finding.text);
}

/* The finding must say `words`. */
static void expect_wrong(const struct work *w, const char *words) {
  struct finding finding = {0};
  assert_false(check(w, &finding));
  if (!strstr(finding.text, words)) fail_msg("'%s' does not say '%s'", finding.text, words);
}

typedef float summation(const float *a, const float *b, long stride, long k);

static float forwards(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = 0; i < k; i++) sum += a[i] * b[i * stride];
  return sum;
}
static float with_fma(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = 0; i < k; i++) sum = fmaf(a[i], b[i * stride], sum);
  return sum;
}
static float backwards(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = k - 1; i >= 0; i--) sum += a[i] * b[i * stride];
  return sum;
}
static float split_8(const float *a, const float *b, long stride, long k) {
  float parts[8] = {0}, sum = 0;
  for (long i = 0; i < k; i++) parts[i % 8] += a[i] * b[i * stride];
  for (int i = 0; i < 8; i++) sum += parts[i];
  return sum;
}
static float pairwise(const float *a, const float *b, long stride, long k) {
  if (k == 1) return a[0] * b[0];
  return pairwise(a, b, stride, k / 2) + pairwise(a + k / 2, b + k / 2 * stride, stride, k - k / 2);
}
/* The worst order that one can think of: the sum first goes up as far as it can. */
static float positive_first(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (long i = 0; i < k; i++) {
      float term = a[i] * b[i * stride];
      if (term * (float)sign > 0) sum += term;
    }
  }
  return sum;
}
static float in_double(const float *a, const float *b, long stride, long k) {
  double sum = 0;
  for (long i = 0; i < k; i++) sum += (double)a[i] * (double)b[i * stride];
  return (float)sum;
}

/* Rounds to `bits` bits of significand, to nearest even. */
static float round_to(float x, int bits) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  int drop = 24 - bits;
  u += ((uint32_t)1 << (drop - 1)) - 1 + ((u >> drop) & 1);
  u &= ~(((uint32_t)1 << drop) - 1);
  memcpy(&x, &u, sizeof x);
  return x;
}

static float tf32_inputs(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = 0; i < k; i++) sum += round_to(a[i], 11) * round_to(b[i * stride], 11);
  return sum;
}
static float bf16_inputs(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = 0; i < k; i++) sum += round_to(a[i], 8) * round_to(b[i * stride], 8);
  return sum;
}
static float half_sum(const float *a, const float *b, long stride, long k) {
  float sum = 0;
  for (long i = 0; i < k; i++) sum = round_to(sum + a[i] * b[i * stride], 11);
  return sum;
}

static void fill(struct work *w, summation *sum) {
  long m = w->dims[0], n = w->dims[1], k = w->dims[2];
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++) w->c[i * n + j] = sum(w->a + i * k, w->b + j, n, k);
  }
}

static void test_orders(void **state) {
  (void)state;
  static summation *const honest[] = {forwards, with_fma,       backwards, split_8,
                                      pairwise, positive_first, in_double};
  static const long sizes[][3] = {{1, 1, 1},   {3, 5, 2},     {17, 17, 17},   {1, 50, 20},
                                  {64, 1, 33}, {70, 60, 129}, {20, 30, 1000}, {8, 8, 20000}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    struct work w = work_new(sizes[s][0], sizes[s][1], sizes[s][2]);
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
      fill(&w, honest[i]);
      expect_right(&w);
    }
    work_free(&w);
  }
}

static void test_low_precision(void **state) {
  (void)state;
  static summation *const poor[] = {tf32_inputs, bf16_inputs, half_sum};
  static const long sizes[][3] = {{17, 17, 64}, {33, 9, 100}, {20, 30, 1000}, {8, 8, 8192}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    struct work w = work_new(sizes[s][0], sizes[s][1], sizes[s][2]);
    for (size_t i = 0; i < sizeof poor / sizeof *poor; i++) {
      fill(&w, poor[i]);
      expect_wrong(&w, "precision");
    }
    work_free(&w);
  }
}

/* Quick, for sizes where the strided one is slow; and not sanitized, as it is the test's own and
 * would be most of its time. */
__attribute__((no_sanitize("address", "undefined"))) static void fill_large(struct work *w,
                                                                            int bits) {
  long m = w->dims[0], n = w->dims[1], k = w->dims[2];
  float *a = malloc(sizeof(float) * (size_t)(m * k)), *b = malloc(sizeof(float) * (size_t)(k * n));
  for (long i = 0; i < m * k; i++) a[i] = bits < 24 ? round_to(w->a[i], bits) : w->a[i];
  for (long i = 0; i < k * n; i++) b[i] = bits < 24 ? round_to(w->b[i], bits) : w->b[i];
  memset(w->c, 0, sizeof(float) * (size_t)(m * n));
  for (long i = 0; i < m; i++) {
    for (long x = 0; x < k; x++) {
      for (long j = 0; j < n; j++) w->c[i * n + j] += a[i * k + x] * b[x * n + j];
    }
  }
  free(a);
  free(b);
}

/* Freivalds' side: a right product passes, and each single wrong element is found at its place. */
static void test_single_in_large(void **state) {
  (void)state;
  struct work w = work_new(500, 700, 300);
  fill_large(&w, 24);
  expect_right(&w);
  static const struct {
    long row, column;
    float change;
  } errors[] = {{0, 0, 0.01f},   {17, 3, 1},    {499, 699, -0.01f},
                {250, 1, 0.05f}, {0, 699, NAN}, {499, 0, INFINITY}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    float *element = &w.c[errors[i].row * 700 + errors[i].column], before = *element;
    *element += errors[i].change;
    char place[64];
    snprintf(place, sizeof place, "C[%ld][%ld]: expected ", errors[i].row, errors[i].column);
    expect_wrong(&w, place);
    expect_wrong(&w, "(1 of 350000 elements wrong");
    *element = before;
  }
  /* two errors that cancel in a plain sum of the row */
  w.c[5 * 700 + 10] += 0.5f;
  w.c[5 * 700 + 20] -= 0.5f;
  expect_wrong(&w, "C[5][10]");
  work_free(&w);
}

static void test_large_600(void **state) {
  (void)state;
  struct work w = work_new(600, 600, 600);
  fill_large(&w, 24);
  expect_right(&w);
  w.c[417 * 600 + 333] += 0.02f;
  expect_wrong(&w, "C[417][333]");
  work_free(&w);
}

static void test_large_low_precision(void **state) {
  (void)state;
  struct work w = work_new(300, 300, 600);
  fill_large(&w, 11);
  expect_wrong(&w, "lower precision");
  work_free(&w);
}

/* --- patterns: in a small product (all elements compared) and a large one (Freivalds) --- */

static void at_both_sizes(void (*damage)(struct work *), long m, long n, long k,
                          const char *words) {
  for (int large = 0; large <= 1; large++) {
    long f = large ? 10 : 1;
    struct work w = work_new(m * f + f - 1, n * f + f - 1, k * f + f - 1);
    fill_large(&w, 24);
    damage(&w);
    expect_wrong(&w, words);
    work_free(&w);
  }
}

#define EACH_ELEMENT(w, i, j)             \
  for (long i = 0; i < (w)->dims[0]; i++) \
    for (long j = 0; j < (w)->dims[1]; j++)

static void zeros(struct work *w) { EACH_ELEMENT(w, i, j) w->c[i * w->dims[1] + j] = 0; }
static void never_written(struct work *w) { EACH_ELEMENT(w, i, j) w->c[i * w->dims[1] + j] = NAN; }
static void doubled(struct work *w) { EACH_ELEMENT(w, i, j) w->c[i * w->dims[1] + j] *= 2; }
static void last_columns(struct work *w) {
  long from = w->dims[1] / 16 * 16;
  EACH_ELEMENT(w, i, j) if (j >= from) w->c[i * w->dims[1] + j] = 0;
}
static void last_rows(struct work *w) {
  long from = w->dims[0] / 16 * 16;
  EACH_ELEMENT(w, i, j) if (i >= from) w->c[i * w->dims[1] + j] = NAN;
}
static void last_tiles(struct work *w) {
  long row = w->dims[0] / 16 * 16, column = w->dims[1] / 16 * 16;
  EACH_ELEMENT(w, i, j) if (i >= row || j >= column) w->c[i * w->dims[1] + j] = NAN;
}
static void transposed(struct work *w) {
  long n = w->dims[0];
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      float x = w->c[i * n + j];
      w->c[i * n + j] = w->c[j * n + i];
      w->c[j * n + i] = x;
    }
  }
}
static void shifted(struct work *w) {
  EACH_ELEMENT(w, i, j)
  if (j + 1 < w->dims[1]) w->c[i * w->dims[1] + j] = w->c[i * w->dims[1] + j + 1];
}
/* A thread adds up columns x, x + 4, x + 8, x + 12 of 16 and stores them as four neighbours. */
static void other_columns(struct work *w) {
  long n = w->dims[1];
  float row[16];
  for (long i = 0; i < w->dims[0]; i++)
    for (long left = 0; left + 16 <= n; left += 16) {
      memcpy(row, &w->c[i * n + left], sizeof row);
      for (long x = 0; x < 16; x++) w->c[i * n + left + x] = row[x / 4 + x % 4 * 4];
    }
}
static void k_remainder(struct work *w) {
  long n = w->dims[1], k = w->dims[2], full = k / 16 * 16;
  EACH_ELEMENT(w, i, j) {
    float sum = 0;
    for (long x = 0; x < full; x++) sum += w->a[i * k + x] * w->b[x * n + j];
    w->c[i * n + j] = sum;
  }
}
/* Rows of A and B as long as it says; what lies outside of an array is anything. */
static void with_strides(struct work *w, long a_stride, long b_stride) {
  long n = w->dims[1], k = w->dims[2], a_count = w->dims[0] * k, b_count = k * n;
  EACH_ELEMENT(w, i, j) {
    float sum = 0;
    for (long x = 0; x < k; x++) {
      long a = i * a_stride + x, b = x * b_stride + j;
      sum += a < a_count && b < b_count ? w->a[a] * w->b[b] : 1e30f;
    }
    w->c[i * n + j] = sum;
  }
}
static void a_rows_of_n(struct work *w) { with_strides(w, w->dims[1], w->dims[1]); }
static void b_rows_of_k(struct work *w) { with_strides(w, w->dims[2], w->dims[2]); }
static void c_rows_of_m(struct work *w) {
  long m = w->dims[0], n = w->dims[1];
  float *c = malloc(sizeof(float) * (size_t)(m * n));
  for (long at = 0; at < m * n; at++) c[at] = NAN;
  EACH_ELEMENT(w, i, j) if (i * m + j < m * n) c[i * m + j] = w->c[i * n + j];
  memcpy(w->c, c, sizeof(float) * (size_t)(m * n));
  free(c);
}
static float or_0(const float *array, long rows, long columns, long row, long column) {
  return row < rows && column < columns ? array[row * columns + column] : 0;
}
/* Tiles of 16 x 16, A's read a[k][y]. */
static void turned_tile(struct work *w) {
  long m = w->dims[0], n = w->dims[1], k = w->dims[2];
  EACH_ELEMENT(w, i, j) {
    float sum = 0;
    for (long start = 0; start < k; start += 16)
      for (long x = 0; x < 16; x++)
        sum += or_0(w->a, m, k, i / 16 * 16 + x, start + i % 16) * or_0(w->b, k, n, start + x, j);
    w->c[i * n + j] = sum;
  }
}
static void last_tile_only(struct work *w) {
  long n = w->dims[1], k = w->dims[2], from = k - 8;
  EACH_ELEMENT(w, i, j) {
    float sum = 0;
    for (long x = from; x < k; x++) sum += w->a[i * k + x] * w->b[x * n + j];
    w->c[i * n + j] = sum;
  }
}

static void test_patterns(void **state) {
  (void)state;
  at_both_sizes(zeros, 33, 34, 35, "every element is 0");
  at_both_sizes(never_written, 33, 34, 35, "every element is NaN");
  at_both_sizes(doubled, 33, 34, 35, "every element is 2 times what is expected");
  at_both_sizes(last_columns, 33, 37, 35, "columns, from column");
  at_both_sizes(last_rows, 37, 33, 35, "rows, from row");
  at_both_sizes(last_tiles, 37, 39, 35, "partial tiles");
  at_both_sizes(transposed, 33, 33, 35, "transposed");
  at_both_sizes(shifted, 33, 34, 35, "neighbour [row+0][column+1]");
  at_both_sizes(other_columns, 36, 40, 35, "what belongs to other places nearby");
  at_both_sizes(k_remainder, 33, 34, 37, "partial tile of K");
  at_both_sizes(last_tile_only, 33, 34, 37, "only the last 8 of K");
  at_both_sizes(a_rows_of_n, 33, 34, 37, "A is used as if its rows had N = 34");
  at_both_sizes(b_rows_of_k, 33, 37, 34, "B is used as if its rows had K = 34");
  at_both_sizes(c_rows_of_m, 37, 41, 34, "C is used as if its rows had M = 37");
  at_both_sizes(turned_tile, 33, 37, 34, "A's tile is read with the indices exchanged");
}

/* What a pattern is recognised by is spread over rows and columns, whatever the length of a row. */
static void test_samples(void **state) {
  (void)state;
  struct work w = work_new(512, 512, 1);
  struct wrongs wrongs;
  bool rows[512] = {0}, columns[512] = {0};
  int row_count = 0, column_count = 0;
  struct product p = {w.a, w.b, w.c, 512, 512, 1};
  wrongs_init(&wrongs, &p);
  zeros(&w);
  assert_false(product_check_all(&p, &wrongs));
  assert_int_equal(wrongs.sample_count, WRONG_SAMPLES);
  for (int i = 0; i < WRONG_SAMPLES; i++) {
    const struct wrong *x = &wrongs.samples[i];
    row_count += !rows[x->row], rows[x->row] = true;
    column_count += !columns[x->column], columns[x->column] = true;
  }
  assert_true(row_count > 150 && column_count > 150); /* of 201 that chance has on average */
  wrongs_free(&wrongs);
  work_free(&w);
}

/* Timed calls are held against the reference's outputs, on values such as these: a sum in another
 * order passes, one of inputs cut to the 10 bits of TF32 and half precision does not. */
static void test_tolerance_of_timed_calls(void **state) {
  (void)state;
  enum { K = 512, SAMPLES = 512 };
  uint64_t seed = 1;
  double tolerance = family_tolerance(&family_matmul, (const long[]){512, 512, K}), other = 0,
         cut = 0;
  for (int s = 0; s < SAMPLES; s++) {
    float up = 0, down = 0, coarse = 0, a[K], b[K];
    for (int k = 0; k < K; k++) {
      a[k] = (float)(random_next(&seed) >> 40 | 1) * 0x1p-23f - 1;
      b[k] = (float)(random_next(&seed) >> 40 | 1) * 0x1p-23f - 1;
    }
    for (int k = 0; k < K; k++) {
      union {
        float value;
        uint32_t bits;
      } x = {a[k]}, y = {b[k]};
      x.bits &= 0xffffe000u;
      y.bits &= 0xffffe000u;
      up += a[k] * b[k];
      down += a[K - 1 - k] * b[K - 1 - k];
      coarse += x.value * y.value;
    }
    other = fmax(other, fabs((double)up - (double)down));
    cut = fmax(cut, fabs((double)up - (double)coarse));
  }
  assert_true(other < tolerance / 4);
  assert_true(cut > 2 * tolerance);
}

static void test_inputs(void **state) {
  (void)state;
  long dims[] = {20, 30, 40};
  float a[2][800], b[2][1200];
  family_matmul.make_inputs(dims, 1, (void *[]){a[0], b[0]});
  family_matmul.make_inputs(dims, 2, (void *[]){a[1], b[1]});
  int same = 0;
  for (int i = 0; i < 800; i++) {
    assert_true(a[0][i] > -1 && a[0][i] < 1 && a[0][i] != 0);
    same += a[0][i] == a[1][i] || a[0][i] == b[0][i];
  }
  assert_true(same < 3);
  family_matmul.make_inputs(dims, 1, (void *[]){a[1], b[1]});
  assert_memory_equal(a[0], a[1], sizeof a[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_low_precision),
      cmocka_unit_test(test_single_in_large),
      cmocka_unit_test(test_large_600),
      cmocka_unit_test(test_large_low_precision),
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_tolerance_of_timed_calls),
      cmocka_unit_test(test_inputs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
