// One lane of each warp takes a lock in shared memory; within a block __threadfence_block is enough.
// rule: locks
// race: A A shared total
// fix: fence
#include "pair.h"

__global__ void add(int *out) {
  __shared__ int lock, total;
  if (threadIdx.x == 0) lock = total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    total += 1; // [A]
    __threadfence_block(); // racy: (nothing)
    atomicExch_block(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

int main() {
  int *out = make<int>("out", 1);
  add<<<1, 256>>>(out);
  return differs(out, 1, [](int) { return 8; });
}
