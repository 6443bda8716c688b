// Who waits at the barrier that copies arrive at has all of them.
// rule: asynchronous copies
// race: B A shared tile
// fix: wait
#include <cuda/barrier>

#include "pair.h"

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  int t = threadIdx.x;
  if (t == 0) init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[t], in + t, sizeof(int), full); // [A]
  cuda::barrier<cuda::thread_scope_block>::arrival_token token = full.arrive();
  full.wait(static_cast<decltype(token) &&>(token)); // racy: __syncthreads(), (void)token;
  out[t] = tile[127 - t]; // [B]
}

int main() {
  int *in = make<int>("in", 128), *out = make<int>("out", 128);
  reverse<<<1, 128>>>(in, out);
  return differs(out, 128, [](int) { return 0; });
}
