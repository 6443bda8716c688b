// The thread of the first call, which started the device, ends long before the program does.
#include <chrono>
#include <cstdio>
#include <thread>
int main() {
  int *p = nullptr;
  std::thread([&] { cudaMalloc(&p, sizeof *p); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  printf("%s\n", cudaGetErrorName(cudaMemset(p, 0, sizeof *p)));
}
