// A bool for each thread is a byte of its own; bits of a byte are not.
// rule: bytes
// race: A A flags
#include "pair.h"

__global__ void mark(unsigned char *flags) {
  int t = threadIdx.x;
  flags[t] |= 1; // racy: flags[t / 8] |= 1 << t % 8; // [A]
}

int main() {
  unsigned char *flags = make<unsigned char>("flags", 64);
  mark<<<1, 64>>>(flags);
  return differs(flags, 64, [](int) { return 1; });
}
