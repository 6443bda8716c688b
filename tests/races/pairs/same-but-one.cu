// All blocks but one store the same value: that one makes it a race.
// rule: same value
// race: A A found
// fix: own element
#include "pair.h"

__global__ void mark(int *found) {
  int to = blockIdx.x; // racy: int to = 0;
  found[to] = blockIdx.x == 3 ? 2 : 1; // [A]
}

int main() {
  int *found = make<int>("found", 4);
  mark<<<4, 1>>>(found);
  return differs(found, 4, [](int i) { return i == 3 ? 2 : 1; });
}
