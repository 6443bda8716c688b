// Sum and flag in one word of 64 bits, written by one atomic: no fence is needed. A plain store of the word meets the polling.
// rule: look-back
// race: A B state
// fix: atomic
#include "pair.h"

__global__ void scan(unsigned long long *state, int *out) {
  int b = blockIdx.x;
  unsigned long long before = 1;
  if (b > 0) {
    do {
      before = atomicAdd(&state[b - 1], 0ull); // [A]
    } while (before == 0);
  }
  out[b] = (int)(before >> 32);
  unsigned long long mine = before + ((unsigned long long)b << 32);
  atomicExch(&state[b], mine); // racy: state[b] = mine; // [B]
}

int main() {
  unsigned long long *state = make<unsigned long long>("state", 8);
  int *out = make<int>("out", 8);
  scan<<<8, 1>>>(state, out);
  return differs(out, 8, [](int i) { return i * (i - 1) / 2; });
}
