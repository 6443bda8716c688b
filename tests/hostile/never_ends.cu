// verdict: fail
// hazard: budget
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (volatile int i = 0;; i++) {
  }
}
