// slow.cu: a kernel that takes a few seconds to simulate.
#include <cstdio>

__global__ void spin(float *a, int n) {
  float x = threadIdx.x;
  for (int i = 0; i < n; i++) x = x * 1.0001f + i % 7;
  a[threadIdx.x] = x;
}

int main() {
  float *a;
  cudaMalloc(&a, 4096);
  printf("Computing... ");
  fflush(stdout);
  for (int i = 0; i < 3; i++) spin<<<1, 1024>>>(a, 200000 + i);
  cudaDeviceSynchronize();
  printf("done\n");
}
