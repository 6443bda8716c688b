// Code from before Volta: a volatile pointer keeps values out of registers, but does not keep lanes in step.
// rule: lanes
// race: A B shared part
// fix: __syncwarp
#include "pair.h"

__global__ void sum(int *out) {
  __shared__ int part[64];
  volatile int *mine = part + threadIdx.x;
  mine[0] = threadIdx.x, mine[32] = 1;
  __syncwarp();
  for (int d = 32; d > 0; d /= 2) {
    int other = threadIdx.x < d ? mine[d] : 0; // [A]
    __syncwarp();
    mine[0] = mine[0] + other; // [B]
    __syncwarp(); // racy: (nothing)
  }
  if (threadIdx.x == 0) *out = part[0];
}

int main() {
  int *out = make<int>("out", 1);
  sum<<<1, 32>>>(out);
  return differs(out, 1, [](int) { return 31 * 16 + 32; });
}
