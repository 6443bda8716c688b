// The host adds into managed memory, behind a kernel that has added something else.
// most: 87
#define OWN_MANAGED
#include "rest.h"

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
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[0], vector[1], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  for (int i = 0; i < n; i++) vector[2][i] = a[i] + b[i];
  memcpy(out, vector[2], bytes);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
