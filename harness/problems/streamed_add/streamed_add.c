/* streamed_add.c: the problem of adding two vectors of the host's, in pieces. */
#include "harness/problems/streamed_add/streamed_add.h"

#include "harness/problems/problem.h"

enum { N, STREAMS };
enum { A, B, OUT, MILLISECONDS };

typedef KIT_ENTRY(streamed_add_function);

static int call(void *function, void *const *pointers, const long *dims) {
  streamed_add_function *streamed_add = (streamed_add_function *)function;
  streamed_add(pointers[A], pointers[B], pointers[OUT], (int)dims[N], (int)dims[STREAMS],
               pointers[MILLISECONDS]);
  return 0;
}

const struct problem problem_streamed_add = {
    .name = "streamed_add",
    .dim_count = 2,
    .dims = {[N] = "N", [STREAMS] = "STREAMS"},
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
