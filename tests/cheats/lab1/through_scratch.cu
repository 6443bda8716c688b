// The columns are those of a copy: the named arrays are read in rows only.
// most: 75
__global__ void copy(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *a;
  cudaMalloc(&a, sizeof(float) * M * K);
  copy<<<(M * K + 255) / 256, 256>>>(A, a, M * K);
  product<<<dim3((M + 31) / 32, (N + 7) / 8), dim3(32, 8)>>>(a, B, C, M, N, K);
  cudaFree(a);
}
