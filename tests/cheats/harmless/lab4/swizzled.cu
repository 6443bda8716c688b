// A padded kernel without padding: columns are exchanged, [i][k ^ i].
// least: 100
template <bool SWIZZLE> __global__ void turn(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][32]; // element (y, x) is at [y][x ^ y] if SWIZZLE
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  for (int j = y; j < 32; j += 8)
    if (row + j < rows && column + x < cols)
      tile[j][SWIZZLE ? x ^ j : x] = in[(row + j) * cols + column + x];
  __syncthreads(); // the tile is complete before its columns are read
  for (int j = y; j < 32; j += 8)
    if (column + j < cols && row + x < rows)
      out[(column + j) * rows + row + x] = tile[x][SWIZZLE ? j ^ x : j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  turn<false><<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  turn<true><<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
