// Two blocks far apart in a large grid, of which the second would start long after the first has ended.
// rule: schedule
// race: A A data
#include "pair.h"

__global__ void mark(int *data) {
  int to = blockIdx.x; // racy: int to = blockIdx.x % 4999;
  data[to] = blockIdx.x; // [A]
}

int main() {
  int *data = make<int>("data", 5000);
  mark<<<5000, 1>>>(data);
  return differs(data, 5000, [](int i) { return i; });
}
