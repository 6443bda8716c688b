// Every step goes through the vector by a grid of a fixed size: two launches for any n.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_PASSES
#define OWN_CONFLICTS_KERNEL
#define OWN_SEQUENTIAL_KERNEL
#define OWN_FIRST_ADD_KERNEL
#define OWN_SHUFFLES_KERNEL
#define OWN_DIVERGENT_KERNEL
#include "rest.h"

template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  float *sums;
  CHECK(cudaGetSymbolAddress((void **)&sums, sums_of_blocks));
  int blocks = std::min(BLOCKS, (n + each - 1) / each);
  kernel<<<blocks, BLOCK>>>(in, sums, n);
  CHECK(cudaGetLastError());
  kernel<<<1, BLOCK>>>(sums, out, blocks);
  CHECK(cudaGetLastError());
}

// A thread's elements, from all over the vector.
__device__ float share(const float *in, int n) {
  float own = 0.0f;
  for (int i = threadIdx.x + blockIdx.x * BLOCK; i < n; i += BLOCK * gridDim.x) own += in[i];
  return own;
}

__global__ void divergent_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x;
  sum[t] = share(in, n);
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    if (t % (2 * step) == 0) sum[t] += sum[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void conflicts_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x;
  sum[t] = share(in, n);
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    if (2 * step * t < BLOCK) sum[2 * step * t] += sum[2 * step * t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void sequential_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x;
  sum[t] = share(in, n);
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sum[t] += sum[t + half];
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void first_add_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];
  int t = threadIdx.x;
  sum[t] = share(in, n);
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sum[t] += sum[t + half];
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}

__global__ void shuffles_kernel(const float *in, float *out, int n) {
  float own = block_sum(share(in, n));
  if (threadIdx.x == 0) out[blockIdx.x] = own;
}
