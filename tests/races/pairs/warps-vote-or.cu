// __syncthreads_or is a barrier as well as a vote; the vote of a warp is not.
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void rotate(int *out, int limit) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t; // [A]
  bool any = __syncthreads_or(t > limit); // racy: bool any = __any_sync(0xffffffffu, t >= 0);
  if (any) out[t] = tile[63 - t]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  rotate<<<1, 64>>>(out, 40);
  return differs(out, 64, [](int i) { return 63 - i; });
}
