/* gram.c: the product of a matrix and its transpose: C (M x M) = A (M x K) times A transposed. */
#include "harness/problems/gram/gram.h"

#include "harness/problems/problem.h"

enum { M, K };
enum { A, C };

typedef KIT_ENTRY(gram_function);

static int call(void *function, void *const *pointers, const long *dims) {
  gram_function *gram = (gram_function *)function;
  gram(pointers[A], pointers[C], (int)dims[M], (int)dims[K]);
  return 0;
}

const struct problem problem_gram = {
    .name = "gram",
    .dim_count = 2,
    .dims = {[M] = "M", [K] = "K"},
    .input_count = 1,
    .output_count = 1,
    .arrays = {[A] = {"A", sizeof(float), M, K}, [C] = {"C", sizeof(float), M, M}},
    .call = call,
};
