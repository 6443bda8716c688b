/* sizes.h: one function of a file over sizes of its problem, beside what it is compared with. */
#ifndef KIT_SIZES_H
#define KIT_SIZES_H

#include <math.h>

#include "grader/base/source.h"
#include "grader/lab/lab.h"
#include "grader/run/stopwatch.h"

enum {
  MAX_SIZE_COUNT = 32,
  MAX_SIZE = PROBLEM_MAX_DIM,
  DEFAULT_TIMES = 20,
  MAX_TIMES = MAX_ROUNDS
};

enum point_state {
  POINT_LEFT_OUT, /* not measured: reason */
  POINT_RIGHT,
  POINT_WRONG, /* a wrong result, an error, a crash: reason */
};
extern const char *const point_state_names[];

struct size_point {
  enum point_state state;
  double ns;           /* of POINT_RIGHT */
  double deviation_ns; /* standard deviation; NaN: modelled, or of a single run */
  int runs;            /* modelled: 1 */
  char *reason;
};

/* Whose times: in the order in which lines are shown. */
enum line_role { LINE_OWN, LINE_BASELINE, LINE_MODEL, LINE_CPU };

struct size_line {
  enum line_role role;
  char *id;   /* for programs: "own", "lab1", "lab2", "plain" */
  char *name; /* for people: "lab2.cu", "lab1's solution", "CPU: i-j-k loop, 1 thread" */
  bool measured;
  struct size_point *points; /* one for each size */
};

struct sizes {
  /* What was asked for. */
  const struct lab *lab;
  const struct source *source;
  bool solution;  /* the source is the model solution */
  bool on_gpu;    /* times are measured there; else modelled */
  int times;      /* on a GPU: how often */
  int case_index; /* whose function is run (sizes_case) */
  uint64_t seed;
  long *values; /* ascending */
  int count;
  /* What was found. */
  char *device, *cpu; /* cpu: NULL: nothing was timed on it */
  struct size_line *lines;
  int line_count;
  int over;     /* index of the line that speedups are over: the best of the CPU; -1: none */
  char **notes; /* sentences: what was left out, and why */
  int note_count;
  bool refused; /* the submission is at fault: error says how */
  char *error;  /* NULL: all went well */
};

/* "100,500" into sizes->values, in order, each once. Returns NULL, or one sentence (the caller's):
 * "'abc' is not a size from 1 to 268435456". */
char *sizes_parse(const char *text, struct sizes *sizes);
/* The case whose function is run: [sizes]' own, else the first that is shown, else the first. */
int sizes_case(const struct conf *conf);
/* The dimensions at a size: those that [sizes] names (none of the problem's: all that are lengths)
 * are that large, the others are the case's. */
void sizes_dims(const struct conf *conf, int case_index, long size, long *dims);
/* "M = N = n, K = 32": the same for people; the caller's. */
char *sizes_dims_words(const struct conf *conf, int case_index);
/* Can it be measured at all, and is there memory for all sizes, of what the lab allows and of this
 * machine's? available: bytes, 0: not known. Returns NULL, or one sentence, the caller's. */
char *sizes_check(const struct sizes *sizes, double available);
/* Bytes that programs on this machine may still take; 0: not known. */
double sizes_available(void);

/* A line, with a point for each size, all left out. */
struct size_line *sizes_add_line(struct sizes *sizes, enum line_role role, char *id, char *name);
void sizes_add_note(struct sizes *sizes, char *note);
/* How many times as fast as the line `over` it is at sizes->values[i]; NaN: one of them has no time
 * there. *spread: its standard deviation, 0 where none is known; may be NULL. */
double sizes_speedup(const struct sizes *sizes, int line, int over, int i, double *spread);
/* Of all lines of the CPU the fastest at the largest size that any of them has a time at; -1. */
int sizes_best_cpu(const struct sizes *sizes);
void sizes_free(struct sizes *sizes);

#endif
