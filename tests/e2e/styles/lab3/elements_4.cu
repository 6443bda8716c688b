// Four elements a thread: blocks of 8 x 8 threads over 8 x 32 elements.
// verdict: pass
constexpr int X = 8, Y = 8, EACH = 4;

__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * X + threadIdx.x;
  int row = blockIdx.y * Y * EACH + threadIdx.y;
#pragma unroll
  for (int i = 0; i < EACH; i++, row += Y)
    if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(X, Y), grid((cols + X - 1) / X, (rows + Y * EACH - 1) / (Y * EACH));
  copy<<<grid, block>>>(in, out, rows, cols);
}
