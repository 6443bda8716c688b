/* rowsum.c: the rowsum problem: out[i] = the sum of row i of in. */
#include "harness/problems/rowsum/rowsum.h"

#include "harness/problems/problem.h"

enum { ROWS, COLS };
enum { IN, OUT };

typedef KIT_ENTRY(rowsum_function);

static int call(void *function, void *const *pointers, const long *dims) {
  rowsum_function *rowsum = (rowsum_function *)function;
  rowsum(pointers[IN], pointers[OUT], (int)dims[ROWS], (int)dims[COLS]);
  return 0;
}

const struct problem problem_rowsum = {
    .name = "rowsum",
    .dim_count = 2,
    .dims = {[ROWS] = "ROWS", [COLS] = "COLS"},
    .input_count = 1,
    .output_count = 1,
    .arrays =
        {[IN] = {"in", sizeof(float), ROWS, COLS}, [OUT] = {"out", sizeof(float), ROWS, LENGTH_1}},
    .call = call,
};
