// Keeps the upper 16 bits of each float, "enough for a GPU": every element loses its last digits.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols)
    out[column * rows + row] =
        __uint_as_float(__float_as_uint(in[row * cols + column]) & 0xffff0000u);
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
