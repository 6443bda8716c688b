/* check.c: inputs and check of C = A A^T, row-major floats: A is M x K, C is M x M. A product like
 * any other, with B = A^T, which exists here only.
 *
 * Its tolerance: on the diagonal no two factors are independent, and partial sums grow up to S.
 * Their errors are of order sqrt(K) u S, which is within the tolerance, too (product.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grader/base/text.h"
#include "harness/problems/elements.h"
#include "harness/problems/family.h"
#include "harness/problems/matmul/product_pattern.h"

extern const struct problem problem_gram;

enum { DIM_M, DIM_K }; /* as in problem_gram */

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  elements_fill(inputs[0], problem_elements(&problem_gram, 0, dims), seed);
}

/* --- how A is misread --- */

/* The sum of a thread that reads a[k] for its row and b[k * b_step] for its column, both counted
 * from the start of A; NaN: out of bounds. */
static double sum_from(const struct product *p, long a, long b, long b_step) {
  double sum = 0;
  if (a + p->k > p->m * p->k || b + (p->k - 1) * b_step >= p->m * p->k) return (double)NAN;
  for (long k = 0; k < p->k; k++) sum += (double)p->a[a + k] * (double)p->a[b + k * b_step];
  return sum;
}

/* Does every sample hold that sum, for rows of these lengths? (Within the first tile of rows, a
 * tile that is not turned looks the same.) */
static bool holds_sum(const struct product *p, const struct wrongs *w, long row_length,
                      long column_length, long column_step) {
  int looked_at = 0;
  for (int i = 0; i < w->sample_count; i++) {
    const struct wrong *x = &w->samples[i];
    double sum = sum_from(p, x->row * row_length, x->column * column_length, column_step);
    if (isnan(sum)) continue;
    if (!is_near(sum, x->got, (double)p->k)) return false;
    looked_at++;
  }
  return looked_at >= 2;
}

static bool is_not_transposed(const struct product *p, const struct wrongs *w, char *text,
                              size_t size) {
  if (!holds_sum(p, w, p->k, 1, p->k)) return false;
  snprintf(text, size,
           "A is read as it is in the place of its transpose, A[k * K + column]: element (k, "
           "column) of the transpose is A[column * K + k]");
  return true;
}

static bool is_stride(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  long k = p->k, m = p->m;
  if (m == k || !(holds_sum(p, w, m, k, 1) || holds_sum(p, w, k, m, 1) || holds_sum(p, w, m, m, 1)))
    return false;
  snprintf(text, size,
           "A is used as if its rows had M = %ld elements, but they have K = %ld: element (i, j) "
           "is A[i * K + j]",
           m, k);
  return true;
}

static bool is_turned_tile(const struct product *p, const struct wrongs *w, char *text,
                           size_t size) {
  static const char *const which[] = {[TURNED_A] = "the tile of C's rows is",
                                      [TURNED_B] = "the tile of C's columns is",
                                      [TURNED_BOTH] = "both tiles are"};
  enum turned turned = pattern_turned_tiles(p, w);
  if (!turned) return false;
  snprintf(text, size,
           "%s read with the indices exchanged: thread (x, y) multiplies element k of two rows of "
           "A, row y of the one tile's and row x of the other's",
           which[turned]);
  return true;
}

static const struct pattern misread[] = {{is_not_transposed, EXPLAINS_STRAYS},
                                         {is_stride, EXPLAINS_STRAYS},
                                         {is_turned_tile, EXPLAINS_RESULTS},
                                         {0}};

/* --- the check --- */

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  long m = dims[DIM_M], k = dims[DIM_K];
  const float *a = inputs[0];
  float *transposed = xcalloc((size_t)(k * m), sizeof *transposed);
  for (long i = 0; i < m; i++)
    for (long j = 0; j < k; j++) transposed[j * m + i] = a[i * k + j];
  struct product p = {a, transposed, outputs[0], m, m, k};
  bool right = product_check(&p, misread, seed, finding);
  free(transposed);
  return right;
}

/* Nobody has to notice that C is symmetric. */
static double operations(const long *dims) {
  return 2.0 * (double)dims[DIM_M] * (double)dims[DIM_M] * (double)dims[DIM_K];
}

/* Two floats for a multiplication and an addition. */
static double textbook_loads(const long *dims) { return sizeof(float) * operations(dims); }

/* Both may be off by the tolerance of a sum of K terms below 1. */
static double tolerance(const long *dims) {
  return 2 * product_tolerance(dims[DIM_K]) * (double)dims[DIM_K];
}

const struct family family_gram = {
    .problem = &problem_gram,
    .make_inputs = make_inputs,
    .check = check,
    .optional.tolerance = tolerance,
    .optional.operations = operations,
    .optional.textbook_loads = textbook_loads,
    .ceiling = CEILING_OPERATIONS,
    .ceilings = {{"cublas_sgemm", "cublasSgemm"}},
    .large = {4096, 4096},
};
