// Loads of 16 bytes, and the rest one by one. Sums of blocks need not begin at a multiple of 16 bytes.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_THREAD_SUM
#include "rest.h"

__device__ float thread_sum(const float *in, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  bool aligned = reinterpret_cast<size_t>(in) % sizeof(float4) == 0;
  int fours = aligned ? n / 4 : 0;
  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = first; i < fours; i += threads) {
    float4 four = reinterpret_cast<const float4 *>(in)[i];
    sums.x += four.x;
    sums.y += four.y;
    sums.z += four.z;
    sums.w += four.w;
  }
  for (int i = 4 * fours + first; i < n; i += threads) sums.x += in[i];
  return (sums.x + sums.y) + (sums.z + sums.w);
}
