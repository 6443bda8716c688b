// Lanes of a warp write neighbouring bytes and read their own back: nothing to order. The neighbour's is another matter.
// rule: bytes
// race: A B shared letters
// fix: __syncwarp
#include "pair.h"

__global__ void write(int *out) {
  __shared__ char letters[32];
  int lane = threadIdx.x;
  letters[lane] = lane + 1; // [A]
  int read = lane; // racy: int read = lane ^ 1;
  out[lane] = *(volatile char *)&letters[read] > 0; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  write<<<1, 32>>>(out);
  return differs(out, 32, [](int) { return 1; });
}
