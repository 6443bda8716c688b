// The second barrier of a loop over tiles is missing: a fast warp fills the next tile while a slow one still reads the last.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void sums(int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
  for (int round = 0; round < 4; round++) {
    tile[t] = round * 64 + t; // [A]
    __syncthreads();
    sum += tile[63 - t]; // [B]
    __syncthreads(); // racy: (nothing)
  }
  out[t] = sum;
}

int main() {
  int *out = make<int>("out", 64);
  sums<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return 6 * 64 + 4 * (63 - i); });
}
