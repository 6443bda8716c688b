// The sums of all warps are handed to the first one, which must wait for them.
// rule: warps
// race: A B shared sums
// fix: __syncthreads
#include "pair.h"

__global__ void reduce(int *out) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t % 32, v = t;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) sums[t / 32] = v; // [A]
  __syncthreads(); // racy: (nothing)
  if (t >= 32) return;
  v = lane < 8 ? sums[lane] : 0; // [B]
  for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) *out = v;
}

int main() {
  int *out = make<int>("out", 1);
  reduce<<<1, 256>>>(out);
  return differs(out, 1, [](int) { return 255 * 128; });
}
