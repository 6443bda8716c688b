// What the simulator lacks, a line each.
texture<float, 2> image;
__global__ void inner() {}
__global__ void outer() { inner<<<1, 1>>>(); }
__global__ void fetch(cudaTextureObject_t object, float *p) { *p = tex2D<float>(object, 1, 2); }
__global__ void __cluster_dims__(2) clustered() {}
__global__ void mapped(const CUtensorMap *map) {}
int main() {
  clustered<<<2, 1>>>();
  cudaArray_t array;
  cudaMallocArray(&array, nullptr, 1, 1);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cuInit(0);
  cudaNoSuchCall();
}
