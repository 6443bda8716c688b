/* cpu_code.h: a family's work on a CPU, to set a GPU's time beside: harness/problems/NAME/cpu.c,
 * which is optional. It is linked with harness/cpu/cpu.c alone, which times it (build/cpu-NAME). */
#ifndef KIT_CPU_CODE_H
#define KIT_CPU_CODE_H

#include "harness/problems/problem.h"

/* A way to do it. arrays: inputs and outputs on the host, one for each of the problem's. */
struct cpu_code {
  const char *id;    /* "plain", for programs */
  const char *name;  /* "i-j-k loop, 1 thread", for people */
  double per_second; /* that any CPU of today does at the least: of cpu_work's unit */
  void (*run)(const long *dims, void *const *arrays);
  /* NULL: it is always there. Else NULL, or one sentence: why it is not. */
  const char *(*missing)(void);
};

/* From the plainest to the best; one without an id ends them. */
extern const struct cpu_code cpu_codes[];
extern const struct problem *const cpu_problem;
/* Operations, or bytes of a family that only moves them. */
double cpu_work(const long *dims);
/* The library that code above calls, with its version; NULL: none is called, or it is not there. */
const char *cpu_library(void);

#endif
