// x runs along the rows of out, in blocks of 8 x 32: a warp loads 8 sectors and stores 4.
// verdict: pass
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int out_column = blockIdx.x * blockDim.x + threadIdx.x;
  int out_row = blockIdx.y * blockDim.y + threadIdx.y;
  if (out_row < cols && out_column < rows)
    out[out_row * rows + out_column] = in[out_column * cols + out_row];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block{8, 32, 1};
  dim3 grid{(unsigned)(rows + 7) / 8, (unsigned)(cols + 31) / 32, 1};
  copy<<<grid, block>>>(in, out, rows, cols);
}
