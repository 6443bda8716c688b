// A thread reads what its neighbour wrote, behind __syncwarp, without end: each element's uses are told apart.
// kind: budget
__global__ void exchange(float *C) {
  __shared__ unsigned values[1024];
  unsigned sum = 0;
  for (long i = 0; i < 1L << 40; i++) {
    values[threadIdx.x] = i;
    __syncwarp();
    sum += values[threadIdx.x ^ 1];
    __syncwarp();
  }
  C[0] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { exchange<<<200, 1024>>>(C); }
