/* family.c: finds a problem family by its name, and what follows from its shapes.
 *
 * The families are the folders here: make counts them and defines KIT_FAMILIES, for instance as
 * `FAMILY(matmul) FAMILY(transpose)` (mk/grader.mk). */
#include "harness/problems/family.h"

#include <string.h>

#define FAMILY(name) extern const struct family family_##name;
KIT_FAMILIES
#undef FAMILY
#define FAMILY(name) &family_##name,
static const struct family *const families[] = {KIT_FAMILIES NULL};

const struct family *family_find(const char *name) {
  for (const struct family *const *family = families; *family; family++)
    if (strcmp((*family)->problem->name, name) == 0) return *family;
  return NULL;
}

static double bytes_of(const struct problem *problem, int first, int end, const long *dims) {
  double bytes = 0;
  for (int i = first; i < end; i++) bytes += (double)problem_bytes(problem, i, dims);
  return bytes;
}

double family_bytes(const struct family *family, const long *dims) {
  return bytes_of(family->problem, 0, problem_array_count(family->problem), dims);
}

double family_output_bytes(const struct family *family, const long *dims) {
  const struct problem *problem = family->problem;
  return bytes_of(problem, problem->input_count, problem_array_count(problem), dims);
}

double family_tolerance(const struct family *family, const long *dims) {
  return family->optional.tolerance ? family->optional.tolerance(dims) : 0;
}

double family_operations(const struct family *family, const long *dims) {
  return family->optional.operations ? family->optional.operations(dims) : 0;
}

double family_textbook_loads(const struct family *family, const long *dims) {
  if (family->optional.textbook_loads) return family->optional.textbook_loads(dims);
  return bytes_of(family->problem, 0, family->problem->input_count, dims);
}

double family_work(const struct family *family, const long *dims) {
  return family->ceiling == CEILING_BYTES ? family_bytes(family, dims)
                                          : family_operations(family, dims);
}
