// Indices "small enough for 16 bits": right up to 65536 elements.
// verdict: partial
// loses: sizes hazards loads stores time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  unsigned short column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned short from = row * cols + column, to = column * rows + row;
  if (row < rows && column < cols) out[to] = in[from];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
