// A kernel waits for what nobody stores: the host waits for it, in several threads or at its end.
#include <cstdio>
#include <cstring>
#include <thread>
__global__ void spin(volatile int *flag) {
  while (!*flag) {}
}
int main(int argc, char **argv) {
  int *flag;
  cudaMallocManaged(&flag, sizeof *flag);
  *flag = 0;
  spin<<<1, 32>>>(flag);
  if (argc > 1 && !strcmp(argv[1], "end")) return 0;
  std::thread other;
  if (argc > 1) other = std::thread([] { cudaStreamSynchronize(0); });
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (argc > 1) other.join();
}
