// Threads store different members of a struct; a store of the whole struct overlaps them.
// rule: bytes
// race: A B cells | B A cells
#include "pair.h"

struct cell {
  int key;
  float value;
};

__global__ void write(cell *cells) {
  int t = threadIdx.x;
  if (t < 32)
    cells[t].key = t; // [A]
  else
    cells[t - 32].value = 2; // racy: cells[t - 32] = cell{1000, 2}; // [B]
}

int main() {
  int *cells = make<int>("cells", 64);
  write<<<1, 64>>>((cell *)cells);
  return differs(cells, 64, [](int i) { return i % 2 ? 0x40000000 : i / 2; });
}
