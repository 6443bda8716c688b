// A tile of 32 x 32 is filled by rows and read by columns.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) tile[y][x] = in[y * 32 + x]; // [A]
  __syncthreads(); // racy: (nothing)
  for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + x] = tile[x][y]; // [B]
}

__global__ void number(float *data) { data[blockIdx.x * 32 + threadIdx.x] = blockIdx.x * 32 + threadIdx.x; }

int main() {
  float *in = make<float>("in", 1024), *out = make<float>("out", 1024);
  number<<<32, 32>>>(in);
  transpose<<<1, dim3(32, 8)>>>(in, out);
  return differs(out, 1024, [](int i) { return i % 32 * 32 + i / 32; });
}
