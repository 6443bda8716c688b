// Stores down the columns of out, after eight rounds of stores along its rows that are written over.
// most: 67
__global__ void turn(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}
__global__ void fill(float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 0;
}

void transpose(const float *in, float *out, int rows, int cols) {
  for (int i = 0; i < 8; i++) fill<<<(rows * cols + 255) / 256, 256>>>(out, rows * cols);
  turn<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
