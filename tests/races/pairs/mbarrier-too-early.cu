// The barrier is initialised by one thread: others wait for that before they arrive.
// rule: mbarriers
// race: B A shared ready
// fix: __syncthreads
// also: uninit deadlock
#include <cuda/barrier>

#include "pair.h"

__global__ void pass(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  int t = threadIdx.x;
  if (t == 0) init(&ready, blockDim.x); // [A]
  __syncthreads(); // racy: (nothing)
  ready.arrive_and_wait(); // [B]
  out[t] = in[t];
}

int main() {
  int *in = make<int>("in", 128), *out = make<int>("out", 128);
  pass<<<1, 128>>>(in, out);
  return differs(out, 128, [](int) { return 0; });
}
