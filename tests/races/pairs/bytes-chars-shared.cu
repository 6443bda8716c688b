// Bytes of one word of shared memory belong to threads of different warps.
// rule: bytes
// race: A B shared letters
// fix: __syncthreads
#include "pair.h"

__global__ void interleave(int *out) {
  __shared__ unsigned char letters[128];
  int t = threadIdx.x, mine = t % 32 * 4 + t / 32;
  letters[mine] = t; // [A]
  int read = mine; // racy: int read = mine ^ 1;
  out[t] = *(volatile unsigned char *)&letters[read] & 0; // [B]
}

int main() {
  int *out = make<int>("out", 128);
  interleave<<<1, 128>>>(out);
  return differs(out, 128, [](int) { return 0; });
}
