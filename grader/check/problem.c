/* problem.c: the table of problem families. A new family is a file in this folder and a
 * line here. */
#include "grader/check/family.h"

#include <string.h>

static const struct problem *const problems[] = {&problem_matmul, &problem_transpose};

const struct problem *problem_find(const char *name) {
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    if (strcmp(problems[i]->name, name) == 0) return problems[i];
  }
  return NULL;
}
