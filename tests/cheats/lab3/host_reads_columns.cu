// The columns are read by the host, one at a time, and come back as rows.
// most: 0
#include <vector>
__global__ void copy(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
void transpose(const float *in, float *out, int rows, int cols) {
  std::vector<float> turned((size_t)rows * cols);
  float *scratch;
  cudaMalloc(&scratch, turned.size() * sizeof(float));
  for (int j = 0; j < cols; j++)
    cudaMemcpy2D(&turned[(size_t)j * rows], sizeof(float), in + j, cols * sizeof(float), sizeof(float), rows,
                 cudaMemcpyDeviceToHost);
  cudaMemcpy(scratch, turned.data(), turned.size() * sizeof(float), cudaMemcpyHostToDevice);
  copy<<<(turned.size() + 255) / 256, 256>>>(scratch, out, (int)turned.size());
  cudaFree(scratch);
}
