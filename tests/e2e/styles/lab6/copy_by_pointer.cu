// Step 1 calls cudaMemcpy by a pointer to it, which the program could let point to a version that logs.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_PAGEABLE
#include "rest.h"

// --- Step 1: pageable memory. The vectors of the host are as malloc would give them. ---

void add_pageable(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  CHECK(cudaEventRecord(device.start));
  cudaError_t (*copy)(void *, const void *, size_t, cudaMemcpyKind) = cudaMemcpy;
  size_t bytes = n * sizeof(float);
  CHECK(copy(device.a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(copy(device.b, b, bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(copy(out, device.out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  device_delete(device);
}
