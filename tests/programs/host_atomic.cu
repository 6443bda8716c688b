// Host and kernel count in managed memory at the same time, both by atomics; with an argument the
// host does so by a plain store.
#include <cstdio>

__global__ void count(int *p) { atomicAdd_system(p, 1); }

int main(int argc, char **) {
  int *p;
  cudaMallocManaged(&p, sizeof *p);
  *p = 0;
  count<<<4, 32>>>(p);
  if (argc > 1)
    *p += 10;
  else
    __sync_fetch_and_add(p, 10);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
}
