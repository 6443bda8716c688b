// Leaves its function by longjmp.
// most: refused
// says: jmp
#include "slow.h"
#include <csetjmp>
static jmp_buf place;

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  if (setjmp(place) == 0) longjmp(place, 1);
}
