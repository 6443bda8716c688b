// Another thread opens the gate while this one waits in a call; a third one sleeps.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
__global__ void wait(int *gate, int *out) {
  while (atomicAdd_system(gate, 0) == 0) __nanosleep(100);
  if (threadIdx.x == 0) *out = atomicAdd_system(gate, 0);
}
int main() {
  int *gate, *out;
  std::atomic<bool> over{false};
  cudaMallocManaged(&gate, sizeof *gate);
  cudaMallocManaged(&out, sizeof *out);
  *gate = *out = 0;
  wait<<<1, 32>>>(gate, out);
  std::thread opens([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    *(volatile int *)gate = 7;
  });
  std::thread sleeps([&] {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  over = true;
  opens.join();
  sleeps.join();
  printf("%d\n", *out);
}
