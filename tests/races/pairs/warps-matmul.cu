// A tiled product: both tiles must be complete before they are read.
// rule: warps
// race: A C shared a
// race: B C shared b
// fix: __syncthreads
#include "pair.h"

__global__ void product(const float *A, const float *B, float *C) {
  __shared__ float a[16][16], b[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 32; k += 16) {
    a[y][x] = A[y * 32 + k + x] + 1; // [A]
    b[y][x] = B[(k + y) * 16 + x] + 2; // [B]
    __syncthreads(); // racy: (nothing)
    for (int i = 0; i < 16; i++) sum += a[y][i] * b[i][x]; // [C]
    __syncthreads();
  }
  C[y * 16 + x] = sum;
}

int main() {
  float *A = make<float>("A", 512), *B = make<float>("B", 512), *C = make<float>("C", 256);
  product<<<1, dim3(16, 16)>>>(A, B, C);
  return differs(C, 256, [](int) { return 64; });
}
