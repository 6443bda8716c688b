// verdict: fail
// hazard: crash
// reason: output
// A gigabyte of output.
#include "attack.h"
static void attack() {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 1024; i++) {
    if (write(1, block, sizeof block) < 0) return;
  }
  succeed("a gigabyte");
}
