// verdict: fail
// hazard: timeout
// Never gets as far as main.
#include "attack.h"
__attribute__((constructor)) static void early() {
  for (;;) pause();
}
static void attack() {}
