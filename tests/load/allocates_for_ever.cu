// Allocates and frees without end.
// kind: budget
// lab: small
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (;;) {
    char *array;
    cudaMalloc(&array, 64 << 20);
    cudaFree(array);
  }
}
