// A product by a loop of atomicCAS; with a plain store in place of the last step, updates get lost.
// rule: atomics
// race: A A product | A B product
// fix: atomic
#include "pair.h"

__global__ void multiply(unsigned *product) {
  unsigned seen = atomicOr(product, 0), expected; // [B]
  do {
    expected = seen;
    seen = atomicCAS(product, expected, expected * 3 + 1); // racy: *product = expected * 3 + 1; // [A]
  } while (seen != expected);
}

int main() {
  unsigned *product = make<unsigned>("product", 1);
  multiply<<<4, 1>>>(product);
  return differs(product, 1, [](int) { return 40; });
}
