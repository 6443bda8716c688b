// verdict: fail
// hazard: timeout
// Stops itself: a process that is stopped does not end by itself.
#include "attack.h"
static void attack() {
  for (;;) raise(SIGSTOP);
}
