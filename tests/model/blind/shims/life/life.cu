/* life.cu: a generation of VirgilChen97/eecs468-game-of-life-cuda, which draws with OpenGL.
 * Argument: cells a side. */
#include <cuda_runtime.h>
#include "CudaLifeFunctions.h"
#include <cstdlib>
#include <vector>
int main(int, char **argv) {
  size_t n = atoi(argv[1]), cells = n * n;
  std::vector<mf::ubyte> world(cells);
  for (mf::ubyte &x : world) x = rand() >> 7 & 1;
  mf::ubyte *now, *next, *bits, *more;
  cudaMalloc((void **)&now, cells);
  cudaMalloc((void **)&next, cells);
  cudaMalloc((void **)&bits, cells / 8);
  cudaMalloc((void **)&more, cells / 8);
  cudaMemcpy(now, world.data(), cells, cudaMemcpyHostToDevice);
  mf::runBitLifeEncodeKernel(now, n, n, bits);
  mf::runNaiveGOL(now, next, n, n, 1, 256);
  mf::runBitLifeKernel(bits, more, n, n, 1, 256, 1);
  mf::runBitLifeDecodeKernel(bits, n, n, now);
  return cudaDeviceSynchronize() != cudaSuccess;
}
