// Nothing is wrong with it: nothing is said.
#include <cstdio>

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

int main() {
  int *p;
  cudaMallocManaged(&p, 100 * sizeof(int));
  fill<<<1, 128>>>(p, 100);
  cudaDeviceSynchronize();
  printf("%d\n", p[99]);
  cudaFree(p);
}
