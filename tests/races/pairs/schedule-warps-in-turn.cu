// Warp 0 has written long before warp 7 reads; a warp in between, which waits for nobody, changes nothing.
// rule: schedule
// race: A B data
// fix: __syncthreads
#include "pair.h"

__global__ void hand_over(int *data, int *out) {
  int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) data[0] = 1; // [A]
  int work = warp;
  for (int i = 0; i < 100; i++) work = work * 3 + 1;
  __syncthreads(); // racy: (nothing)
  if (threadIdx.x == 224) *out = data[0] + (work == 0); // [B]
}

int main() {
  int *data = make<int>("data", 1), *out = make<int>("out", 1);
  hand_over<<<1, 256>>>(data, out);
  return differs(out, 1, [](int) { return 1; });
}
