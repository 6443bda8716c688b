// The same with fields of 16 bits in a word and two blocks: fields of the word's full bytes are stored separately.
// rule: bytes
// race: A B fields
#include "pair.h"

struct pair {
  unsigned short low, high; // racy: unsigned low : 12, high : 20;
};

__global__ void write(volatile pair *fields) {
  if (blockIdx.x == 0) // [C]
    fields->low = 3; // [A]
  else
    fields->high = 5; // [B]
}

int main() {
  unsigned short *fields = make<unsigned short>("fields", 2);
  write<<<2, 1>>>((pair *)fields);
  return differs(fields, 2, [](int i) { return i ? 5 : 3; });
}
