// The host reads the result in managed memory while the kernel may still write it.
// verdict: partial
// loses: hazards
// may-lose: managed
// hazard: race 28
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_MANAGED
#include "rest.h"

// --- Step 5: managed memory. One pointer for both; pages move to whoever touches them. ---

void add_managed(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  float *vector[3];
  for (float *&v : vector) CHECK(cudaMallocManaged(&v, bytes));
  memcpy(vector[0], a, bytes);
  memcpy(vector[1], b, bytes);
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[1], vector[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  memcpy(out, vector[2], bytes);
  *milliseconds = milliseconds_between(start, stop);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
