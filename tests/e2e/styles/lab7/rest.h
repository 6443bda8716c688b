// What another way to do lab 7 does not touch: the functions of its solution.
// A file that has a function of its own says so before it includes this: #define OWN_PASSES.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

#ifndef OWN_BLOCK
constexpr int BLOCK = 256;  // threads of a block: a power of two
#endif
constexpr int BLOCKS = 132 * 8;       // blocks that fill an H100 once
constexpr unsigned ALL = 0xffffffff;  // all lanes of a warp

// Room for what the blocks of all passes leave.
__device__ float sums_of_blocks[2 * (1 << 24) / BLOCK];

__global__ void divergent_kernel(const float *in, float *out, int n);
template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n);
__global__ void conflicts_kernel(const float *in, float *out, int n);
__global__ void sequential_kernel(const float *in, float *out, int n);
__global__ void first_add_kernel(const float *in, float *out, int n);
__device__ float warp_sum(float value);
__global__ void shuffles_kernel(const float *in, float *out, int n);
__device__ float block_sum(float value);
__device__ float thread_sum(const float *in, int n);
__global__ void many_kernel(const float *in, float *out, int n);
__global__ void atomic_kernel(const float *in, float *out, int n);
void sum_divergent(const float *in, float *out, int n);
void sum_conflicts(const float *in, float *out, int n);
void sum_sequential(const float *in, float *out, int n);
void sum_first_add(const float *in, float *out, int n);
void sum_shuffles(const float *in, float *out, int n);
void sum_many(const float *in, float *out, int n);
void sum_atomic(const float *in, float *out, int n);
__device__ float even(float x);
__device__ float odd(float x);
__global__ void by_thread_kernel(const float *in, float *out, int n, int rounds);
__global__ void by_warp_kernel(const float *in, float *out, int n, int rounds);
__global__ void short_kernel(const float *in, float *out, int n);
template <int UNROLL>
__global__ void rounds_kernel(const float *in, float *out, int n);
__device__ __noinline__ float even_called(float x);
__device__ __noinline__ float odd_called(float x);
__global__ void called_kernel(const float *in, float *out, int n);
void branch_by_thread(const float *in, float *out, int n, int rounds);
void branch_by_warp(const float *in, float *out, int n, int rounds);
void short_branch(const float *in, float *out, int n, int);
void rolled(const float *in, float *out, int n, int);
void by_4(const float *in, float *out, int n, int);
void called(const float *in, float *out, int n, int);
void unrolled(const float *in, float *out, int n, int);

#ifndef OWN_DIVERGENT_KERNEL
__global__ void divergent_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sum[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // read after write: the other threads' elements
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) sum[t] += sum[t + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
#endif

#ifndef OWN_PASSES
// Adds up the n elements of in, into *out, with a kernel whose blocks add up `each` elements.
template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  float *sums;
  CHECK(cudaGetSymbolAddress((void **)&sums, sums_of_blocks));
  for (int blocks = 0; blocks != 1; n = blocks) {
    blocks = (n + each - 1) / each;
    kernel<<<blocks, BLOCK>>>(in, blocks == 1 ? out : sums, n);
    CHECK(cudaGetLastError());
    in = sums;
    sums += blocks;
  }
}
#endif

#ifndef OWN_CONFLICTS_KERNEL
__global__ void conflicts_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t loads [t]
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sum[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // read after write: the other threads' elements
  for (int step = 1; step < blockDim.x; step *= 2) {
    int at = 2 * step * t;
    if (at < blockDim.x) sum[at] += sum[at + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
#endif

#ifndef OWN_SEQUENTIAL_KERNEL
__global__ void sequential_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sum[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // read after write: the other half's elements
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
#endif

#ifndef OWN_FIRST_ADD_KERNEL
__global__ void first_add_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  sum[t] = (i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f);
  __syncthreads();  // read after write: the other half's sums
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
#endif

#ifndef OWN_WARP_SUM
// The sum over the lanes of a warp, in its lane 0. All of its lanes must call it.
__device__ float warp_sum(float value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(ALL, value, lanes);
  return value;
}
#endif

#ifndef OWN_SHUFFLES_KERNEL
__global__ void shuffles_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  sum[t] = (i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f);
  __syncthreads();  // read after write: the other half's sums
  for (int half = blockDim.x / 2; half > 32; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t >= 32) return;
  float rest = warp_sum(sum[t] + sum[t + 32]);
  if (t == 0) out[blockIdx.x] = rest;
}
#endif

#ifndef OWN_BLOCK_SUM
// The sum over the threads of a block, in its thread 0. All of its threads must call it, once.
__device__ float block_sum(float value) {
  __shared__ float sum[BLOCK / 32];  // lane 0 of warp w writes [w]
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) sum[warp] = value;
  __syncthreads();  // read after write: the other warps' sums
  return warp == 0 ? warp_sum(lane < BLOCK / 32 ? sum[lane] : 0.0f) : 0.0f;
}
#endif

#ifndef OWN_THREAD_SUM
// The sum of a thread's share of the n elements.
__device__ float thread_sum(const float *in, int n) {
  float value = 0.0f;
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) value += in[i];
  return value;
}
#endif

#ifndef OWN_MANY_KERNEL
__global__ void many_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}
#endif

#ifndef OWN_ATOMIC_KERNEL
__global__ void atomic_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) atomicAdd(out, value);
}
#endif

#ifndef OWN_SUM_DIVERGENT
void sum_divergent(const float *in, float *out, int n) {
  passes(divergent_kernel, BLOCK, in, out, n);
}
#endif

#ifndef OWN_SUM_CONFLICTS
void sum_conflicts(const float *in, float *out, int n) {
  passes(conflicts_kernel, BLOCK, in, out, n);
}
#endif

#ifndef OWN_SUM_SEQUENTIAL
void sum_sequential(const float *in, float *out, int n) {
  passes(sequential_kernel, BLOCK, in, out, n);
}
#endif

#ifndef OWN_SUM_FIRST_ADD
void sum_first_add(const float *in, float *out, int n) {
  passes(first_add_kernel, 2 * BLOCK, in, out, n);
}
#endif

#ifndef OWN_SUM_SHUFFLES
void sum_shuffles(const float *in, float *out, int n) {
  passes(shuffles_kernel, 2 * BLOCK, in, out, n);
}
#endif

#ifndef OWN_SUM_MANY
void sum_many(const float *in, float *out, int n) {
  passes(many_kernel, std::max(8 * BLOCK, (n + BLOCKS - 1) / BLOCKS), in, out, n);
}
#endif

#ifndef OWN_SUM_ATOMIC
void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  atomic_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_EVEN
__device__ float even(float x) { return 0.9375f * x + 0.03125f; }
#endif

#ifndef OWN_ODD
__device__ float odd(float x) { return 0.96875f * x; }
#endif

#ifndef OWN_BY_THREAD_KERNEL
// The condition is each thread's: complete, to be measured.
__global__ void by_thread_kernel(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  if (i % 2 == 0) {
    for (int round = 0; round < rounds; round++) x = even(x);
  } else {
    for (int round = 0; round < rounds; round++) x = odd(x);
  }
  out[i] = x;
}
#endif

#ifndef OWN_BY_WARP_KERNEL
__global__ void by_warp_kernel(const float *in, float *out, int n, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = t / 64 * 64 + t % 32 * 2 + t / 32 % 2;  // lane l of the pair's first warp: 2 l
  if (i >= n) return;
  float x = in[i];
  if (t / 32 % 2 == 0) {
    for (int round = 0; round < rounds; round++) x = even(x);
  } else {
    for (int round = 0; round < rounds; round++) x = odd(x);
  }
  out[i] = x;
}
#endif

#ifndef OWN_SHORT_KERNEL
// One round: branches of a few instructions.
__global__ void short_kernel(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  if (i % 2 == 0)
    x = even(x);
  else
    x = odd(x);
  out[i] = x;
}
#endif

#ifndef OWN_ROUNDS_KERNEL
// 32 rounds, of which the loop has UNROLL at a time. Two elements a thread, so that none waits.
template <int UNROLL>
__global__ void rounds_kernel(const float *in, float *out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  float x = in[i], y = in[i + 1];
#pragma unroll UNROLL
  for (int round = 0; round < 32; round++) {
    x = even(x);
    y = odd(y);
  }
  out[i] = x;
  out[i + 1] = y;
}
#endif

#ifndef OWN_EVEN_CALLED
// The same by calls.
__device__ __noinline__ float even_called(float x) { return even(x); }
#endif

#ifndef OWN_ODD_CALLED
__device__ __noinline__ float odd_called(float x) { return odd(x); }
#endif

#ifndef OWN_CALLED_KERNEL
__global__ void called_kernel(const float *in, float *out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  float x = in[i], y = in[i + 1];
#pragma unroll 1
  for (int round = 0; round < 32; round++) {
    x = even_called(x);
    y = odd_called(y);
  }
  out[i] = x;
  out[i + 1] = y;
}
#endif

#ifndef OWN_BRANCH_BY_THREAD
void branch_by_thread(const float *in, float *out, int n, int rounds) {
  by_thread_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_BRANCH_BY_WARP
void branch_by_warp(const float *in, float *out, int n, int rounds) {
  by_warp_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_SHORT_BRANCH
void short_branch(const float *in, float *out, int n, int) {
  short_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_ROLLED
void rolled(const float *in, float *out, int n, int) {
  rounds_kernel<1><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_BY_4
void by_4(const float *in, float *out, int n, int) {
  rounds_kernel<4><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_CALLED
void called(const float *in, float *out, int n, int) {
  called_kernel<<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif

#ifndef OWN_UNROLLED
void unrolled(const float *in, float *out, int n, int) {
  rounds_kernel<32><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
#endif
