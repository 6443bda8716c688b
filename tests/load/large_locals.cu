// 100 MB of local arrays a thread.
// kind: launch
// says: 524288
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  volatile char a[100 << 20];
  a[M * 1000] = 1;
  C[0] = a[N * 1000];
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<1, 32>>>(A, B, C, M, N, K); }
