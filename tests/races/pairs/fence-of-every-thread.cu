// Each thread fences its own stores, then a barrier, then one of them sets the flag; a barrier without a fence is not enough.
// rule: fences
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // [A]
    __threadfence(); // racy: (nothing)
    __syncthreads();
    if (t == 0) atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t]; // [B]
  }
}

int main() {
  int *data = make<int>("data", 64), *flag = make<int>("flag", 1), *out = make<int>("out", 64);
  message<<<2, 64>>>(data, flag, out);
  return differs(out, 64, [](int i) { return 63 - i; });
}
