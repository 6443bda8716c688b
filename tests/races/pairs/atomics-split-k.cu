// A product split along K: each pair of blocks adds into the same tile.
// rule: atomics
// race: A A C
// fix: atomic
#include "pair.h"

__global__ void product(const float *A, const float *B, float *C) {
  int row = threadIdx.y, column = threadIdx.x;
  float sum = 0;
  for (int k = blockIdx.z * 8; k < blockIdx.z * 8 + 8; k++) sum += (A[row * 16 + k] + 1) * (B[k * 8 + column] + 2);
  atomicAdd(&C[row * 8 + column], sum); // racy: C[row * 8 + column] += sum; // [A]
}

int main() {
  float *A = make<float>("A", 128), *B = make<float>("B", 128), *C = make<float>("C", 64);
  product<<<dim3(1, 1, 2), dim3(8, 8)>>>(A, B, C);
  return differs(C, 64, [](int) { return 32; });
}
