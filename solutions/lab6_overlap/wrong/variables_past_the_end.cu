// The kernel adds whole blocks: the last one goes past the variables, which have no room for it.
// verdict: partial
// loses: hazards
// may-lose: managed
// hazard: oob 20
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_KERNEL
#define OWN_ADD_VARIABLES
#include "rest.h"

// out[i] = a[i] + b[i]. The grid may have any size: a thread goes on by the number of threads.
__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i];
}

// n is at most VARIABLES.
void add_variables(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  memcpy(managed_a, a, n * sizeof(float));
  memcpy(managed_b, b, n * sizeof(float));
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(managed_a, managed_b, managed_out, blocks_for(n) * BLOCK);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, managed_out, n * sizeof(float));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
