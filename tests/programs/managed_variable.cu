// Copies that name a __managed__ variable, on either side and in any direction.
#include <cuda_runtime.h>
#include <stdio.h>

__managed__ int numbers[8];

__global__ void add(int value) { numbers[threadIdx.x] += value; }

int main() {
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8] = {0}, *device;
  cudaMalloc(&device, sizeof host);
  int failed = cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
  add<<<1, 8>>>(10);
  failed |= cudaMemcpy(read, numbers, sizeof read, cudaMemcpyDeviceToHost);
  failed |= cudaMemcpy(device, numbers, sizeof read, cudaMemcpyDeviceToDevice);
  add<<<1, 8>>>(10);
  failed |= cudaMemcpy(numbers, device, sizeof read, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", failed, read[0], read[7], numbers[7]);
}
