// A block stores 64 bits, another one the lower 32 of them.
// rule: bytes
// race: A B data
#include "pair.h"

__global__ void write(unsigned long long *data) {
  unsigned *words = (unsigned *)data;
  int word = 2; // racy: int word = 0;
  if (blockIdx.x == 0)
    data[0] = 0x100000002ull; // [A]
  else
    words[word] = 7; // [B]
}

int main() {
  unsigned *data = make<unsigned>("data", 4);
  write<<<2, 1>>>((unsigned long long *)data);
  return differs(data, 3, [](int i) { return i == 0 ? 2 : i == 1 ? 1 : 7; });
}
