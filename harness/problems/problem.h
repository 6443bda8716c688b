/* problem.h: one problem family, as the runner needs it: which arrays and dimensions, and how to
 * call the student.
 *
 * A runner is linked with exactly one problems/NAME.c, which defines `problem`. problems/NAME.h
 * beside it defines KIT_ENTRY(name), the declaration of a function of the family. Which functions
 * the student's file has is the lab's choice (entries in lab.conf): harness/compile declares them
 * before the student's file, and lists them in kit_entries.
 */
#ifndef KIT_PROBLEM_H
#define KIT_PROBLEM_H

#include <stddef.h>

#include "harness/base/backend.h"

enum { PROBLEM_MAX_DIMS = 8, PROBLEM_MAX_ARRAYS = 8 };

struct problem_array {
  const char *name; /* "A", in messages */
  enum backend_role role;
  size_t element_size;
  /* Dimensions that give its shape: rows x columns, row-major. Indices into problem.dims. */
  int rows, columns;
};

struct problem {
  const char *name;
  int dim_count;
  const char *dims[PROBLEM_MAX_DIMS]; /* "M", "N", "K" */
  int array_count;
  struct problem_array
      arrays[PROBLEM_MAX_ARRAYS]; /* inputs and outputs, in the order of the exchange */
  /* Calls a function of the student's, declared by KIT_ENTRY, on device pointers, one for each
   * array. */
  void (*call)(void *function, void *const *pointers, const int *dims);
  /* By hand only: the largest error of the outputs over the largest that rounding explains (so at
   * most 1 is right), from host copies of all arrays; *at is the element's index in the first
   * output. Work is about problem_work() steps. */
  double (*check)(void *const *arrays, const int *dims, size_t *at);
  double (*work)(const int *dims);
};

extern const struct problem problem;

/* The student's functions in the order of lab.conf, and their names; both end with NULL. */
extern void *const kit_entries[];
extern const char *const kit_entry_names[];

#endif
