// A PTX of its own where the compiler puts that of the file.
// most: refused
// says: .nv_fatbin
#include "slow.h"
#ifndef __CUDA_ARCH__
__attribute__((section(".nv_fatbin"), used)) static const char ptx[] = ".version 7.5";
#endif

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
