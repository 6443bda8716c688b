// A kernel copies, and cudaMemcpy2D then turns what it wrote.
// most: 0
// says: one by one
__global__ void copy(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
void transpose(const float *in, float *out, int rows, int cols) {
  float *same;
  int count = rows * cols;
  cudaMalloc(&same, count * sizeof(float));
  copy<<<(count + 255) / 256, 256>>>(in, same, count);
  for (int j = 0; j < cols; j++)
    cudaMemcpy2D(out + (size_t)j * rows, sizeof(float), same + j, cols * sizeof(float), sizeof(float), rows,
                 cudaMemcpyDeviceToDevice);
  cudaFree(same);
}
