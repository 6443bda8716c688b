/* lbm.cu: some steps of Scotty1234/CUDA-Lattice-Boltzmann, whose own main() goes on for long and
 * writes files. Arguments: width (a block), height (blocks). */
#include "kernels.cuh"
#include <cstdlib>
int main(int, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  size_t cells = (size_t)width * height;
  float *now, *next, *macro, *vorticity;
  cudaMalloc((void **)&now, cells * 9 * sizeof(float));
  cudaMalloc((void **)&next, cells * 9 * sizeof(float));
  cudaMalloc((void **)&macro, cells * 3 * sizeof(float));
  cudaMalloc((void **)&vorticity, cells * sizeof(float));
  initialise<float><<<height, width>>>(1.0f, now);
  simulateIteration<float><<<height, width>>>(now, macro, nullptr, next, true, 0);
  computeVorticity<float><<<height, width>>>(macro, vorticity);
  return cudaDeviceSynchronize() != cudaSuccess;
}
