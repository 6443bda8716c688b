/* check.c: inputs and check of C = A B: A is M x K, B is K x N, C is M x N, row-major floats. */
#include <math.h>
#include <stdio.h>

#include "harness/problems/elements.h"
#include "harness/problems/family.h"
#include "harness/problems/matmul/product.h"

extern const struct problem problem_matmul;

enum { DIM_M, DIM_N, DIM_K }; /* as in problem_matmul */

/* Up to this many multiplications every element is compared (a few 10 ms); beyond it Freivalds'
 * test looks for the rows. */
static const double elementwise_limit = 0x1p24;

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  for (int i = 0; i < 2; i++)
    elements_fill(inputs[i], problem_elements(&problem_matmul, i, dims),
                  seed + 0x632be59bd9b4e019u * (uint64_t)(i + 1));
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  struct product p = {inputs[0], inputs[1], outputs[0], dims[DIM_M], dims[DIM_N], dims[DIM_K]};
  struct wrongs wrongs;
  wrongs_init(&wrongs, &p);
  bool small = (double)p.m * (double)p.n * (double)p.k <= elementwise_limit;
  bool right = small ? product_check_all(&p, &wrongs) : product_check_freivalds(&p, seed, &wrongs);
  if (!right) {
    char pattern[400];
    finding->explains = pattern_describe(&p, &wrongs, pattern, sizeof pattern);
    finding->array = "C";
    finding->unwritten = true;
    for (int i = 0; i < wrongs.sample_count; i++)
      finding->unwritten = finding->unwritten && isnan(wrongs.samples[i].got);
    snprintf(finding->text, sizeof finding->text,
             "C[%ld][%ld]: expected %.6g, got %.6g (%s%lu of %ld elements wrong%s%s)",
             wrongs.first.row, wrongs.first.column, wrongs.first.expected, shown(wrongs.first.got),
             wrongs.estimated ? "about " : "", wrongs.count, p.m * p.n, pattern[0] ? ": " : "",
             pattern);
  }
  wrongs_free(&wrongs);
  return right;
}

static double operations(const long *dims) {
  return 2.0 * (double)dims[DIM_M] * (double)dims[DIM_N] * (double)dims[DIM_K];
}

/* Two floats for a multiplication and an addition. */
static double textbook_loads(const long *dims) { return sizeof(float) * operations(dims); }

/* Both may be off by the tolerance of a sum of K terms below 1. */
static double tolerance(const long *dims) {
  return 2 * product_tolerance(dims[DIM_K]) * (double)dims[DIM_K];
}

const struct family family_matmul = {
    .problem = &problem_matmul,
    .make_inputs = make_inputs,
    .check = check,
    .tolerance = tolerance,
    .operations = operations,
    .textbook_loads = textbook_loads,
    .ceiling = CEILING_OPERATIONS,
    .ceilings = {{"cublas_sgemm", "cublasSgemm"}},
    .large = {4096, 4096, 4096},
};
