/* problem.h: a problem family as both sides know it, the runner and the grader: its dimensions, its
 * arrays, and how to call a function of the student's.
 *
 * A family is one folder, harness/problems/NAME/:
 *   NAME.h       KIT_ENTRY(name), the declaration of a function that the student writes
 *   NAME.c       problem_NAME, below: linked to runners and to the grader
 *   other .c     family_NAME (family.h): linked to the grader only. No runner has a checker.
 *   ceiling.cu   what bounds its time on a GPU (optional): functions with KIT_ENTRY's parameters
 *
 * Which functions the student's file has, and for which problems, is the lab's choice (entries in
 * lab.conf): harness/compile declares them before the student's file, and writes their table.
 */
#ifndef KIT_PROBLEM_H
#define KIT_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBLEM_MAX_DIMS = 4, PROBLEM_MAX_ARRAYS = 4, PROBLEM_MAX_DIM = 1 << 28 };

/* In the place of a dimension: a length of 1. A vector has that many columns. */
enum { LENGTH_1 = -1 };

struct problem_array {
  const char *name; /* "A", in messages */
  size_t element_size;
  int rows, columns; /* its shape, row-major: indices into dims, or LENGTH_1 */
  /* Of a vector whose length is none of the dimensions: how many elements; rows is LENGTH_1. */
  size_t (*length)(const long *dims);
};

struct problem {
  const char *name; /* as in lab.conf */
  int dim_count;
  const char *dims[PROBLEM_MAX_DIMS]; /* "M", "N", "K": whole numbers from 1 */
  bool from_0[PROBLEM_MAX_DIMS];      /* those that may be 0, too: no lengths; not the first */
  /* Those that have words for values, NULL ends them: the value is a word's index. */
  const char *const *words[PROBLEM_MAX_DIMS];
  int input_count, output_count;
  struct problem_array arrays[PROBLEM_MAX_ARRAYS]; /* the inputs, then the outputs */
  /* The function gets its arrays in the memory of the host, and does all that there is to do. */
  bool on_host;
  /* Which output, from 1, has the time of the kernels in milliseconds, one float; 0: none has. */
  int elapsed;
  /* Calls a function of the student's (KIT_ENTRY) on pointers, one for each array. Returns the
   * cudaError_t that it returned; 0 if it returns nothing. */
  int (*call)(void *function, void *const *pointers, const long *dims);
};

static inline int problem_array_count(const struct problem *problem) {
  return problem->input_count + problem->output_count;
}

static inline size_t problem_rows(const struct problem *problem, int array, const long *dims) {
  int rows = problem->arrays[array].rows;
  return rows == LENGTH_1 ? 1 : (size_t)dims[rows];
}

static inline size_t problem_columns(const struct problem *problem, int array, const long *dims) {
  int columns = problem->arrays[array].columns;
  if (problem->arrays[array].length) return problem->arrays[array].length(dims);
  return columns == LENGTH_1 ? 1 : (size_t)dims[columns];
}

static inline size_t problem_elements(const struct problem *problem, int array, const long *dims) {
  return problem_rows(problem, array, dims) * problem_columns(problem, array, dims);
}

static inline size_t problem_bytes(const struct problem *problem, int array, const long *dims) {
  return problem_elements(problem, array, dims) * problem->arrays[array].element_size;
}

/* The next number of a splitmix64 sequence
 * (Steele, Lea, Flood 2014: "Fast splittable pseudorandom number generators"). */
static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A function in a runner, and what it is to be called with. */
struct kit_entry {
  const char *name;
  void *function;
  const struct problem *problem;
};
/* In a runner: the student's functions in the order of lab.conf, then those of solutions that they
 * are timed beside. The last has no name. */
extern const struct kit_entry kit_entries[];

#endif
