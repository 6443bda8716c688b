// One warp fills a buffer for the others, which say when they have used it.
// rule: mbarriers
// race: A B shared tile
// fix: __syncthreads
// also: deadlock
#include <cuda/barrier>

#include "pair.h"

typedef cuda::barrier<cuda::thread_scope_block> block_barrier;

__global__ void sum(const int *in, int *out) {
  __shared__ int tile[32];
  __shared__ block_barrier full, empty;
  int t = threadIdx.x, total = 0;
  if (t == 0) init(&full, blockDim.x), init(&empty, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    if (t < 32) {
      if (i) empty.arrive_and_wait(); // racy: if (i) (void)empty.arrive();
      tile[t] = in[32 * i + t] + i; // [A]
      (void)full.arrive();
    } else {
      if (i) (void)empty.arrive();
      full.arrive_and_wait();
      total += tile[63 - t]; // [B]
    }
  }
  if (t >= 32) out[t - 32] = total;
}

int main() {
  int *in = make<int>("in", 128), *out = make<int>("out", 32);
  sum<<<1, 64>>>(in, out);
  return differs(out, 32, [](int) { return 6; });
}
