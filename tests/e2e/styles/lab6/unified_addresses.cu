// One address for both: mapped memory, portable, too, without cudaHostGetDevicePointer.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_MAPPED
#include "rest.h"

// --- Step 4: mapped memory. The kernel itself reads and writes the memory of the host. ---

void add_mapped(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  int can_map;
  CHECK(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
  if (!can_map) {
    fprintf(stderr, "this device cannot map memory of the host\n");
    exit(EXIT_FAILURE);
  }
  float *host[3];
  for (int i = 0; i < 3; i++) {
    CHECK(cudaHostAlloc(&host[i], bytes, cudaHostAllocPortable | cudaHostAllocMapped));
  }
  memcpy(host[0], a, bytes);
  memcpy(host[1], b, bytes);
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(host[0], host[1], host[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, host[2], bytes);
  for (float *vector : host) CHECK(cudaFreeHost(vector));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
