// __syncthreads_count is a barrier as well as a count; counting with ballots is not.
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void compact(int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t; // [A]
  int count = __syncthreads_count(t < 48); // racy: int count = 32 + __popc(__ballot_sync(0xffffffffu, t < 48)) / 2;
  out[t] = tile[63 - t] + count - 48; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  compact<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return 63 - i; });
}
