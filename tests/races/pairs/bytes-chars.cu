// Threads write different bytes of one word, which is fine, or two of them the same byte.
// rule: bytes
// race: A A letters
#include "pair.h"

__global__ void write(unsigned char *letters) {
  int to = threadIdx.x; // racy: int to = threadIdx.x & ~32;
  letters[to] = threadIdx.x; // [A]
}

int main() {
  unsigned char *letters = make<unsigned char>("letters", 64);
  write<<<1, 64>>>(letters);
  return differs(letters, 64, [](int i) { return i; });
}
