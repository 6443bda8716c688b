// A lock for each element: those of different elements have nothing to do with each other.
// rule: locks
// race: A A bins
#include "pair.h"

__global__ void add(int *locks, int *bins) {
  int bin = blockIdx.x % 2; // racy: int bin = 0;
  int *lock = &locks[blockIdx.x % 2];
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  bins[bin] += 1; // [A]
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *locks = make<int>("locks", 2), *bins = make<int>("bins", 2);
  add<<<4, 1>>>(locks, bins);
  return differs(bins, 2, [](int) { return 2; });
}
