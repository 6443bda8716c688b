/* matmul.c: the matrix-product problem: C (M x N) = A (M x K) B (K x N). */
#include "harness/problems/matmul/matmul.h"

#include "harness/problems/problem.h"

enum { M, N, K };
enum { A, B, C };

typedef KIT_ENTRY(matmul_function);

static int call(void *function, void *const *pointers, const long *dims) {
  matmul_function *matmul = (matmul_function *)function;
  matmul(pointers[A], pointers[B], pointers[C], (int)dims[M], (int)dims[N], (int)dims[K]);
  return 0;
}

const struct problem problem_matmul = {
    .name = "matmul",
    .dim_count = 3,
    .dims = {[M] = "M", [N] = "N", [K] = "K"},
    .input_count = 2,
    .output_count = 1,
    .arrays = {[A] = {"A", sizeof(float), M, K},
               [B] = {"B", sizeof(float), K, N},
               [C] = {"C", sizeof(float), M, N}},
    .call = call,
};
