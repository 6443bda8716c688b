// An indirect function, which runs code while the program is being loaded.
// most: refused
// says: usleep
#include "slow.h"
extern "C" int nothing() { return 0; }
extern "C" void *pick() { return (void *)nothing; }
#ifndef __CUDA_ARCH__
__asm__(".globl usleep\n.type usleep, @gnu_indirect_function\n.set usleep, pick");
#endif

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
