// The number of blocks that sum up a vector is rounded down.
// lab: lab7
// first: elements are missing: n is no multiple of 256
#include <cuda_runtime.h>
#include <algorithm>

__global__ void sum_kernel(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__device__ float room[200000];

static void sum_up(const float *in, float *out, int n) {
  float *sums;
  cudaGetSymbolAddress((void **)&sums, room);
  while (n > 1) {
    int blocks = std::max(n / 256, 1);
    sum_kernel<<<blocks, 256>>>(in, sums, n);
    in = sums, n = blocks, sums += blocks;
  }
  cudaMemcpyAsync(out, in, sizeof *out, cudaMemcpyDeviceToDevice);
}

void sum_divergent(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_conflicts(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_sequential(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_first_add(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_shuffles(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_many(const float *in, float *out, int n) { sum_up(in, out, n); }
void sum_atomic(const float *in, float *out, int n) { sum_up(in, out, n); }

__global__ void branches(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int r = 0; r < rounds; r++) x = i % 2 ? 0.96875f * x : 0.9375f * x + 0.03125f;
  out[i] = x;
}

static void branch(const float *in, float *out, int n, int rounds) {
  branches<<<(n + 255) / 256, 256>>>(in, out, n, rounds);
}

void branch_by_thread(const float *in, float *out, int n, int rounds) {
  branch(in, out, n, rounds);
}
void branch_by_warp(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
void short_branch(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
void rolled(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
void by_4(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
void unrolled(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
void called(const float *in, float *out, int n, int rounds) { branch(in, out, n, rounds); }
