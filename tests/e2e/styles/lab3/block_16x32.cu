// Blocks of 16 x 32: loads are perfect, but a warp of 16 x 2 threads stores 16 sectors.
// verdict: partial
// loses: stores time
#define CEIL(a, b) (((a) + (b)-1) / (b))
#define INDEX(i, j, width) ((size_t)(i) * (width) + (j))
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int i = threadIdx.y + blockDim.y * blockIdx.y, j = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < rows) {
    if (j < cols) out[INDEX(j, i, rows)] = in[INDEX(i, j, cols)];
  }
}

void transpose(const float *in, float *out, int rows, int cols) {
  const dim3 threads(16, 32);
  const dim3 blocks(CEIL(cols, threads.x), CEIL(rows, threads.y));
  copy<<<blocks, threads, 0, 0>>>(in, out, rows, cols);
}
