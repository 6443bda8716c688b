// Through a padded tile in shared memory, which is lab 4: coalesced on both sides.
// verdict: pass
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (row + j < rows && column < cols)
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * cols + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (row + j < cols && column < rows)
      out[(row + j) * rows + column] = tile[threadIdx.x][threadIdx.y + j];
}

void transpose(const float *in, float *out, int rows, int cols) {
  through_tile<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
