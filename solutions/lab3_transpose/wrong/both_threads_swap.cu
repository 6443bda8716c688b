// Copies in to out and swaps there, but both threads of a pair do it: they race.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// hazard: race
__global__ void swap_pairs(float *matrix, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float other = matrix[column * n + row];
  matrix[column * n + row] = matrix[row * n + column];
  matrix[row * n + column] = other;
}

void transpose(const float *in, float *out, int rows, int cols) {
  cudaMemcpy(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  swap_pairs<<<grid, block>>>(out, rows);
}
