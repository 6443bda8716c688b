// cp.async by inline assembly in three stages, dynamic shared memory of 72 KiB, A by rows; the
// copies fill with zeros.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

constexpr int BM = 128, BN = 128, BK = 16, LDA = BK + 4, STAGES = 4;
constexpr int STAGE = BM * LDA + BK * BN;

// n of 16 bytes are copied, the others are 0.
__device__ __forceinline__ void copy16(float *to, const float *from, int n) {
  unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(s), "l"(from), "r"(n));
}
__device__ __forceinline__ void copy4(float *to, const float *from, int n) {
  unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(s), "l"(from), "r"(n));
}

template <bool ALIGNED>
__device__ __forceinline__ void fetch(float *to, const float *matrix, int rows, int cols, int r,
                                      int c) {
  if (ALIGNED) {
    bool in = r < rows && c < cols;
    copy16(to, in ? matrix + (size_t)r * cols + c : matrix, in ? 16 : 0);
  } else {
    for (int i = 0; i < 4; i++) {
      bool in = r < rows && c + i < cols;
      copy4(to + i, in ? matrix + (size_t)r * cols + c + i : matrix, in ? 4 : 0);
    }
  }
}

template <bool ALIGNED>
__global__ void __launch_bounds__(256)
    staged(const float *A, const float *B, float *C, int M, int N, int K) {
  extern __shared__ __align__(16) float smem[];
  int t = threadIdx.x, tx = t % 16, ty = t / 16, r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
  float acc[8][8] = {};
  auto stage = [&](int s, int k0) {
    float *a = smem + s * STAGE, *b = a + BM * LDA;
    for (int i = t; i < BM * BK / 4; i += 256)
      fetch<ALIGNED>(a + i / 4 * LDA + i % 4 * 4, A, M, K, r0 + i / 4, k0 + i % 4 * 4);
    for (int i = t; i < BK * BN / 4; i += 256)
      fetch<ALIGNED>(b + i / 32 * BN + i % 32 * 4, B, K, N, k0 + i / 32, c0 + i % 32 * 4);
  };
  for (int s = 0; s < STAGES - 1; s++) {
    stage(s, s * BK);
    asm volatile("cp.async.commit_group;\n" ::);
  }
  for (int k0 = 0, s = 0; k0 < K; k0 += BK, s = (s + 1) % STAGES) {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(STAGES - 2));
    __syncthreads();
    stage((s + STAGES - 1) % STAGES, k0 + (STAGES - 1) * BK);
    asm volatile("cp.async.commit_group;\n" ::);
    const float *a = smem + s * STAGE, *b = a + BM * LDA;
#pragma unroll
    for (int k = 0; k < BK; k += 4) {
      float4 ra[8];
#pragma unroll
      for (int i = 0; i < 8; i++) ra[i] = *(const float4 *)&a[(ty + 16 * i) * LDA + k];
#pragma unroll
      for (int kk = 0; kk < 4; kk++) {
        float rb[8];
#pragma unroll
        for (int j = 0; j < 8; j++) rb[j] = b[(k + kk) * BN + tx * 4 + j % 4 + j / 4 * 64];
#pragma unroll
        for (int i = 0; i < 8; i++) {
          float v = kk == 0 ? ra[i].x : kk == 1 ? ra[i].y : kk == 2 ? ra[i].z : ra[i].w;
#pragma unroll
          for (int j = 0; j < 8; j++) acc[i][j] = fmaf(v, rb[j], acc[i][j]);
        }
      }
    }
  }
  asm volatile("cp.async.wait_all;\n" ::);
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int r = r0 + ty + 16 * i, c = c0 + tx * 4 + j % 4 + j / 4 * 64;
      if (r < M && c < N) C[(size_t)r * N + c] = acc[i][j];
    }
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  const int bytes = STAGES * STAGE * sizeof(float);
  auto kernel = K % 4 == 0 && N % 4 == 0 ? staged<true> : staged<false>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), 256, bytes>>>(A, B, C, M, N, K);
}
