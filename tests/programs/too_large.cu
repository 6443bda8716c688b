// Arrays that the GPU or the machine has no room for.
#include <cstdio>
int main() {
  void *array;
  size_t gigabyte = (size_t)1 << 30;
  printf("%s ", cudaGetErrorName(cudaMalloc(&array, 200 * gigabyte)));
  printf("%s ", cudaGetErrorName(cudaMallocManaged(&array, 78 * gigabyte)));
  printf("%s ", cudaGetErrorName(cudaMalloc(&array, 78 * gigabyte)));
  cudaGetLastError();
  printf("%s\n", cudaGetErrorName(cudaMalloc(&array, 1000)));
}
