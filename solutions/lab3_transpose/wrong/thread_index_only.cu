// Exchanges the indices within the block, but leaves the block where it was.
// verdict: partial
// loses: squares shapes sizes loads stores time
// may-lose: hazards
constexpr int SIDE = 16;

__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  int to_column = blockIdx.x * SIDE + threadIdx.y, to_row = blockIdx.y * SIDE + threadIdx.x;
  if (row < rows && column < cols && to_row < cols && to_column < rows)
    out[to_row * rows + to_column] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(SIDE, SIDE), grid((cols + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  copy<<<grid, block>>>(in, out, rows, cols);
}
