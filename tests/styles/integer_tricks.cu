// Unsigned and 64-bit index arithmetic, shifts and masks, __umul24, __mul24, packed coordinates, int4 stores as bits.
#include <cuda_runtime.h>
#include <stdint.h>

__global__ void product(const float *A, const float *B, float *C, uint32_t M, uint32_t N, uint32_t K) {
  const uint32_t t = threadIdx.x, lane = t & 31u, warp = t >> 5;
  uint64_t packed = ((uint64_t)(blockIdx.y * 8u + warp) << 32) | (blockIdx.x * 32u + lane);
  const uint32_t row = (uint32_t)(packed >> 32), column = (uint32_t)packed;
  if (row >= M | column >= N) return;
  float sum = 0.0f;
  uint32_t a = __umul24(row, K), b = column;
  for (uint32_t k = K; k-- > 0; a++, b += N) sum = __fmaf_rn(A[a], B[b], sum);
  int bits = __float_as_int(sum);
  reinterpret_cast<int *>(C)[row * N + column] = bits;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31u) / 32u, (M + 7u) / 8u), 256>>>(A, B, C, M, N, K);
}
