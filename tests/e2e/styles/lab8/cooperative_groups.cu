// Barriers and asynchronous copies of cooperative groups: a tile of A row by row, by the block.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
constexpr int TS = 64, KS = 32;

__global__ void __launch_bounds__(64)
    grouped(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[TS][KS + 4], b[KS][TS];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int t = block.thread_rank(), x = t % 8 * 4, y = t / 8, top = blockIdx.y * TS,
      left = blockIdx.x * TS;
  bool aligned = K % 4 == 0 && N % 4 == 0;
  float sum[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += KS) {
    if (aligned && top + TS <= M && left + TS <= N && k0 + KS <= K) {
      for (int i = warp.meta_group_rank(); i < TS; i += warp.meta_group_size())
        cg::memcpy_async(warp, a[i], A + (top + i) * K + k0,
                         cuda::aligned_size_t<16>(sizeof(float) * KS));
      for (int i = warp.meta_group_rank(); i < KS; i += warp.meta_group_size())
        cg::memcpy_async(warp, b[i], B + (k0 + i) * N + left,
                         cuda::aligned_size_t<16>(sizeof(float) * TS));
      cg::wait(warp);
    } else {
      for (int i = t; i < TS * KS; i += 64) {
        int row = top + i / KS, k = k0 + i % KS, column = left + i % TS, bk = k0 + i / TS;
        a[i / KS][i % KS] = row < M && k < K ? A[row * K + k] : 0;
        b[i / TS][i % TS] = bk < K && column < N ? B[bk * N + column] : 0;
      }
    }
    block.sync();
#pragma unroll
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
#pragma unroll
      for (int i = 0; i < 8; i++) down[i] = a[y + 8 * i][k];
#pragma unroll
      for (int j = 0; j < 8; j++) across[j] = b[k][x + j / 4 * 32 + j % 4];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += down[i] * across[j];
    }
    cg::sync(block);
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int row = top + y + 8 * i, column = left + x + j / 4 * 32 + j % 4;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  grouped<<<dim3((N + TS - 1) / TS, (M + TS - 1) / TS), 64>>>(A, B, C, M, N, K);
}
