// A library in place of a kernel.
// most: refused
// says: dlopen
#include "slow.h"
#include <dlfcn.h>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  void *library = dlopen("libcublas.so", RTLD_NOW);
  if (library) return;
}
