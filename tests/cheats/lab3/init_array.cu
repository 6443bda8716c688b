// The same by hand.
// most: refused
// says: constructor
#include "slow.h"
static void early() { printf(" "); }
__attribute__((section(".init_array"), used)) static void (*entry)() = early;

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
