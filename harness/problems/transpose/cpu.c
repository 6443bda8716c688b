/* cpu.c: out = in transposed on a CPU: as it is first written, and in blocks that fit a cache. */
#include "harness/problems/cpu_code.h"

extern const struct problem problem_transpose;
const struct problem *const cpu_problem = &problem_transpose;

enum { DIM_ROWS, DIM_COLS }; /* as in problem_transpose */

double cpu_work(const long *dims) {
  return 2.0 * sizeof(float) * (double)dims[DIM_ROWS] * (double)dims[DIM_COLS];
}

/* Down the columns of out, a cache line for every element. */
static void plain(const long *dims, void *const *arrays) {
  const float *in = arrays[0];
  float *out = arrays[1];
  long rows = dims[DIM_ROWS], cols = dims[DIM_COLS];
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++) out[j * rows + i] = in[i * cols + j];
}

/* The lines of in and of out that a block touches stay in the L1 cache until all of them is used.
 */
static void blocks(const long *dims, void *const *arrays) {
  enum { SIDE = 32 };
  const float *in = arrays[0];
  float *out = arrays[1];
  long rows = dims[DIM_ROWS], cols = dims[DIM_COLS];
#pragma omp parallel for collapse(2) schedule(static)
  for (long top = 0; top < rows; top += SIDE) {
    for (long left = 0; left < cols; left += SIDE) {
      long bottom = top + SIDE < rows ? top + SIDE : rows,
           right = left + SIDE < cols ? left + SIDE : cols;
      for (long j = left; j < right; j++)
        for (long i = top; i < bottom; i++) out[j * rows + i] = in[i * cols + j];
    }
  }
}

const char *cpu_library(void) { return NULL; }

const struct cpu_code cpu_codes[] = {{"plain", "plain loop, 1 thread", 0.1e9, plain},
                                     {"blocks", "32x32 blocks, all cores", 0.5e9, blocks},
                                     {0}};
