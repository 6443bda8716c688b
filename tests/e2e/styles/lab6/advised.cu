// Beside the prefetches, the driver is told where pages are read and where they are best kept.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_PREFETCHED
#include "rest.h"

// Moves pages to the device, or to the host, before they are touched there.
static cudaError_t advise(const void *pages, size_t bytes, cudaMemoryAdvise advice, bool device) {
#if CUDART_VERSION >= 13000
  cudaMemLocation there = {device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0};
  return cudaMemAdvise(pages, bytes, advice, there);
#else
  return cudaMemAdvise(pages, bytes, advice, device ? 0 : cudaCpuDeviceId);
#endif
}

void add_prefetched(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  float *vector[3];
  for (float *&v : vector) CHECK(cudaMallocManaged(&v, bytes));
  CHECK(advise(vector[0], bytes, cudaMemAdviseSetReadMostly, true));
  CHECK(advise(vector[1], bytes, cudaMemAdviseSetReadMostly, true));
  CHECK(advise(vector[2], bytes, cudaMemAdviseSetPreferredLocation, true));
  memcpy(vector[0], a, bytes);
  memcpy(vector[1], b, bytes);
  CHECK(cudaEventRecord(start));
  for (float *v : vector) CHECK(prefetch(v, bytes, true));
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[1], vector[2], n);
  CHECK(cudaGetLastError());
  CHECK(prefetch(vector[2], bytes, false));
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, vector[2], bytes);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
