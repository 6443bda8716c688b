// The loop never advances; only its sum changes.
// kind: timeout
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  float sum = 0;
  for (int k = 0; k < K;) {
    sum += A[k];
    C[threadIdx.x % (M * N)] = sum;
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<64, 256>>>(A, B, C, M, N, K); }
