/* vector_add.c: the problem of adding two vectors of the host's. */
#include "harness/problems/vector_add/vector_add.h"

#include "harness/problems/problem.h"

enum { N };
enum { A, B, OUT, MILLISECONDS };

typedef KIT_ENTRY(vector_add_function);

static int call(void *function, void *const *pointers, const long *dims) {
  vector_add_function *vector_add = (vector_add_function *)function;
  vector_add(pointers[A], pointers[B], pointers[OUT], (int)dims[N], pointers[MILLISECONDS]);
  return 0;
}

const struct problem problem_vector_add = {
    .name = "vector_add",
    .dim_count = 1,
    .dims = {[N] = "N"},
    .input_count = 2,
    .output_count = 2,
    .arrays = {[A] = {"a", sizeof(float), LENGTH_1, N},
               [B] = {"b", sizeof(float), LENGTH_1, N},
               [OUT] = {"out", sizeof(float), LENGTH_1, N},
               [MILLISECONDS] = {"milliseconds", sizeof(float), LENGTH_1, LENGTH_1}},
    .on_host = true,
    .elapsed = 2,
    .call = call,
};
