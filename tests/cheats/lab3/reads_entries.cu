// The functions that are timed beside it.
// most: refused
// says: kit_entries
#include "slow.h"
extern "C" void *const kit_entries[];

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  if (kit_entries[rows & 1] == nullptr) printf(" ");
}
