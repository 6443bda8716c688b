// Work in the default stream, which is a thread's own with --default-stream per-thread. Two threads
// add to one array at the same time: a race then, and none with the legacy stream.
#include <thread>

__global__ void add(int *to) { to[threadIdx.x]++; }

int main() {
  int *array;
  cudaMalloc(&array, 32 * sizeof *array);
  cudaMemset(array, 0, 32 * sizeof *array);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; i++) std::thread([=] { add<<<1, 32>>>(array); }).join();
  return cudaDeviceSynchronize();
}
