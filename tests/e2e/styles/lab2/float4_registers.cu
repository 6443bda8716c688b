// 128-bit loads from global and shared memory, A's tile transposed, 4 x 4 elements a thread; padded
// copies of the matrices where their rows are no multiple of the tile.
// verdict: pass
// may-lose: time conflicts
#include <cuda_runtime.h>

constexpr int WIDE = 64, DEEP = 8;

__global__ void pad(const float *from, float *to, int rows, int columns, int to_rows,
                    int to_columns) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < to_rows && j < to_columns)
    to[i * to_columns + j] = i < rows && j < columns ? from[i * columns + j] : 0.0f;
}

// All dimensions are multiples of the tile's.
__global__ void tiled(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float a[DEEP][WIDE + 4];  // transposed
  __shared__ float b[DEEP][WIDE];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  A += blockIdx.y * WIDE * K;
  B += blockIdx.x * WIDE;
  float sum[4][4] = {};
  for (int start = 0; start < K; start += DEEP) {
    if (t < 128) {
      int r = t / 2, k = t % 2 * 4;
      float4 four = *reinterpret_cast<const float4 *>(&A[r * K + start + k]);
      a[k][r] = four.x;
      a[k + 1][r] = four.y;
      a[k + 2][r] = four.z;
      a[k + 3][r] = four.w;
    } else {
      int i = t - 128, k = i / 16, c = i % 16 * 4;
      *reinterpret_cast<float4 *>(&b[k][c]) =
          *reinterpret_cast<const float4 *>(&B[(start + k) * N + c]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
      float4 l = *reinterpret_cast<float4 *>(&a[k][y * 4]);
      float4 r = *reinterpret_cast<float4 *>(&b[k][x * 4]);
      float left[4] = {l.x, l.y, l.z, l.w}, right[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  C += (blockIdx.y * WIDE + y * 4) * N + blockIdx.x * WIDE + x * 4;
#pragma unroll
  for (int i = 0; i < 4; i++)
    *reinterpret_cast<float4 *>(&C[i * N]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

static int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int m = round_up(M, WIDE), n = round_up(N, WIDE), k = round_up(K, DEEP);
  dim3 grid(n / WIDE, m / WIDE);
  if (m == M && n == N && k == K) {
    tiled<<<grid, 256>>>(A, B, C, N, K);
    return;
  }
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(float) * m * k);
  cudaMalloc(&b, sizeof(float) * k * n);
  cudaMalloc(&c, sizeof(float) * m * n);
  dim3 block(32, 8);
  pad<<<dim3((k + 31) / 32, (m + 7) / 8), block>>>(A, a, M, K, m, k);
  pad<<<dim3((n + 31) / 32, (k + 7) / 8), block>>>(B, b, K, N, k, n);
  tiled<<<grid, 256>>>(a, b, c, n, k);
  pad<<<dim3((N + 31) / 32, (M + 7) / 8), block>>>(c, C, m, n, M, N);  // cuts instead
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
