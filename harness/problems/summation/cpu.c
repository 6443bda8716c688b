/* cpu.c: the sum of a vector on a CPU: as it is first written, and with all that the CPU has. */
#include "harness/problems/cpu_code.h"

extern const struct problem problem_summation;
const struct problem *const cpu_problem = &problem_summation;

enum { N }; /* as in problem_summation */

double cpu_work(const long *dims) { return sizeof(float) * (double)dims[N]; }

/* One addition waits for the other: the compiler may not change the order of floats. */
static void plain(const long *dims, void *const *arrays) {
  const float *in = arrays[0];
  float sum = 0.0f;
  for (long i = 0; i < dims[N]; i++) sum += in[i];
  *(float *)arrays[1] = sum;
}

/* Many sums at a time, of each core and in the lanes of its vectors: another order. */
static void vectors(const long *dims, void *const *arrays) {
  const float *in = arrays[0];
  float sum = 0.0f;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (long i = 0; i < dims[N]; i++) sum += in[i];
  *(float *)arrays[1] = sum;
}

const char *cpu_library(void) { return NULL; }

const struct cpu_code cpu_codes[] = {{"plain", "plain loop, 1 thread", 0.1e9, plain},
                                     {"vectors", "vectors, all cores", 0.5e9, vectors},
                                     {0}};
