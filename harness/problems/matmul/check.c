/* check.c: inputs and check of C = A B: A is M x K, B is K x N, C is M x N, row-major floats. */
#include "harness/problems/elements.h"
#include "harness/problems/family.h"
#include "harness/problems/matmul/product_pattern.h"

extern const struct problem problem_matmul;

enum { DIM_M, DIM_N, DIM_K }; /* as in problem_matmul */

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  for (int i = 0; i < 2; i++)
    elements_fill(inputs[i], problem_elements(&problem_matmul, i, dims),
                  seed + 0x632be59bd9b4e019u * (uint64_t)(i + 1));
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  struct product p = {inputs[0], inputs[1], outputs[0], dims[DIM_M], dims[DIM_N], dims[DIM_K]};
  return product_check(&p, matmul_misread, seed, finding);
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
    .optional.tolerance = tolerance,
    .optional.operations = operations,
    .optional.textbook_loads = textbook_loads,
    .ceiling = CEILING_OPERATIONS,
    .ceilings = {{"cublas_sgemm", "cublasSgemm"}},
    .large = {4096, 4096, 4096},
};
