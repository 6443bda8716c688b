// The same between the lanes of one warp, in shared memory.
// rule: atomics
// race: A B shared best
// fix: atomic
#include "pair.h"

__global__ void maximum(int *out) {
  __shared__ int best;
  if (threadIdx.x == 0) best = 0;
  __syncwarp();
  int seen = atomicOr(&best, 0); // racy: int seen = best; // [A]
  if (seen < (int)threadIdx.x) atomicMax(&best, threadIdx.x); // [B]
  __syncwarp();
  out[threadIdx.x] = best;
}

int main() {
  int *out = make<int>("out", 32);
  maximum<<<1, 32>>>(out);
  return differs(out, 32, [](int) { return 31; });
}
