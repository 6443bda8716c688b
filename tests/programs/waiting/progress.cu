// The host follows the progress of a kernel that does not wait for it.
#include <cstdio>
__global__ void count(volatile int *done, int *data) {
  for (int i = 0; i < 100; i++) {
    data[i] = i;
    __threadfence_system();
    *done = i + 1;
  }
}
int main() {
  int *done, *data;
  cudaMallocManaged(&done, sizeof *done);
  cudaHostAlloc(&data, 100 * sizeof *data, cudaHostAllocMapped);
  *done = 0;
  count<<<1, 1>>>(done, data);
  while (*(volatile int *)done < 100) {}
  printf("%d ", ((volatile int *)data)[99]);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
