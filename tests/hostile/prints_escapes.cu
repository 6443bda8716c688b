// verdict: fail
// hazard: crash
// slow: see error_escapes.cu
// Output that would steer a terminal, and then a crash that makes the grader look at it.
#include "attack.h"
static void attack() {
  printf("\033[2J\033]0;owned\007\033[31m\r\b\x9b" "5i kit: \033[1A\n");
  fprintf(stderr, "kit:\033[2J\n");
  fflush(NULL);
  abort();
}
