// A two-stage pipeline of libcu++: acquire, copy, commit, wait, release.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"
#include <cuda/pipeline>

constexpr int TS = 64, KS = 16;  // 64 threads, 8 x 8 elements of C each; two buffers

// Four neighbours by one copy from global to shared memory, which is still on its way afterwards.
using Pipe = cuda::pipeline<cuda::thread_scope_thread>;
__device__ void bring4(Pipe &pipe, float *to, const float *from, int left) {
  for (int i = 0; i < 4; i++)
    if (i >= left) to[i] = 0;
  if (left >= 4 && reinterpret_cast<size_t>(from) % 16 == 0) {
    cuda::memcpy_async(to, from, cuda::aligned_size_t<16>(16), pipe);
  } else {
    for (int i = 0; i < 4 && i < left; i++)
      cuda::memcpy_async(to + i, from + i, sizeof(float), pipe);
  }
}

__global__ void __launch_bounds__(64)
    async_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[2][TS][KS + 4], b[2][KS][TS];
  int t = threadIdx.x, x = t % 8, y = t / 8, top = blockIdx.y * TS, left = blockIdx.x * TS;
  float sum[8][8] = {{0}};
  Pipe pipe = cuda::make_pipeline();
  auto bring = [&](int to, int k0) {
    pipe.producer_acquire();
    for (int i = t; i < TS * KS / 4; i += 64) {
      int row = top + i / 4, k = k0 + i % 4 * 4;
      bring4(pipe, &a[to][i / 4][i % 4 * 4], A + row * K + k, row < M ? K - k : 0);
    }
    for (int i = t; i < TS * KS / 4; i += 64) {
      int k = k0 + i / 16, column = left + i % 16 * 4;
      bring4(pipe, &b[to][i / 16][i % 16 * 4], B + k * N + column, k < K ? N - column : 0);
    }
    pipe.producer_commit();
  };
  bring(0, 0);
  for (int k0 = 0, now = 0; k0 < K; k0 += KS, now ^= 1) {
    bring(now ^ 1, k0 + KS);
    pipe.consumer_wait();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
#pragma unroll
      for (int i = 0; i < 8; i++) down[i] = a[now][y + 8 * i][k];
#pragma unroll
      for (int j = 0; j < 8; j++) across[j] = b[now][k][x * 4 + j / 4 * 32 + j % 4];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += down[i] * across[j];
    }
    pipe.consumer_release();
    __syncthreads();
  }
  pipe.consumer_wait();
  pipe.consumer_release();
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int row = top + y + 8 * i, column = left + x * 4 + j / 4 * 32 + j % 4;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  async_kernel<<<dim3((N + TS - 1) / TS, (M + TS - 1) / TS), 64>>>(A, B, C, M, N, K);
}
