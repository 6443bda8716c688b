// One warp stores pairs of floats, another single floats, which overlap the second of each pair.
// rule: bytes
// race: A B data
#include "pair.h"

__global__ void write(float *data) {
  int t = threadIdx.x;
  int from = 64; // racy: int from = 1;
  if (t < 32)
    ((float2 *)data)[t] = make_float2(1, 2); // [A]
  else
    data[from + 2 * (t - 32)] = 3; // [B]
}

int main() {
  float *data = make<float>("data", 128);
  write<<<1, 64>>>(data);
  return differs(data, 128, [](int i) { return i < 64 ? 1 + i % 2 : i % 2 ? 0 : 3; });
}
