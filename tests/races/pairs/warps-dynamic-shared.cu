// Two arrays share the dynamic shared memory; the second begins too early and overlaps the first.
// rule: warps
// race: A B shared both
#include "pair.h"

__global__ void fill(int *out) {
  extern __shared__ int both[];
  int t = threadIdx.x;
  int *first = both, *second = both + 64; // racy: int *first = both, *second = both + 32;
  if (t < 64) first[t] = t + 1; // [A]
  if (t >= 64) second[t - 64] = t + 1; // [B]
  __syncthreads();
  out[t] = t < 64 ? first[t] : second[t - 64];
}

int main() {
  int *out = make<int>("out", 128);
  fill<<<1, 128, 512>>>(out);
  return differs(out, 128, [](int i) { return i + 1; });
}
