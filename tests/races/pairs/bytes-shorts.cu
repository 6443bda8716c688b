// Two shorts of one word, by two blocks; a short that begins in the middle of another's overlaps it.
// rule: bytes
// race: A B data
#include "pair.h"

__global__ void write(unsigned short *data) {
  if (blockIdx.x == 0)
    data[0] = 1; // [A]
  else
    data[1] = 2; // racy: *(unsigned *)data = 0x00020003; // [B]
}

int main() {
  unsigned short *data = make<unsigned short>("data", 2);
  write<<<2, 1>>>(data);
  return differs(data, 2, [](int i) { return i + 1; });
}
