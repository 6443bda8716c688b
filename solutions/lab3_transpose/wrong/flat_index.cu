// One index for all elements, split by the wrong dimension: i / rows is no row of in.
// verdict: partial
// loses: shapes sizes stores time
// may-lose: loads
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) out[(i % rows) * cols + i / rows] = in[i];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<(rows * cols + 255) / 256, 256>>>(in, out, rows, cols);
}
