// The second kernel goes without shared memory: a warp transposes 32 x 32 in registers by shuffles.
// verdict: partial
// loses: pad_banks
// may-lose: pad_time
// reason: no accesses to shared memory
constexpr int TILE = 32;

__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows && column < cols) tile[y][x] = in[row * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (row < cols && column < rows) out[row * rows + column] = tile[x][y];
}

// Exchanges the off-diagonal quarters of squares of 32, 16, ... 2: in the end, value[j] of lane i
// with value[i] of lane j.
__global__ void exchanged(const float *in, float *out, int rows, int cols) {
  int lane = threadIdx.x, top = blockIdx.y * 32, left = blockIdx.x * 32;
  float value[32];
#pragma unroll
  for (int j = 0; j < 32; j++)
    value[j] = top + j < rows && left + lane < cols ? in[(top + j) * cols + left + lane] : 0;
#pragma unroll
  for (int half = 16; half > 0; half /= 2)
#pragma unroll
    for (int j = 0; j < 32; j++) {
      if (j & half) continue;
      bool upper = lane & half;
      float sent = upper ? value[j] : value[j + half];
      float got = __shfl_xor_sync(0xffffffff, sent, half);
      if (upper)
        value[j] = got;
      else
        value[j + half] = got;
    }
#pragma unroll
  for (int j = 0; j < 32; j++)
    if (left + j < cols && top + lane < rows) out[(left + j) * rows + top + lane] = value[j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(32, 32), grid((cols + 31) / 32, (rows + 31) / 32);
  tiled<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  exchanged<<<dim3((cols + 31) / 32, (rows + 31) / 32), 32>>>(in, out, rows, cols);
}
