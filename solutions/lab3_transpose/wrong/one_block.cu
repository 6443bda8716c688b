// One block of the right shape walks over the whole matrix: one multiprocessor does all.
// verdict: partial
// loses: time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  for (int row = threadIdx.y; row < rows; row += blockDim.y)
    for (int column = threadIdx.x; column < cols; column += blockDim.x)
      out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<1, dim3(8, 32)>>>(in, out, rows, cols);
}
