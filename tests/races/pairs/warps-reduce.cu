// A tree over a block without a barrier between its levels.
// rule: warps
// race: A A shared part
// fix: __syncthreads
#include "pair.h"

__global__ void sum(int *out) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d]; // [A]
    __syncthreads(); // racy: __syncwarp();
  }
  if (t == 0) *out = part[0];
}

int main() {
  int *out = make<int>("out", 1);
  sum<<<1, 256>>>(out);
  return differs(out, 1, [](int) { return 255 * 128; });
}
