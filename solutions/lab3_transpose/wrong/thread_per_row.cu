// A thread walks along a row of in: in every step the lanes of a warp load from 32 rows.
// verdict: partial
// loses: loads time
// reason: sectors
__global__ void copy_row(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int column = 0; column < cols; column++)
      out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy_row<<<(rows + 63) / 64, 64>>>(in, out, rows, cols);
}
