// The host adds into a managed variable, and a kernel copies it to another.
// most: 87
#define OWN_VARIABLES
#include "rest.h"

__global__ void through(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void add_variables(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < n; i++) managed_a[i] = a[i] + b[i];
  memcpy(managed_b, b, n * sizeof(float));
  CHECK(cudaEventRecord(start));
  through<<<blocks_for(n), BLOCK>>>(managed_a, managed_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, managed_out, n * sizeof(float));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
