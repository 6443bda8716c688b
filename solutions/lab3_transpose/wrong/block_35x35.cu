// A block of 35 x 35 is 1225 threads: the launch is refused, and nobody looks at the error.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// hazard: launch 18
// reason: 1024
#define BLOCK_X 35
#define BLOCK_Y 35

__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * BLOCK_X + threadIdx.x;
  int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(BLOCK_X, BLOCK_Y);
  dim3 grid((cols + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
  copy<<<grid, block>>>(in, out, rows, cols);
}
