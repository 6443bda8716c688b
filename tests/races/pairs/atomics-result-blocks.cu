// A sum over all blocks is read in the kernel that makes it; only the next kernel sees all of it.
// rule: atomics
// race: A B sum
// fix: second kernel
#include "pair.h"

__global__ void add(int *sum, int *out, bool read) {
  atomicAdd(sum, 1); // [A]
  if (read && blockIdx.x == 1) *out = *sum; // [B]
}

int main() {
  int *sum = make<int>("sum", 1), *out = make<int>("out", 1);
  bool read = false; // racy: bool read = true;
  add<<<2, 1>>>(sum, out, read);
  return differs(sum, 1, [](int) { return 2; });
}
