// A transpose in global memory, handed in twice: barriers and banks of tiles that are not there. It keeps correctness,
// memory safety and time.
// most: 56

__global__ void turn(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
