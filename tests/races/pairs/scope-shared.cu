// In shared memory block scope is enough, for nobody else gets there.
// rule: scopes
// race: A B shared count
// fix: atomic
#include "pair.h"

__global__ void tally(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd_block(&count, 1); // [A]
  else
    atomicAdd(&count, 1); // racy: count += 1; // [B]
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

int main() {
  int *out = make<int>("out", 1);
  tally<<<1, 64>>>(out);
  return differs(out, 1, [](int) { return 64; });
}
