// verdict: fail
// hazard: build
// reason: shadow
// The machine's users, as bytes of the program.
#include "attack.h"
#ifndef __CUDA_ARCH__
asm(".pushsection .rodata\nstolen: .incbin \"/etc/shadow\"\n.popsection");
#endif
static void attack() { succeed("/etc/shadow"); }
