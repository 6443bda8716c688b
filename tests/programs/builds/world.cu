// world.cu: objects on the device as ray tracers have them; the last line of destroy() deletes one
// twice. Compiled as many builds do: allocations through (void **).
#include <cstdio>

struct shape {
  int sides;
  __device__ explicit shape(int n) : sides(n) {}
};

__global__ void make(shape **world) {
  world[0] = new shape(3);
  world[1] = new shape(4);
}
__global__ void count(shape **world, int *sides, int n) {
  int i = threadIdx.x;
  if (i <= n) sides[i] = world[i % n]->sides;
}
__global__ void destroy(shape **world) {
  delete world[0];
  delete world[0];
}

int main() {
  shape **world;
  int *sides;
  cudaMallocManaged((void **)&world, 2 * sizeof *world);
  cudaMallocManaged((void **)&sides, 2 * sizeof *sides);
  make<<<1, 1>>>(world);
  count<<<1, 32>>>(world, sides, 2);
  cudaDeviceSynchronize();
  printf("%d %d\n", sides[0], sides[1]);
  destroy<<<1, 1>>>(world);
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
