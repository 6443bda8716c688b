// Templates whose steps are all unrolled, for blocks of any size.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SEQUENTIAL_KERNEL
#define OWN_FIRST_ADD_KERNEL
#define OWN_SHUFFLES_KERNEL
#include "rest.h"

template <int HALF, int DOWN_TO>
__device__ void add_halves(float *sum, int t) {
  if constexpr (HALF > DOWN_TO) {
    if (t < HALF) sum[t] += sum[t + HALF];
    __syncthreads();
    add_halves<HALF / 2, DOWN_TO>(sum, t);
  }
}

__device__ float load(const float *in, int i, int n) { return i < n ? in[i] : 0.0f; }

__global__ void sequential_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x;
  sum[t] = load(in, blockIdx.x * BLOCK + t, n);
  __syncthreads();
  add_halves<BLOCK / 2, 0>(sum, t);
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void first_add_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  sum[t] = load(in, i, n) + load(in, i + BLOCK, n);
  __syncthreads();
  add_halves<BLOCK / 2, 0>(sum, t);
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void shuffles_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  sum[t] = load(in, i, n) + load(in, i + BLOCK, n);
  __syncthreads();
  add_halves<BLOCK / 2, 32>(sum, t);
  if (t < 32) {
    float rest = warp_sum(sum[t] + sum[t + 32]);
    if (t == 0) out[blockIdx.x] = rest;
  }
}
