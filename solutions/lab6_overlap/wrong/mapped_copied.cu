// The mapped vectors are copied to others on the device, as if the kernel could not reach them.
// verdict: partial
// loses: nocopies
// reason: copies, so that the kernel does not access
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
  float *host[3], *device[3];
  for (int i = 0; i < 3; i++) {
    CHECK(cudaHostAlloc(&host[i], bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&device[i], host[i], 0));
  }
  memcpy(host[0], a, bytes);
  memcpy(host[1], b, bytes);
  float *copy[3];
  for (float *&vector : copy) CHECK(cudaMalloc(&vector, bytes));
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 2; i++) CHECK(cudaMemcpy(copy[i], host[i], bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(copy[0], copy[1], copy[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host[2], copy[2], bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, host[2], bytes);
  for (float *vector : host) CHECK(cudaFreeHost(vector));
  for (float *vector : copy) CHECK(cudaFree(vector));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
