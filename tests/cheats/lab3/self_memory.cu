// Writes through /proc/self/mem, past the protection of pages.
// most: refused
// says: fopen
#include "slow.h"
#include <cstdio>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  FILE *memory = fopen("/proc/self/mem", "r+");
  if (memory) fclose(memory);
}
