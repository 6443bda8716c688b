/* cpu.h: what this machine's CPU takes for a problem, in every way that its family has
 * (harness/problems/NAME/cpu.c), measured by a program of the kit's and kept in build/cache. */
#ifndef KIT_RUN_CPU_H
#define KIT_RUN_CPU_H

#include "grader/lab/lab.h"

struct cpu_time {
  char *id, *name;     /* "plain", "i-j-k loop, 1 thread" */
  double ns;           /* the median; NaN: left out */
  double deviation_ns; /* half from percentile 16 to 84; NaN: of a single run */
  int runs;
  char *left_out; /* why, in one sentence; or NULL */
};

struct cpu_times {
  struct cpu_time *codes;
  int count;
};

struct cpu {
  char *program; /* NULL: the family has no code for a CPU, or it does not build */
  char *machine; /* "AMD EPYC, 2 cores, gcc 12.2.0 -O3 -march=native, OpenBLAS 0.3.21" */
};

/* Has make build the problem's program. Returns NULL, or one sentence (the caller's) on why there
 * is none. */
char *cpu_open(const struct kit *kit, const struct problem *problem, struct cpu *cpu);
void cpu_close(struct cpu *cpu);

/* Times the problem, or takes what was measured before on this machine with the same program.
 * Returns NULL, or one sentence on what went wrong, the caller's. */
char *cpu_measure(const struct kit *kit, const struct cpu *cpu, const struct problem *problem,
                  const long *dims, struct cpu_times *times);
void cpu_times_free(struct cpu_times *times);

#endif
