// An alias under the name of a library function.
// most: refused
// says: pthread_create
#include "slow.h"
extern "C" int zero() { return 0; }
#ifdef __NVCC__
extern "C" int pthread_create() __attribute__((alias("zero")));
#else
__asm__(".globl pthread_create\n.set pthread_create, zero");
#endif

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
