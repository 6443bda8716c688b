// Lab 7: control flow and reduction: the sum of a vector in seven steps, and what branches cost.
//
//   make lab7 && ./grade lab7              build and grade labs/lab7_reduction/lab7.cu
//   ./grade lab7 --explain                 the counters of every line of it
//   ./grade lab7 --sweep                   the time over the number of elements, and of rounds
//
// The sum of n floats in device memory, 1 <= n <= 2^24. The kernels of steps 1 to 6 leave a sum a
// block, out[blockIdx.x], and are launched again on these sums until one is left.
//
// ANSWERS: predict first, then run. Write a number behind each =. They are about the last part of
// this file, and about one warp (of branch_by_warp two).
//
// How many branches have lanes that go both ways, in branch_by_thread and in branch_by_warp with 32
// rounds, and in short_branch, whose two sides are an instruction or two?
//   by_thread =
//   by_warp =
//   short =
// How many branches, taken or not, does the warp execute in rolled, in by_4 and in unrolled, loops
// of 32 rounds?
//   rolled =
//   by_4 =
//   unrolled =
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

constexpr int BLOCK = 256;            // threads of a block: a power of two
constexpr int BLOCKS = 132 * 8;       // blocks that fill an H100 once
constexpr unsigned ALL = 0xffffffff;  // all lanes of a warp

// Room for what the blocks of all passes leave.
__device__ float sums_of_blocks[2 * (1 << 24) / BLOCK];

// --- Step 1: its kernel is complete, to be measured. Neighbours are added, then their sums, .. ---

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

// Adds up the n elements of in, into *out, with a kernel whose blocks add up `each` elements.
template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  float *sums;
  CHECK(cudaGetSymbolAddress((void **)&sums, sums_of_blocks));
  // TODO(1) A pass has as many blocks as it takes. If that is one, it writes the result to out;
  // if not, it writes to sums, and the next pass adds these up. Its own sums go behind them.
  (void)kernel, (void)each, (void)in, (void)out, (void)n;
}

__global__ void conflicts_kernel(const float *in, float *out, int n) {
  // TODO(2) The same sums, by the first threads: thread t adds to sum[2 * step * t].
  (void)in, (void)out, (void)n;
}

__global__ void sequential_kernel(const float *in, float *out, int n) {
  // TODO(3) The first threads, and neighbouring sums: the second half is added to the first.
  (void)in, (void)out, (void)n;
}

__global__ void first_add_kernel(const float *in, float *out, int n) {
  // TODO(4) As step 3, but half of its threads never add: let a block have 2 * BLOCK elements,
  // of which each thread adds two while it loads them.
  (void)in, (void)out, (void)n;
}

// The sum over the lanes of a warp, in its lane 0. All of its lanes must call it.
__device__ float warp_sum(float value) {
  // TODO(5) Five times __shfl_down_sync: lane l adds what lane l + 16 has, l + 8, .. l + 1.
  return value;
}

__global__ void shuffles_kernel(const float *in, float *out, int n) {
  // TODO(6) As step 4 until 64 sums are left. The rest is the first warp's, by shuffles.
  (void)in, (void)out, (void)n;
}

// The sum over the threads of a block, in its thread 0. All of its threads must call it, once.
__device__ float block_sum(float value) {
  // TODO(7) Each warp's sum by warp_sum, to the first warp by shared memory, and warp_sum
  // again. It takes one barrier.
  return value;
}

// The sum of a thread's share of the n elements.
__device__ float thread_sum(const float *in, int n) {
  // TODO(8) Thread i of the grid has element i and goes on by the number of the grid's threads.
  return 0.0f;
}

__global__ void many_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

__global__ void atomic_kernel(const float *in, float *out, int n) {
  // TODO(9) The same, but each block adds its sum to *out, once.
  (void)in, (void)out, (void)n;
}

// All are called by the harness. in and out are device pointers; out is one float.
void sum_divergent(const float *in, float *out, int n) {
  passes(divergent_kernel, BLOCK, in, out, n);
}
void sum_conflicts(const float *in, float *out, int n) {
  passes(conflicts_kernel, BLOCK, in, out, n);
}
void sum_sequential(const float *in, float *out, int n) {
  passes(sequential_kernel, BLOCK, in, out, n);
}
void sum_first_add(const float *in, float *out, int n) {
  passes(first_add_kernel, 2 * BLOCK, in, out, n);
}
void sum_shuffles(const float *in, float *out, int n) {
  passes(shuffles_kernel, 2 * BLOCK, in, out, n);
}
void sum_many(const float *in, float *out, int n) {
  passes(many_kernel, std::max(8 * BLOCK, (n + BLOCKS - 1) / BLOCKS), in, out, n);
}
void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  // TODO(10) What out holds is no number: cudaMemsetAsync. Then the kernel.
  (void)in, (void)out, (void)blocks;
}

// --- Branches: even elements go through rounds of one computation, odd ones of another. ---

__device__ float even(float x) { return 0.9375f * x + 0.03125f; }
__device__ float odd(float x) { return 0.96875f * x; }

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

__global__ void by_warp_kernel(const float *in, float *out, int n, int rounds) {
  // TODO(11) The same out[i] for each i, but no branch that divides a warp: two warps share 64
  // elements, one has the even ones, the other the odd ones. Which is thread t's?
  (void)in, (void)out, (void)n, (void)rounds;
}

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

// The same by calls.
__device__ __noinline__ float even_called(float x) { return even(x); }
__device__ __noinline__ float odd_called(float x) { return odd(x); }

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

void branch_by_thread(const float *in, float *out, int n, int rounds) {
  by_thread_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}
void branch_by_warp(const float *in, float *out, int n, int rounds) {
  by_warp_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}
void short_branch(const float *in, float *out, int n, int) {
  short_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
void rolled(const float *in, float *out, int n, int) {
  rounds_kernel<1><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
void by_4(const float *in, float *out, int n, int) {
  rounds_kernel<4><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
void called(const float *in, float *out, int n, int) {
  called_kernel<<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
void unrolled(const float *in, float *out, int n, int) {
  rounds_kernel<32><<<n / 64, 32>>>(in, out, n);
  CHECK(cudaGetLastError());
}
