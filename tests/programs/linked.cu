// A kernel calls a function of linked_function.cu and reads a variable of linked_more.cu.
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
