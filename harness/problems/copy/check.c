/* check.c: inputs and check of a copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "harness/problems/copy/places.h"
#include "harness/problems/elements.h"

extern const struct problem problem_copy;

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  elements_fill(inputs[0], problem_elements(&problem_copy, 0, dims), seed);
}

/* The first wrong element holds another one of in: which. */
static void add_origin(const float *in, long length, const float *expected, const float *out,
                       long n, struct finding *finding) {
  long first = 0;
  while (first < n && out[first] == expected[first]) first++;
  for (long j = 0; j < length && first < n; j++) {
    if (in[j] != out[first]) continue;
    size_t used = strlen(finding->text);
    snprintf(finding->text + used, sizeof finding->text - used, "; what is there is in[%ld]", j);
    return;
  }
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: a copy is exact or wrong */
  const float *in = inputs[0];
  long n = dims[COPY_N];
  autofree float *expected = xcalloc((size_t)n, sizeof *expected);
  for (long i = 0; i < n; i++) {
    long place = copy_place(dims, i);
    expected[i] = place == COPY_NOWHERE ? 0 : in[place];
  }
  if (elements_check("out", expected, outputs[0], n, 0, finding)) return true;
  add_origin(in, (long)problem_elements(&problem_copy, 0, dims), expected, outputs[0], n, finding);
  return false;
}

static double textbook_loads(const long *dims) { return sizeof(float) * (double)dims[COPY_N]; }

const struct family family_copy = {
    .problem = &problem_copy,
    .make_inputs = make_inputs,
    .check = check,
    .optional.textbook_loads = textbook_loads,
    .ceiling = CEILING_BYTES,
    .large = {[COPY_N] = 1 << 26, [COPY_PATTERN] = COPY_OFFSET, [COPY_STEP] = 0},
};
