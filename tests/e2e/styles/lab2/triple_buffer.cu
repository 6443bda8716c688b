// Three pairs of tiles in turn, loaded two steps ahead: one barrier a step.
// verdict: pass
#include <cuda_runtime.h>
template <int T, int STAGES>
__global__ void mm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                   int M, int N, int K) {
  __shared__ float a[STAGES][T][T], b[STAGES][T][T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  int steps = (K + T - 1) / T;
  auto load = [&](int s) {
    if (s < steps) {
      int k = s * T, p = s % STAGES;
      a[p][y][x] = (row < M && k + x < K) ? A[row * K + k + x] : 0;
      b[p][y][x] = (k + y < K && col < N) ? B[(k + y) * N + col] : 0;
    }
  };
  for (int s = 0; s < STAGES - 1; s++) load(s);
  float sum = 0;
  for (int s = 0; s < steps; s++) {
    __syncthreads();
    load(s + STAGES - 1);
    int p = s % STAGES;
#pragma unroll 8
    for (int k = 0; k < T; k++) sum = fmaf(a[p][y][k], b[p][k][x], sum);
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  constexpr int T = 16;
  mm<T, 3><<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
}
