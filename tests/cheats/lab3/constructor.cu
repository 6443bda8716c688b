// Code that runs before main.
// most: refused
// says: constructor
#include "slow.h"
static int seen;
__attribute__((constructor(101))) static void early() { seen = printf(" "); }

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  if (seen == 2) return;
}
