// With linked_more.cu: a kernel calls a function of another file and reads a variable there.
#include <cstdio>

extern __device__ int twice(int x);
extern __device__ int more;

__global__ void sum(int *p) { p[0] = twice(21) + more; }

int main() {
  int *p, got = 0;
  cudaMalloc(&p, sizeof got);
  sum<<<1, 1>>>(p);
  cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d\n", got);
}
