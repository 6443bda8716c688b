// A scan with look-back over several blocks: 1 says that the block's own sum is there, 2 that the sum up to it is.
// rule: look-back
// race: A B own | B C own
// fix: fence
#include "pair.h"

__global__ void scan(int *own, int *upto, int *state, int *out) {
  int b = blockIdx.x, before = 0;
  own[b] = b; // [A]
  __threadfence(); // racy: (nothing)
  atomicExch(&state[b], 1);
  for (int k = b - 1; k >= 0; k--) {
    int seen;
    while ((seen = atomicAdd(&state[k], 0)) == 0) {
    }
    __threadfence();
    before += seen == 2 ? upto[k] : own[k]; // [B]
    if (seen == 2) break;
  }
  upto[b] = before + b; // [C]
  __threadfence();
  atomicExch(&state[b], 2);
  out[b] = before;
}

int main() {
  int *own = make<int>("own", 8), *upto = make<int>("upto", 8), *state = make<int>("state", 8), *out = make<int>("out", 8);
  scan<<<8, 1>>>(own, upto, state, out);
  return differs(out, 8, [](int i) { return i * (i - 1) / 2; });
}
