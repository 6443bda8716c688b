// The same into another array, which a kernel copies.
// most: 0
// says: one by one
__global__ void copy(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
void transpose(const float *in, float *out, int rows, int cols) {
  float *turned;
  int count = rows * cols;
  cudaMalloc(&turned, count * sizeof(float));
  for (int j = 0; j < cols; j++)
    cudaMemcpy2D(turned + (size_t)j * rows, sizeof(float), in + j, cols * sizeof(float), sizeof(float), rows,
                 cudaMemcpyDeviceToDevice);
  copy<<<(count + 255) / 256, 256>>>(turned, out, count);
  cudaFree(turned);
}
