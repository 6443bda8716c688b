// A reader that has not stored the value itself may come before it is there: that is a race.
// rule: same value
// race: A B shared flag
// fix: __syncthreads
#include "pair.h"

__global__ void mark(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0; // [C]
  __syncthreads();
  if (threadIdx.x == 0) flag = 1; // [A]
  __syncthreads(); // racy: (nothing)
  out[threadIdx.x] = flag; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  mark<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 1; });
}
