// All three vectors are prefetched to the device, but the result not back: the host faults it in.
// verdict: partial
// loses: nofaults
// reason: nothing brings the result back
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_PREFETCHED
#include "rest.h"

void add_prefetched(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  float *vector[3];
  for (float *&v : vector) CHECK(cudaMallocManaged(&v, bytes));
  memcpy(vector[0], a, bytes);
  memcpy(vector[1], b, bytes);
  CHECK(cudaEventRecord(start));
  for (float *v : vector) CHECK(prefetch(v, bytes, true));
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[1], vector[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, vector[2], bytes);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
