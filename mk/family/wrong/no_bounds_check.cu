// The threads of the last block that have no row read and write all the same.
// verdict: partial
// loses: hazards
// hazard: oob 9
__global__ void sum_rows(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  (void)rows;
  float sum = 0.0f;
  for (int col = 0; col < cols; col++) sum += in[row * cols + col];
  out[row] = sum;
}

void rowsum(const float *in, float *out, int rows, int cols) {
  sum_rows<<<(rows + 127) / 128, 128>>>(in, out, rows, cols);
}
