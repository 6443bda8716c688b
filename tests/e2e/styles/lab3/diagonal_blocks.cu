// Blocks in diagonal order, as against partition camping on old devices; 8 x 32 threads.
// verdict: pass
__global__ void copy(const float *in, float *out, int rows, int cols) {
  unsigned by = blockIdx.x % gridDim.y;
  unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  by = id % gridDim.y;
  unsigned bx = (id / gridDim.y + by) % gridDim.x;
  int column = bx * 8 + threadIdx.x, row = by * 32 + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
