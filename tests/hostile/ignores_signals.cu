// verdict: fail
// hazard: timeout
// slow: see stops_itself.cu
// Ignores every signal, and waits.
#include "attack.h"
static void attack() {
  for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (;;) pause();
}
