// Four columns a thread with 128-bit loads and stores where N allows it, one by one elsewhere.
// verdict: pass
// may-lose: time
__global__ void by_fours(const float *A, const float4 *B, float4 *C, int M, int N4, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N4) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < K; k++) {
    float a = A[row * K + k];
    float4 b = B[k * N4 + column];
    sum.x += a * b.x;
    sum.y += a * b.y;
    sum.z += a * b.z;
    sum.w += a * b.w;
  }
  C[row * N4 + column] = sum;
}

__global__ void by_ones(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(32, 4);
  if (N % 4 == 0) {
    dim3 grid((N / 4 + 31) / 32, (M + 3) / 4);
    by_fours<<<grid, block>>>(A, (const float4 *)B, (float4 *)C, M, N / 4, K);
  } else {
    dim3 grid((N + 31) / 32, (M + 3) / 4);
    by_ones<<<grid, block>>>(A, B, C, M, N, K);
  }
}
