// Blocks add their sums of floats to one element, as in a product split along K.
// rule: atomics
// race: A A sum
// fix: atomic
#include "pair.h"

__global__ void partial(const float *in, float *sum) {
  float mine = 0;
  for (int k = 0; k < 8; k++) mine += in[blockIdx.x * 8 + k] + 1;
  atomicAdd(sum, mine); // racy: *sum += mine; // [A]
}

int main() {
  float *in = make<float>("in", 64), *sum = make<float>("sum", 1);
  partial<<<8, 1>>>(in, sum);
  return differs(sum, 1, [](int) { return 64; });
}
