// float4 all the way: 128-bit tile loads into shared memory as float4 arrays, own operators on float4, a union for the elements.
#include <cuda_runtime.h>

__device__ float4 operator*(float s, const float4 &v) { return {s * v.x, s * v.y, s * v.z, s * v.w}; }
__device__ float4 &operator+=(float4 &a, const float4 &b) {
  a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w;
  return a;
}

union Quad {
  float4 v;
  float f[4];
};

static __device__ float4 load4(const float *p, int row, int column, int rows, int columns) {
  Quad q;
  q.v = float4{0, 0, 0, 0};
  if (row < rows) {
    const float *from = p + row * columns + column;
    if (column + 3 < columns && columns % 4 == 0) {
      q.v = __ldg((const float4 *)from);
    } else {
      for (int i = 0; i < 4; i++)
        if (column + i < columns) q.f[i] = from[i];
    }
  }
  return q.v;
}

// Block of 8 x 32 threads: tile of C of 32 x 32, a thread one float4 of a row.
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float4 a[32][8 + 1];
  __shared__ float4 b[32][8 + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + 4 * x;
  float4 sum = {0, 0, 0, 0};
  for (int k = 0; k < K; k += 32) {
    a[y][x] = load4(A, row, k + 4 * x, M, K);
    b[y][x] = load4(B, k + y, column, K, N);
    __syncthreads();
    for (int i = 0; i < 8; i++) {
      float4 s = a[y][i];
      sum += s.x * b[4 * i][x];
      sum += s.y * b[4 * i + 1][x];
      sum += s.z * b[4 * i + 2][x];
      sum += s.w * b[4 * i + 3][x];
    }
    __syncthreads();
  }
  if (row >= M) return;
  Quad out;
  out.v = sum;
  if (column + 3 < N && N % 4 == 0)
    *(float4 *)(C + row * N + column) = out.v;
  else
    for (int i = 0; i < 4 && column + i < N; i++) C[row * N + column + i] = out.f[i];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(8, 32)>>>(A, B, C, M, N, K);
}
