// The threads of one block exchange elements through global memory: a barrier orders these, too.
// rule: warps
// race: A B data
// fix: __syncthreads
#include "pair.h"

__global__ void rotate(int *data, int *out) {
  int t = threadIdx.x;
  data[t] = t; // [A]
  __syncthreads(); // racy: (nothing)
  out[t] = data[(t + 32) % 64]; // [B]
}

int main() {
  int *data = make<int>("data", 64), *out = make<int>("out", 64);
  rotate<<<1, 64>>>(data, out);
  return differs(out, 64, [](int i) { return (i + 32) % 64; });
}
