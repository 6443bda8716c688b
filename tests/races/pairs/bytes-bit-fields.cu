// Bit-fields of one byte cannot be stored separately; bytes can.
// rule: bytes
// race: A B fields
#include "pair.h"

struct nibbles {
  unsigned char low, high; // racy: unsigned char low : 4, high : 4;
};

__global__ void write(nibbles *fields) {
  if (threadIdx.x == 0) fields->low = 3; // [A]
  if (threadIdx.x == 32) fields->high = 5; // [B]
}

int main() {
  unsigned char *fields = make<unsigned char>("fields", 2);
  write<<<1, 64>>>((nibbles *)fields);
  return differs(fields, 2, [](int i) { return i ? 5 : 3; });
}
