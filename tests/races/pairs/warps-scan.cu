// A scan in place: all must have read their neighbour before anybody adds.
// rule: warps
// race: A B shared value
// fix: __syncthreads
#include "pair.h"

__global__ void scan(int *out) {
  __shared__ int value[128];
  int t = threadIdx.x;
  value[t] = 1;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int left = t >= d ? value[t - d] : 0; // [A]
    __syncthreads(); // racy: (nothing)
    value[t] += left; // [B]
    __syncthreads();
  }
  out[t] = value[t];
}

int main() {
  int *out = make<int>("out", 128);
  scan<<<1, 128>>>(out);
  return differs(out, 128, [](int i) { return i + 1; });
}
