// Two groups of warps, each at a named barrier of its own, write again what all of a group have read.
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__device__ __forceinline__ void meet(int group) {
  asm volatile("bar.sync %0, 64;" ::"r"(1 + group) : "memory");
}

__global__ void twice(int *out) {
  __shared__ int tile[4];
  int t = threadIdx.x, group = t / 64;
  if (t % 32 == 0) tile[t / 32] = t;
  meet(group);
  int sum = tile[group * 2] + tile[group * 2 + 1]; // [B]
  meet(group); // racy: __syncwarp();
  if (t % 32 == 0) tile[t / 32] = 1; // [A]
  meet(group);
  out[t] = sum + tile[group * 2] + tile[group * 2 + 1];
}

int main() {
  int *out = make<int>("out", 128);
  twice<<<1, 128>>>(out);
  return differs(out, 128, [](int i) { return i / 64 * 128 + 32 + 2; });
}
