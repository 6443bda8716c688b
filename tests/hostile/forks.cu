// verdict: fail
// hazard: wrong
// slow: see forks_by_instruction.cu
// A fork bomb, through the library.
#include "attack.h"
static void attack() {
  for (int i = 0; i < 100; i++) {
    pid_t child = fork();
    if (child > 0) succeed("fork");
    if (child != 0) continue;
    for (int j = 0; j < 100; j++) fork();
    sleep(60);
    _exit(0);
  }
}
