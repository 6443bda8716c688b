// The lanes that have an element shuffle among themselves: in the last warp the others take no
// part, and what a shuffle reads from them is undefined.
// verdict: partial
// loses: many
// may-lose: many_work many_time
// reason: what a shuffle read from a lane that takes no part
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_MANY
#include "rest.h"
__global__ void tail(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = in[i];
    unsigned mask = __activemask();
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
  }
}
void sum_many(const float *in, float *out, int n) {
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  tail<<<(n + 255) / 256, 256>>>(in, out, n);
}
