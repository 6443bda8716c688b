// A surface is written beyond its rows (x counts bytes), and a texture of an array that nobody has
// filled is read.
__global__ void read(cudaTextureObject_t texture, float *to) {
  to[threadIdx.x] = tex1D<float>(texture, threadIdx.x);
}
__global__ void write(cudaSurfaceObject_t surface) { surf1Dwrite(1.0f, surface, threadIdx.x * 8); }

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &desc, 32, 0, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  float *to;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  cudaMalloc(&to, 32 * sizeof *to);
  read<<<1, 32>>>(texture, to);
  write<<<1, 32>>>(surface);
  return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
