// Two lanes of the same store instruction write different values to one element of shared memory.
// rule: lanes
// race: A A shared tile
#include "pair.h"

__global__ void collide(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = 0;
  __syncwarp();
  int to = lane; // racy: int to = lane / 2;
  tile[to] = lane + 1; // [A]
  __syncwarp();
  out[lane] = tile[lane];
}

int main() {
  int *out = make<int>("out", 32);
  collide<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return i + 1; });
}
