// Thread 0 announces a value a round; the others must have read it before the next one is stored.
// rule: warps
// race: A B shared next
// fix: __syncthreads
#include "pair.h"

__global__ void rounds(int *out) {
  __shared__ int next;
  int sum = 0;
  for (int round = 0; round < 4; round++) {
    if (threadIdx.x == 0) next = round + 1; // [A]
    __syncthreads();
    sum += next; // [B]
    __syncthreads(); // racy: (nothing)
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *out = make<int>("out", 64);
  rounds<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 10; });
}
