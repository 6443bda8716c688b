// A warp sums one element in shared memory "in lockstep", without __syncwarp between the steps.
// verdict: partial
// loses: barriers memory traffic operands conflicts coalesced
// may-lose: small shapes sizes time
// hazard: race 17
// reason: __syncwarp
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float partial[8][32];
  int lane = threadIdx.x, warp = threadIdx.y;
  int row = blockIdx.y, column = blockIdx.x * 8 + warp;
  (void)M;
  if (column >= N) return;
  float sum = 0;
  for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + column];
  partial[warp][lane] = sum;
  for (int step = 16; step > 0; step /= 2)
    if (lane < step) partial[warp][lane] += partial[warp][lane + step];
  if (lane == 0) C[row * N + column] = partial[warp][0];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(32, 8), grid((N + 7) / 8, M);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
