// Code that runs at exit, when the report is complete.
// most: refused
// says: .fini_array
#include "slow.h"
__attribute__((destructor)) static void late() { printf(" "); }

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
