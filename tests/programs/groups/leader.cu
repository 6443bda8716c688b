// One lane has a value that it gives to the others, whose variable is not set: they call functions
// with it all the same.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__device__ int next;
__device__ __forceinline__ int first(int v) { return __shfl_sync(0xffffffff, v, 0); }
__global__ void shuffle(int *out) {
  int t = threadIdx.x, base;
  if (t % 32 == 0) base = atomicAdd(&next, 32);
  out[t] = first(base) + t % 32;
}
__global__ void aggregate(int *out) {
  auto group = cg::coalesced_threads();
  int base;
  if (group.thread_rank() == 0) base = atomicAdd(&next, group.size());
  out[threadIdx.x] = group.shfl(base, 0) + group.thread_rank();
}
int main() {
  int *out, wrong = 0;
  cudaMallocManaged(&out, 128 * sizeof(int));
  shuffle<<<1, 64>>>(out);
  aggregate<<<1, 64>>>(out + 64);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i++) wrong += out[i] != i;
  printf("%d of 128 wrong\n", wrong);
  return wrong > 0;
}
