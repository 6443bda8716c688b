// Swaps pairs of elements inside of in, which belongs to the caller, then copies it to out.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// hazard: input_write
__global__ void swap_pairs(float *matrix, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= row) return;
  float upper = matrix[column * n + row];
  matrix[column * n + row] = matrix[row * n + column];
  matrix[row * n + column] = upper;
}

void transpose(const float *in, float *out, int rows, int cols) {
  int n = rows < cols ? rows : cols;
  dim3 block(8, 32), grid((n + 7) / 8, (n + 31) / 32);
  swap_pairs<<<grid, block>>>((float *)in, n);
  cudaMemcpy(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
}
