// Launches an empty kernel without end.
// kind: budget
// lab: small
__global__ void nothing() {}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (;;) nothing<<<1, 1>>>();
}
