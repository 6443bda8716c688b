// verdict: fail
// hazard: wrong|crash
// Processes without the library: clone, vfork's number, clone3, and the calls of 32-bit programs (a crash where the kernel has
// none).
#include "attack.h"
static long call(long number, long a, long b) {
  long result = number;
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  asm volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(0L) : "rcx", "r11", "memory");
#endif
  return result;
}
static void attack() {
  for (int i = 0; i < 20; i++) {
    long child = call(56, SIGCHLD, 0); // clone
    if (child == 0) {
      for (;;) pause();
    }
    if (child > 0) succeed("clone");
    child = call(57, 0, 0); // fork
    if (child == 0) {
      for (;;) pause();
    }
    if (child > 0) succeed("fork");
  }
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  int old = 2; // fork for 32 bits
  asm volatile("int $0x80" : "+a"(old) : : "memory");
  if (old == 0) {
    for (;;) pause();
  }
  if (old > 0) succeed("int 0x80");
#endif
}
