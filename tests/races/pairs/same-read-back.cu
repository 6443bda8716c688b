// All store the same value and read it back without a barrier: whoever reads has stored it, too.
// rule: same value
// warning: A A shared flag | A B shared flag
#include "pair.h"

__global__ void mark(int *out) {
  __shared__ volatile int flag[64];
  int i = threadIdx.x; // racy: int i = 0;
  flag[i] = 1; // [A]
  out[threadIdx.x] = flag[i]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  mark<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 1; });
}
