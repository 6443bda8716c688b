// Thread 0 takes the lock for its whole block, which works between two barriers; the last one is needed before it is released.
// rule: locks
// race: A A data
// fix: barrier or fence
#include "pair.h"

__global__ void add(int *lock, int *data) {
  int t = threadIdx.x;
  if (t == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[t] += 1; // [A]
  __syncthreads(); // racy: (nothing)
  if (t == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int *lock = make<int>("lock", 1), *data = make<int>("data", 64);
  add<<<4, 64>>>(lock, data);
  return differs(data, 64, [](int) { return 4; });
}
