// One thread polls; the others of its block must wait at a barrier until it has seen the flag.
// rule: fences
// race: A B data
// fix: barrier or fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // [A]
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads(); // racy: (nothing)
    out[t] = data[63 - t]; // [B]
  }
}

int main() {
  int *data = make<int>("data", 64), *flag = make<int>("flag", 1), *out = make<int>("out", 64);
  message<<<2, 64>>>(data, flag, out);
  return differs(data, 64, [](int i) { return i; });
}
