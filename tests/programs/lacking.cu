// What the simulator lacks, a line each.
#include <cuda.h>
texture<float, 2> image;
__global__ void __cluster_dims__(2) clustered() {}
__global__ void mapped(const CUtensorMap *map) {}
int main() {
  clustered<<<2, 1>>>();
  cudaMallocMipmappedArray(nullptr, nullptr, make_cudaExtent(1, 1, 1), 1);
  cudaBindTexture(nullptr, nullptr, nullptr, 4);
  cudaGraphDebugDotPrint(0, "graph.dot", 0);
  cuMemMapArrayAsync(0);
  cudaNoSuchCall();
}
