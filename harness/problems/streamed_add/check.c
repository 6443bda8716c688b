/* check.c: inputs and check of out = a + b, in pieces: as of vector_add. */
#include "harness/problems/vector_add/sum.h"

extern const struct problem problem_streamed_add;

const struct family family_streamed_add = {
    .problem = &problem_streamed_add,
    .make_inputs = sum_make_inputs,
    .check = sum_check,
    .optional.tolerance = sum_tolerance,
    .optional.operations = sum_operations,
    .ceiling = CEILING_BYTES,
    .large = {1 << 26, 4},
};
