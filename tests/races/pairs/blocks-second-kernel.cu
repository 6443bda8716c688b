// What one kernel writes the next may read: launches of a stream run one after the other.
// rule: blocks
// race: A B data
// fix: second kernel
#include "pair.h"

__global__ void step(int *data, int *out, bool write, bool read) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (write) data[i] = i; // [A]
  if (read) out[i] = data[127 - i]; // [B]
}

int main() {
  int *data = make<int>("data", 128), *out = make<int>("out", 128);
  step<<<2, 64>>>(data, out, true, false); // racy: step<<<2, 64>>>(data, out, true, true);
  step<<<2, 64>>>(data, out, false, true);
  return differs(data, 128, [](int i) { return i; });
}
