// As many blocks as the multiprocessors hold, each of which walks over the matrix.
// verdict: pass
__global__ void copy(const float *in, float *out, int rows, int cols) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += blockDim.y * gridDim.y)
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < cols;
         column += blockDim.x * gridDim.x)
      out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  int device, count;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  copy<<<dim3(count / 4, 32), dim3(8, 32)>>>(in, out, rows, cols);
}
