/* branches.c: the problem of doing one of two computations for every element. */
#include "harness/problems/branches/branches.h"

#include "harness/problems/problem.h"

enum { N, ROUNDS };
enum { IN, OUT };

typedef KIT_ENTRY(branches_function);

static int call(void *function, void *const *pointers, const long *dims) {
  branches_function *branches = (branches_function *)function;
  branches(pointers[IN], pointers[OUT], (int)dims[N], (int)dims[ROUNDS]);
  return 0;
}

const struct problem problem_branches = {
    .name = "branches",
    .dim_count = 2,
    .dims = {[N] = "N", [ROUNDS] = "ROUNDS"},
    .from_0 = {[ROUNDS] = true},
    .input_count = 1,
    .output_count = 1,
    .arrays =
        {[IN] = {"in", sizeof(float), LENGTH_1, N}, [OUT] = {"out", sizeof(float), LENGTH_1, N}},
    .call = call,
};
