// Two lanes of the same store instruction write different values to one element of global memory.
// rule: lanes
// race: A A data
#include "pair.h"

__global__ void collide(float *data) {
  int to = threadIdx.x; // racy: int to = threadIdx.x / 2;
  data[to] = threadIdx.x; // [A]
}

int main() {
  float *data = make<float>("data", 32);
  collide<<<1, 32>>>(data);
  return differs(data, 32, [](int i) { return i; });
}
