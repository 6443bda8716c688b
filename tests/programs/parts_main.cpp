#include <cuda_runtime.h>

#include <cstdio>

#include "parts.h"

int main() {
  int *p, got = 0;
  cudaMalloc((void **)&p, 8 * sizeof(int));
  launch(p, 8);
  cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d\n", got);
}
