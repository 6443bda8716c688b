// verdict: fail
// hazard: wrong
// slow: see takes_memory.cu
// 64 GiB of shared anonymous memory, touched.
#include "attack.h"
static void attack() {
  for (int i = 0; i < 64; i++) {
    char *memory = (char *)mmap(NULL, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    for (long at = 0; at < 1 << 30; at += 4096) memory[at] = 1;
  }
  succeed("64 GiB");
}
