// Warps of a block meet again and again.
// kind: timeout
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float tile[256];
  for (int start = 0; start < K;) {
    tile[threadIdx.x] = A[start];
    __syncthreads();  // tile is read by other threads
    C[threadIdx.x % (M * N)] = tile[255 - threadIdx.x];
    __syncthreads();  // tile is written again
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<8, 256>>>(A, B, C, M, N, K); }
