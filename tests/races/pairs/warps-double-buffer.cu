// With two buffers in turn one barrier a round is enough; with one it is not.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void sums(int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round < 4; round++) {
    int buffer = round % 2; // racy: int buffer = 0;
    tile[buffer][t] = round * 64 + t; // [A]
    __syncthreads();
    sum += tile[buffer][63 - t]; // [B]
  }
  out[t] = sum;
}

int main() {
  int *out = make<int>("out", 64);
  sums<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return 6 * 64 + 4 * (63 - i); });
}
