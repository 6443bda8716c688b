// A scan from one buffer into the other; if both are the same, elements are overwritten before they are read.
// rule: warps
// race: A A shared value
// fix: __syncthreads
#include "pair.h"

__global__ void scan(int *out) {
  __shared__ int value[2][128];
  int t = threadIdx.x, from = 0;
  value[0][t] = 1;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int to = 1 - from; // racy: int to = from;
    value[to][t] = value[from][t] + (t >= d ? value[from][t - d] : 0); // [A]
    from = to;
    __syncthreads();
  }
  out[t] = value[from][t];
}

int main() {
  int *out = make<int>("out", 128);
  scan<<<1, 128>>>(out);
  return differs(out, 128, [](int i) { return i + 1; });
}
