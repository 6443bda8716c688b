/* summation.c: the problem of summing up a vector. */
#include "harness/problems/summation/summation.h"

#include "harness/problems/problem.h"

enum { N };
enum { IN, OUT };

typedef KIT_ENTRY(summation_function);

static int call(void *function, void *const *pointers, const long *dims) {
  summation_function *summation = (summation_function *)function;
  summation(pointers[IN], pointers[OUT], (int)dims[N]);
  return 0;
}

const struct problem problem_summation = {
    .name = "summation",
    .dim_count = 1,
    .dims = {[N] = "N"},
    .input_count = 1,
    .output_count = 1,
    .arrays = {[IN] = {"in", sizeof(float), LENGTH_1, N},
               [OUT] = {"out", sizeof(float), LENGTH_1, LENGTH_1}},
    .call = call,
};
