// One-dimensional blocks of 256, x and y by hand: 8 x 32.
// verdict: pass
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int lane_x = threadIdx.x % 8, lane_y = threadIdx.x / 8;
  int blocks_wide = (cols + 7) / 8;
  int column = (blockIdx.x % blocks_wide) * 8 + lane_x;
  int row = (blockIdx.x / blocks_wide) * 32 + lane_y;
  if (row >= rows || column >= cols) return;
  float value = in[row * cols + column];
  out[column * rows + row] = value;
}

void transpose(const float *in, float *out, int rows, int cols) {
  int blocks = ((cols + 7) / 8) * ((rows + 31) / 32);
  copy<<<blocks, 256>>>(in, out, rows, cols);
  cudaDeviceSynchronize();
}
