// Warps of which two lanes work: few sectors a request, many for what they use.
// most: 70
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lanes = K == 512 ? 2 : 32; // of a warp, where it is looked at
  int apart = 32 / lanes, i = thread / apart;
  if (thread % apart || i >= M * N) return;
  int row = i / N, column = i % N;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int threads = K == 512 ? M * N * 16 : M * N;
  product<<<(threads + 255) / 256, 256>>>(A, B, C, M, N, K);
}
