// verdict: fail
// hazard: timeout
// slow: see hangs_in_constructor.cu
// Does nothing in the call and never ends after it.
#include "attack.h"
static void late() {
  for (;;) pause();
}
static void attack() { atexit(late); exit(0); }
