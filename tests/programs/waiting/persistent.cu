// A persistent kernel: its blocks meet in rounds until one thread sees that the host says stop.
#include <cooperative_groups.h>
#include <cstdio>
__global__ void persist(const int *stop, volatile int *rounds, volatile int *stopped) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (bool over = false; !over;) {
    if (grid.thread_rank() == 0) {
      *stopped = __ldcv(stop);
      *rounds = *rounds + 1;
    }
    grid.sync();
    over = *stopped;
    grid.sync();
  }
}
int main() {
  int *stop, *rounds, *stopped;
  cudaMallocManaged(&stop, sizeof *stop);
  cudaMallocManaged(&rounds, sizeof *rounds);
  cudaMalloc(&stopped, sizeof *stopped);
  *stop = *rounds = 0;
  void *arguments[] = {&stop, &rounds, &stopped};
  cudaLaunchCooperativeKernel((void *)persist, dim3(3), dim3(64), arguments, 0, 0);
  while (*(volatile int *)rounds < 20) {}
  *(volatile int *)stop = 1;
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d\n", *rounds >= 20);
}
