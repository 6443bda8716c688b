// Threads set bits of their own, but of the same word.
// rule: bytes
// race: A A shared bits
// fix: atomic
#include "pair.h"

__global__ void mark(unsigned *out) {
  __shared__ unsigned bits[4];
  int t = threadIdx.x;
  if (t < 4) bits[t] = 0;
  __syncthreads();
  atomicOr(&bits[t / 32], 1u << t % 32); // racy: bits[t / 32] |= 1u << t % 32; // [A]
  __syncthreads();
  if (t < 4) out[t] = bits[t];
}

int main() {
  unsigned *out = make<unsigned>("out", 4);
  mark<<<1, 128>>>(out);
  return differs(out, 4, [](int) { return 0xffffffffu; });
}
