// A block of 4 x 4 x 4 threads: planes z and z + 2 lie in different warps.
// rule: warps
// race: A B shared cube
// fix: __syncthreads
#include "pair.h"

__global__ void flip(int *out) {
  __shared__ int cube[4][4][4];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  cube[z][y][x] = z * 16 + y * 4 + x; // [A]
  __syncthreads(); // racy: (nothing)
  out[z * 16 + y * 4 + x] = cube[z ^ 2][y][x]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  flip<<<1, dim3(4, 4, 4)>>>(out);
  return differs(out, 64, [](int i) { return i ^ 32; });
}
