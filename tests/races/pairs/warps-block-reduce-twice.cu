// A function of the block uses a shared array and is called twice: the second call must not begin before all have left the first.
// rule: warps
// race: A B shared sums
// fix: __syncthreads
#include "pair.h"

__device__ int reduce(int v) {
  __shared__ int sums[4];
  int t = threadIdx.x, total = 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) sums[t / 32] = v; // [A]
  __syncthreads();
  for (int i = 0; i < 4; i++) total += sums[i]; // [B]
  __syncthreads(); // racy: (nothing)
  return total;
}

__global__ void twice(int *out) {
  int first = reduce(threadIdx.x);
  out[threadIdx.x] = reduce(2 * threadIdx.x) - first;
}

int main() {
  int *out = make<int>("out", 128);
  twice<<<1, 128>>>(out);
  return differs(out, 128, [](int) { return 127 * 64; });
}
