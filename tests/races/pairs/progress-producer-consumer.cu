// A warp produces, another consumes, with flags in shared memory; both run at the same time.
// rule: progress
// race: A B shared buffer
// fix: fence
#include "pair.h"

__global__ void pipe(int *out) {
  __shared__ int buffer[32];
  __shared__ volatile int full;
  int lane = threadIdx.x % 32, sum = 0;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    if (threadIdx.x < 32) {
      while (full != 0) {
      }
      __threadfence_block();
      __syncwarp();
      buffer[lane] = round * 32 + lane; // [A]
      __threadfence_block(); // racy: (nothing)
      __syncwarp();
      if (lane == 0) full = 1;
      __syncwarp();
    } else {
      while (full != 1) {
      }
      __threadfence_block();
      __syncwarp();
      sum += buffer[31 - lane]; // [B]
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full = 0;
      __syncwarp();
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

int main() {
  int *out = make<int>("out", 32);
  pipe<<<1, 64>>>(out);
  return differs(out, 32, [](int i) { return 6 * 32 + 4 * (31 - i); });
}
