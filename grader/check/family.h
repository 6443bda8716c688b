/* problem.h: a family of exercises with the same entry point: how its inputs are made and its
 * outputs are checked.
 *
 * Lives in the grader only: the runner is told the shapes and gets the inputs, never what is right.
 */
#ifndef KIT_PROBLEM_H
#define KIT_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBLEM_MAX_DIMS = 4, PROBLEM_MAX_ARRAYS = 4 };

/* What a finding explains: nothing, the wrong elements, or (wrong indices) stray accesses
 * as well. */
enum explains { EXPLAINS_NOTHING, EXPLAINS_RESULTS, EXPLAINS_STRAYS };

/* What a check found: where the first wrong element is and what the wrong ones have in common. */
struct finding {
  const char *array; /* "C" */
  char text[640];    /* "C[17][3]: expected 2.31415, got 0 (1056 of 1089 elements wrong; every wrong
                        element is 0)" */
  enum explains explains;
  bool unwritten; /* the wrong elements are as they were before the call */
};

/* What bounds the time of any solution: how fast the device moves bytes, or computes. */
enum ceiling_kind { CEILING_COPY, CEILING_PRODUCT, CEILING_KINDS };

struct problem {
  const char *name; /* as in lab.conf */
  int dim_count, input_count, output_count;
  const char *dims[PROBLEM_MAX_DIMS];
  /* The arrays' names and shapes, rows x columns (indices into dims) of floats, in the order of the
   * function's parameters: inputs first. */
  struct problem_array {
    const char *name;
    int rows, columns;
  } arrays[PROBLEM_MAX_ARRAYS];
  /* Bytes of input or output i. */
  size_t (*input_bytes)(const long *dims, int i);
  size_t (*output_bytes)(const long *dims, int i);
  /* Fills the inputs; other seeds give other data. */
  void (*make_inputs)(const long *dims, uint64_t seed, void *const *inputs);
  /* True if the outputs are right for these inputs; else fills finding. seed: for the checks that
   * are drawn at random. */
  bool (*check)(const long *dims, const void *const *inputs, const void *const *outputs,
                uint64_t seed, struct finding *finding);
  /* What any kernel must do at least: bytes, each input read and each output written once, and
   * floating-point operations. */
  double (*least_bytes)(const long *dims);
  double (*least_operations)(const long *dims);
  /* Bytes that the textbook's kernel asks for, which keeps nothing: the operands of each operation,
   * each result once. */
  void (*textbook_bytes)(const long *dims, double *loads, double *stores);
  /* How far an element of an output may be from that of another right solution. */
  double (*tolerance)(const long *dims);
  /* Its ceiling, and what a solution does at least, in that ceiling's unit: bytes moved, each array
   * once, or fp32 operations. */
  enum ceiling_kind ceiling;
  double (*work)(const long *dims);
  long large[PROBLEM_MAX_DIMS]; /* dimensions whose arrays are far larger than any L2 cache */
};

extern const struct problem problem_matmul, problem_transpose;

/* NULL if there is none of that name. */
const struct problem *problem_find(const char *name);

/* A value for printf: whatever its sign bit, a NaN is `nan`. */
static inline double shown(float value) {
  return value == value ? (double)value : (double)__builtin_nanf("");
}

/* Next number of a splitmix64 sequence (Steele, Lea, Flood 2014: "Fast splittable pseudorandom
 * number generators"). */
static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

#endif
