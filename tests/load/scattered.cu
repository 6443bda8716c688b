// Accesses without any order, without end.
// kind: budget
// lab: small
__device__ float table[1 << 20];
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  unsigned h = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i != ~0u; i++) {
    h = h * 1664525u + 1013904223u;
    table[h >> 12] += table[(h * 3) >> 12];
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<10, 1024>>>(A, B, C, M, N, K); }
