// A chained scan: each block waits for the sum of the one before. Between sum and flag there must be a fence.
// rule: look-back
// race: A B sum
// fix: fence
#include "pair.h"

__global__ void scan(int *sum, volatile int *ready, int *out) {
  int b = blockIdx.x, before = 0;
  if (b > 0) {
    while (ready[b - 1] == 0) {
    }
    __threadfence();
    before = sum[b - 1]; // [A]
  }
  sum[b] = before + b; // [B]
  __threadfence(); // racy: (nothing)
  ready[b] = 1;
  out[b] = before;
}

int main() {
  int *sum = make<int>("sum", 8), *ready = make<int>("ready", 8), *out = make<int>("out", 8);
  scan<<<8, 1>>>(sum, ready, out);
  return differs(out, 8, [](int i) { return i * (i - 1) / 2; });
}
