// A stencil that overwrites its input: all must have read before anybody writes.
// rule: warps
// race: A B shared value
// fix: __syncthreads
#include "pair.h"

__global__ void smooth(int *out) {
  __shared__ int value[130];
  int t = threadIdx.x;
  value[t + 1] = t + 1;
  if (t == 0) value[0] = 0, value[129] = 129;
  __syncthreads();
  int sum = value[t] + value[t + 2]; // [A]
  __syncthreads(); // racy: (nothing)
  value[t + 1] = sum; // [B]
  __syncthreads();
  out[t] = value[t + 1];
}

int main() {
  int *out = make<int>("out", 128);
  smooth<<<1, 128>>>(out);
  return differs(out, 128, [](int i) { return 2 * (i + 1); });
}
