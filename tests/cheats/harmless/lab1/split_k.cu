// Two blocks share each sum, and add to C by atomics that follow each other in a row: stores that can be judged.
// least: 95
__global__ void clear(float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) C[i] = 0;
}
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  int half = (K + 1) / 2, last = blockIdx.z ? K : half;
  for (int k = blockIdx.z ? half : 0; k < last; k++) sum += A[row * K + k] * B[k * N + column];
  atomicAdd(&C[row * N + column], sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  clear<<<(M * N + 255) / 256, 256>>>(C, M * N);
  product<<<dim3((N + 31) / 32, (M + 7) / 8, 2), dim3(32, 8)>>>(A, B, C, M, N, K);
}
