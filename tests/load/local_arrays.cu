// Scattered uses of an array of each thread's own, without end.
// kind: budget
__global__ void scatter(float *C) {
  unsigned values[500], place = threadIdx.x;
  values[0] = 0;
  for (long i = 0; i < 1L << 40; i++) values[(place = place * 1664525u + 1013904223u) % 500] += i;
  C[0] = values[0];
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { scatter<<<200, 1024>>>(C); }
