/* check.c: inputs and check of out = a + b. */
#include <stdlib.h>

#include "grader/base/text.h"
#include "harness/problems/elements.h"
#include "harness/problems/vector_add/sum.h"

enum { N }; /* as in problem_vector_add */
enum { A, B, OUT_OUTPUT = 0 };

extern const struct problem problem_vector_add;

void sum_make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  elements_fill(inputs[A], (size_t)dims[N], seed);
  elements_fill(inputs[B], (size_t)dims[N], ~seed);
}

bool sum_check(const long *dims, const void *const *inputs, const void *const *outputs,
               uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: every element is compared */
  const float *a = inputs[A], *b = inputs[B];
  autofree float *expected = xcalloc((size_t)dims[N], sizeof *expected);
  for (long i = 0; i < dims[N]; i++) expected[i] = a[i] + b[i];
  return elements_check("out", expected, outputs[OUT_OUTPUT], dims[N], 1, finding);
}

double sum_operations(const long *dims) { return (double)dims[N]; }

/* Of a sum below 2, one unit in the last place each. */
double sum_tolerance(const long *dims) { return (void)dims, 2 * 0x1p-23; }

const struct family family_vector_add = {
    .problem = &problem_vector_add,
    .make_inputs = sum_make_inputs,
    .check = sum_check,
    .optional.tolerance = sum_tolerance,
    .optional.operations = sum_operations,
    .ceiling = CEILING_BYTES,
    .large = {1 << 26},
};
