// old.cu: a program for the CMake of old (CMakeLists.txt); prints 42.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void answer(int *to) { *to = 42; }

int main() {
  int *to, got = 0;
  cudaMalloc(&to, sizeof *to);
  answer<<<1, 1>>>(to);
  cudaMemcpy(&got, to, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(to);
  printf("%d\n", got);
}
