// slow.cu: after two seconds kernels, each twice as long as the last, until three have passed.
#include <chrono>
#include <cstdio>
#include <thread>

__global__ void spin(float *a, int n) {
  float x = threadIdx.x;
  for (int i = 0; i < n; i++) x = x * 1.0001f + i % 7;
  a[threadIdx.x] = x;
}

int main() {
  auto begin = std::chrono::steady_clock::now();
  float *a;
  cudaMalloc(&a, 1024);
  printf("Computing... ");
  fflush(stdout);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  for (int i = 0; std::chrono::steady_clock::now() - begin < std::chrono::seconds(3); i++) {
    spin<<<1, 256>>>(a, 300000 << i);
    cudaDeviceSynchronize();
  }
  printf("done\n");
}
