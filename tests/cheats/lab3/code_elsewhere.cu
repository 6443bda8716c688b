// Code in a section that can be written to.
// most: refused
// says: .patch
#include "slow.h"
#ifndef __CUDA_ARCH__
__asm__(".section .patch, \"awx\"\nnop\n.text");
#endif

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
