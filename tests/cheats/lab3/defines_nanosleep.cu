// A library function that the harness does not use, but the driver may.
// most: refused
// says: nanosleep
#include "slow.h"
#ifndef __CUDA_ARCH__
__asm__(".text\n.globl nanosleep\n.type nanosleep, @function\nnanosleep: xor %eax, %eax\nret");
#endif

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
