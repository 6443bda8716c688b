// Children that keep the processor busy.
// most: refused
// says: fork
#include "slow.h"
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  if (fork() == 0)
    for (;;) {
    }
}
