// Goes on for ever, and no state comes again.
// kind: budget
// lab: small
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  while (clock64() != -1) C[0] += 1;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<4, 1>>>(A, B, C, M, N, K); }
