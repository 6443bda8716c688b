// Threads store four floats at once; other warps read them one by one.
// rule: bytes
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void transpose(float *out) {
  __shared__ float4 tile[64];
  int t = threadIdx.x;
  tile[t] = make_float4(4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3); // [A]
  __syncthreads(); // racy: (nothing)
  const float *floats = (const float *)tile;
  for (int k = 0; k < 4; k++) out[k * 64 + t] = floats[k * 64 + t]; // [B]
}

int main() {
  float *out = make<float>("out", 256);
  transpose<<<1, 64>>>(out);
  return differs(out, 256, [](int i) { return i; });
}
