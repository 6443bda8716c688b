// A counter in shared memory is set to 0 by one thread; atomics of another warp must not come before that.
// rule: atomics
// race: A B shared count
// fix: __syncthreads
#include "pair.h"

__global__ void tally(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0; // [A]
  __syncthreads(); // racy: (nothing)
  atomicAdd(&count, 1); // [B]
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

int main() {
  int *out = make<int>("out", 1);
  tally<<<1, 64>>>(out);
  return differs(out, 1, [](int) { return 64; });
}
