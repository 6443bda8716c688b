// cudaMemset of managed memory waits, cudaMemsetAsync does not.
// rule: managed memory
// race: A - data
// says: cudaMemset; host code writes
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make_managed<int>("data", 64);
  cudaMemset(data, 0, 256);
  bool waits = true; // racy: bool waits = false;
  waits ? cudaMemset(data, 1, 256) : cudaMemsetAsync(data, 1, 256); // [A]
  data[0] = 5;
  return differs(data, 64, [](int i) { return i ? 0x01010101 : 5; });
}
