// A thread keeps its sum in a register, too, so that it reads one sum of another thread a step, and
// __syncwarp() orders the last ones.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SHUFFLES_KERNEL
#define OWN_FIRST_ADD_KERNEL
#include "rest.h"

__global__ void first_add_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float own = i < n ? in[i] : 0.0f;
  if (i + BLOCK < n) own += in[i + BLOCK];
  sum[t] = own;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half >>= 1) {
    if (t < half) sum[t] = own = own + sum[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = own;
}

__global__ void shuffles_kernel(const float *in, float *out, int n) {
  __shared__ volatile float sum[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float own = i < n ? in[i] : 0.0f;
  if (i + BLOCK < n) own += in[i + BLOCK];
  sum[t] = own;
  __syncthreads();
  for (int half = BLOCK / 2; half > 32; half >>= 1) {
    if (t < half) sum[t] = own = own + sum[t + half];
    __syncthreads();
  }
  if (t >= 32) return;
  own += sum[t + 32];
  for (int half = 16; half > 0; half >>= 1) {
    sum[t] = own;
    __syncwarp();
    own += t + half < 32 ? sum[t + half] : 0.0f;
    __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = own;
}
