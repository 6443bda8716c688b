/* transpose.c: the transpose problem: out (cols x rows) = in (rows x cols) transposed. */
#include "harness/problems/transpose/transpose.h"

#include <math.h>

#include "harness/problems/problem.h"

enum { ROWS, COLS };
enum { IN, OUT };

typedef KIT_ENTRY(transpose_function);

static void call(void *function, void *const *pointers, const long *dims) {
  transpose_function *transpose = (transpose_function *)function;
  transpose(pointers[IN], pointers[OUT], (int)dims[ROWS], (int)dims[COLS]);
}

static double work(const long *dims) { return (double)dims[ROWS] * dims[COLS]; }

/* A copy is exact or wrong. */
static double check(void *const *arrays, const long *dims, size_t *at) {
  const float *in = arrays[IN], *out = arrays[OUT];
  size_t rows = (size_t)dims[ROWS], cols = (size_t)dims[COLS];
  for (size_t i = 0; i < rows * cols; i++) {
    if (out[i] == in[i % rows * cols + i / rows]) continue;
    *at = i;
    return INFINITY;
  }
  return 0;
}

const struct problem problem_transpose = {
    .name = "transpose",
    .dim_count = 2,
    .dims = {[ROWS] = "ROWS", [COLS] = "COLS"},
    .input_count = 1,
    .output_count = 1,
    .arrays =
        {[IN] = {"in", sizeof(float), ROWS, COLS}, [OUT] = {"out", sizeof(float), COLS, ROWS}},
    .call = call,
    .check = check,
    .work = work,
};
