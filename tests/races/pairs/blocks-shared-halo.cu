// Tiles with a halo are read by several blocks, which is fine; written back with their halo they overlap.
// rule: blocks
// race: A A out
// fix: own element
#include "pair.h"

__global__ void copy(const int *in, int *out) {
  __shared__ int tile[34];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  tile[t] = in[i] + blockIdx.x;
  __syncthreads();
  bool inner = t < 32; // racy: bool inner = t < 34;
  if (inner) out[i] = tile[t]; // [A]
}

int main() {
  int *in = make<int>("in", 130), *out = make<int>("out", 130);
  copy<<<4, 34>>>(in, out);
  return differs(out, 128, [](int i) { return i / 32; });
}
