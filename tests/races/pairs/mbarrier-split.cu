// Arriving says that one's own work is done; only waiting that the others' is.
// rule: mbarriers
// race: B A shared tile
// fix: __syncthreads
#include <cuda/barrier>

#include "pair.h"

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  int t = threadIdx.x;
  if (t == 0) init(&ready, blockDim.x);
  __syncthreads();
  tile[t] = in[t] + t; // [A]
  auto token = ready.arrive();
  int own = in[t];
  ready.wait(static_cast<decltype(token) &&>(token)); // racy: (void)token;
  out[t] = own + tile[127 - t]; // [B]
}

int main() {
  int *in = make<int>("in", 128), *out = make<int>("out", 128);
  reverse<<<1, 128>>>(in, out);
  return differs(out, 128, [](int t) { return 127 - t; });
}
