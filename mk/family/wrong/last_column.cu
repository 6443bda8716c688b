// The loop ends one column early.
// verdict: partial
// loses: small shapes
// reason: expected
__global__ void sum_rows(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int col = 0; col < cols - 1; col++) sum += in[row * cols + col];
  out[row] = sum;
}

void rowsum(const float *in, float *out, int rows, int cols) {
  sum_rows<<<(rows + 127) / 128, 128>>>(in, out, rows, cols);
}
