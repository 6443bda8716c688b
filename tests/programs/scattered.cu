// Whose page has all that there is: an inefficient line in a header, a race, output that is markup.
//     ./grade run --html page.html tests/programs/scattered.cu
#include <cstdio>
#include <cstdlib>

#include "scattered.h"

__global__ void sum(float *a) {
  __shared__ float part[64];
  part[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = part[63 - threadIdx.x];
}

__global__ void twice(float *a) { put(a, threadIdx.x, 2); }

int main(int argc, char **argv) {
  float *a;
  cudaMalloc(&a, 64 * 64 * sizeof(float));
  cudaMemset(a, 0, 64 * 64 * sizeof(float));
  for (int i = 0; i < 60; i++) twice<<<1, 64>>>(a);
  sum<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
    printf("%05d <script>alert(1)</script> \033[31m \xff\n", i);
  fprintf(stderr, "<img src=x onerror=alert(2)>\n");
  return 4;
}
