// The first read before a loop of atomicCAS, if it is plain, meets the atomicCAS of other threads.
// rule: atomics
// race: A B sum
// fix: atomic
#include "pair.h"

__global__ void add(unsigned *sum) {
  unsigned seen = atomicOr(sum, 0), expected; // racy: unsigned seen = *sum, expected; // [A]
  do {
    expected = seen;
    seen = atomicCAS(sum, expected, expected + 1); // [B]
  } while (seen != expected);
}

int main() {
  unsigned *sum = make<unsigned>("sum", 1);
  add<<<4, 1>>>(sum);
  return differs(sum, 1, [](int) { return 4; });
}
