/* transpose.c: the transpose problem: out (cols x rows) = in (rows x cols) transposed. */
#include "harness/problems/transpose/transpose.h"

#include "harness/problems/problem.h"

enum { ROWS, COLS };
enum { IN, OUT };

typedef KIT_ENTRY(transpose_function);

static int call(void *function, void *const *pointers, const long *dims) {
  transpose_function *transpose = (transpose_function *)function;
  transpose(pointers[IN], pointers[OUT], (int)dims[ROWS], (int)dims[COLS]);
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
};
