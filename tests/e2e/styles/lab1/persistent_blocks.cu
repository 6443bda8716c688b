// Persistent blocks take tiles by a ticket that thread 0 draws and hands on through shared
// memory: right, but slow, for the block waits for each ticket.
// verdict: partial
// loses: time
#include <cuda_runtime.h>
__device__ unsigned int next_tile;
__global__ void reset() { next_tile = 0; }
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ unsigned tile;
  const unsigned tx = (N + 31) / 32, ty = (M + 7) / 8;
  while (true) {
    if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    unsigned t = tile;
    __syncthreads();
    if (t >= tx * ty) break;
    int c = t % tx * 32 + (threadIdx.x & 31), r = t / tx * 8 + (threadIdx.x >> 5);
    if (r < M && c < N) {
      float s = 0;
      for (int k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c];
      C[r * N + c] = s;
    }
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  reset<<<1, 1>>>();
  mm<<<132, 256>>>(A, B, C, M, N, K);
}
