// A clock that stands still.
// most: refused
// says: clock_gettime
#include "slow.h"
#include <time.h>
extern "C" int clock_gettime(clockid_t, struct timespec *t) noexcept {
  t->tv_sec = t->tv_nsec = 0;
  return 0;
}

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
