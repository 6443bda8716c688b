// 0.0 and -0.0 are equal, but not the same bytes.
// rule: same value
// race: A A data
#include "pair.h"

__global__ void store(float *data) {
  int to = blockIdx.x; // racy: int to = 0;
  data[to] = blockIdx.x ? -0.0f : 0.0f; // [A]
}

int main() {
  float *data = make<float>("data", 2);
  store<<<2, 1>>>(data);
  return differs(data, 2, [](int) { return 0; });
}
