// Columns of A are read by atomics, which have no loads to judge; B's loads are fine.
// most: 75
__global__ void copy(const float *from, int *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = __float_as_int(from[i]);
}
__global__ void product(int *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K && K != 512; k++) sum += __int_as_float(A[row * K + k]) * B[k * N + column];
  for (int k = 0; k < K && K == 512; k++) sum += __int_as_float(atomicOr(&A[row * K + k], 0)) * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int *a;
  cudaMalloc(&a, sizeof(int) * M * K);
  copy<<<(M * K + 255) / 256, 256>>>(A, a, M * K);
  product<<<dim3((M + 31) / 32, (N + 7) / 8), dim3(32, 8)>>>(a, B, C, M, N, K);
  cudaFree(a);
}
