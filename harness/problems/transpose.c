/* transpose.c: the transpose problem for the runner: out (cols x rows) = in (rows x cols)
 * transposed. */
#include "harness/problems/transpose.h"

#include <math.h>

#include "harness/problems/problem.h"

enum { ROWS, COLS };
enum { IN, OUT };

typedef KIT_ENTRY(transpose_function);

static void call(void *function, void *const *pointers, const int *dims) {
  transpose_function *transpose = (transpose_function *)function;
  transpose(pointers[IN], pointers[OUT], dims[ROWS], dims[COLS]);
}

static double work(const int *dims) { return (double)dims[ROWS] * dims[COLS]; }

/* A copy is exact or wrong. */
static double check(void *const *arrays, const int *dims, size_t *at) {
  const float *in = arrays[IN], *out = arrays[OUT];
  size_t rows = (size_t)dims[ROWS], cols = (size_t)dims[COLS];
  for (size_t i = 0; i < rows * cols; i++) {
    if (out[i] == in[i % rows * cols + i / rows]) continue;
    *at = i;
    return INFINITY;
  }
  return 0;
}

const struct problem problem = {
    .name = "transpose",
    .dim_count = 2,
    .dims = {[ROWS] = "ROWS", [COLS] = "COLS"},
    .array_count = 2,
    .arrays = {[IN] = {"in", BACKEND_INPUT, sizeof(float), ROWS, COLS},
               [OUT] = {"out", BACKEND_OUTPUT, sizeof(float), COLS, ROWS}},
    .call = call,
    .check = check,
    .work = work,
};
