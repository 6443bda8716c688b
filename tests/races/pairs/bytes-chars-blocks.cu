// Neighbouring bytes belong to different blocks.
// rule: bytes
// race: A A letters
#include "pair.h"

__global__ void write(unsigned char *letters) {
  int to = threadIdx.x * 4 + blockIdx.x; // racy: int to = threadIdx.x * 4 + blockIdx.x / 2;
  letters[to] = blockIdx.x; // [A]
}

int main() {
  unsigned char *letters = make<unsigned char>("letters", 128);
  write<<<4, 32>>>(letters);
  return differs(letters, 128, [](int i) { return i % 4; });
}
