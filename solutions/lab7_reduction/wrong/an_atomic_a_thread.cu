// Every thread adds its element to the result: right, and a queue at one address.
// verdict: partial
// loses: one_atomic atomic_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_ATOMIC_KERNEL
#define OWN_SUM_ATOMIC
#include "rest.h"

__global__ void atomic_kernel(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

void sum_atomic(const float *in, float *out, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  atomic_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
