/* family.h: the grader's part of a problem family: how its inputs are made and its outputs checked,
 * and how much work it is. No runner is linked with it: a runner gets no results to expect.
 */
#ifndef KIT_FAMILY_H
#define KIT_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/problems/problem.h"

/* What a finding explains: nothing, the wrong elements, or (wrong indices) stray accesses, too. */
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
enum ceiling_kind { CEILING_BYTES, CEILING_OPERATIONS, CEILING_KINDS };

/* dims: the values of problem->dims. Inputs and outputs: a pointer for each array, on the host. */
struct family {
  const struct problem *problem;
  /* Fills the inputs; other seeds give other data. */
  void (*make_inputs)(const long *dims, uint64_t seed, void *const *inputs);
  /* True if the outputs are right for these inputs; else fills finding. seed: for the checks that
   * are drawn at random. */
  bool (*check)(const long *dims, const void *const *inputs, const void *const *outputs,
                uint64_t seed, struct finding *finding);
  /* Any of these may be NULL: the functions below say what is meant, and are what to call. */
  struct {
    double (*tolerance)(const long *dims);
    double (*operations)(const long *dims);
    double (*textbook_loads)(const long *dims);
  } optional;
  enum ceiling_kind ceiling;
  /* Functions of ceiling.cu that reach the ceiling each in its way, and their names for people. */
  struct {
    const char *entry, *name;
  } ceilings[3];
  long large[PROBLEM_MAX_DIMS]; /* dimensions whose arrays are far larger than any L2 cache */
};

/* NULL if there is none of that name. */
const struct family *family_find(const char *name);

/* How far an element of an output may be from that of another right solution; 0 without one. */
double family_tolerance(const struct family *family, const long *dims);
/* Floating-point operations that any kernel must do; 0, also without it: it only moves elements. */
double family_operations(const struct family *family, const long *dims);
/* Bytes that the textbook's kernel loads, which keeps nothing: the operands of each operation;
 * without it, each input once. It stores each result once. */
double family_textbook_loads(const struct family *family, const long *dims);
/* Bytes that any kernel must move: each input read and each output written once. */
double family_bytes(const struct family *family, const long *dims);
/* Of these, those of the outputs. */
double family_output_bytes(const struct family *family, const long *dims);
/* What any kernel must do in its ceiling's unit: those bytes, or operations. */
double family_work(const struct family *family, const long *dims);

/* A value for printf: whatever its sign bit, a NaN is `nan`. */
static inline double shown(float value) {
  return value == value ? (double)value : (double)__builtin_nanf("");
}

#endif
