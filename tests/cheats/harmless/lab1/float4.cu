// A thread computes four elements of a row of C and loads B by float4 where that is aligned: 16 sectors for 512 bytes.
// least: 95
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum[4] = {0, 0, 0, 0};
  if (N % 4 == 0) {
    for (int k = 0; k < K; k++) {
      float a = A[row * K + k];
      float4 b = *(const float4 *)&B[k * N + column];
      sum[0] += a * b.x, sum[1] += a * b.y, sum[2] += a * b.z, sum[3] += a * b.w;
    }
    *(float4 *)&C[row * N + column] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    return;
  }
  for (int j = 0; j < 4 && column + j < N; j++) {
    for (int k = 0; k < K; k++) sum[j] += A[row * K + k] * B[k * N + column + j];
    C[row * N + column + j] = sum[j];
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 127) / 128, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
