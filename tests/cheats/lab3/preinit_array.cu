// Code that would run before the harness reads its job.
// most: refused
// says: .preinit_array
#include "slow.h"
static void early() { printf(" "); }
__attribute__((section(".preinit_array"), used)) static void (*entry)() = early;

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
