/* copy.c: the problem of copying a vector, element by element, by one of several patterns. */
#include "harness/problems/copy/copy.h"

#include "harness/problems/copy/places.h"
#include "harness/problems/problem.h"

enum { IN, OUT };

typedef KIT_ENTRY(copy_function);

static int call(void *function, void *const *pointers, const long *dims) {
  copy_function *copy = (copy_function *)function;
  copy(pointers[IN], pointers[OUT], (int)dims[COPY_N], (int)dims[COPY_STEP]);
  return 0;
}

/* Up to the last element that is copied: that of the last of out, unless they change places. */
static size_t in_length(const long *dims) {
  bool ordered = dims[COPY_PATTERN] != COPY_PERMUTED && dims[COPY_PATTERN] != COPY_PARTIAL;
  long last = 0;
  for (long i = ordered ? dims[COPY_N] - 1 : 0; i < dims[COPY_N]; i++)
    if (copy_place(dims, i) > last) last = copy_place(dims, i);
  return (size_t)last + 1;
}

static const char *const patterns[] = {
    [COPY_OFFSET] = "offset",     [COPY_STRIDE] = "stride",   [COPY_PERMUTED] = "permuted",
    [COPY_REPEATED] = "repeated", [COPY_PARTIAL] = "partial", NULL};

const struct problem problem_copy = {
    .name = "copy",
    .dim_count = 3,
    .dims = {[COPY_N] = "N", [COPY_PATTERN] = "PATTERN", [COPY_STEP] = "STEP"},
    .from_0 = {[COPY_STEP] = true},
    .words = {[COPY_PATTERN] = patterns},
    .input_count = 1,
    .output_count = 1,
    .arrays = {[IN] = {"in", sizeof(float), LENGTH_1, LENGTH_1, in_length},
               [OUT] = {"out", sizeof(float), LENGTH_1, COPY_N}},
    .call = call,
};
