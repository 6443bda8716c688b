// Calls the system without a library.
// most: refused
// says: syscall
#include "slow.h"

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
#if !defined(__CUDA_ARCH__) && defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
#endif
}
