// The first block to come fills a table, the others wait until it is filled.
// rule: locks
// race: A B table
// fix: fence
#include "pair.h"

__global__ void fill(int *state, int *table, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    *table = 42; // [A]
    __threadfence(); // racy: (nothing)
    atomicExch(state, 2);
  } else {
    while (atomicAdd(state, 0) != 2) {
    }
    __threadfence();
    out[blockIdx.x] = *table; // [B]
  }
}

int main() {
  int *state = make<int>("state", 1), *table = make<int>("table", 1), *out = make<int>("out", 4);
  fill<<<4, 1>>>(state, table, out);
  return differs(table, 1, [](int) { return 42; });
}
