// transpose.cu: out = the transpose of in, in the ways of labs 3 and 4. Row-major: in is rows x cols.
#include "../suite.h"

namespace {

__global__ void transpose_naive(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

// Through a tile of TILE x TILE elements and PAD unused columns; blocks of TILE x HIGH threads.
template <int TILE, int HIGH, int PAD>
__global__ void transpose_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];  // thread (x, y) writes [y + j][x]
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  for (int j = 0; j < TILE; j += HIGH)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  __syncthreads();  // read after write: other warps wrote the column
  int out_column = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
  for (int j = 0; j < TILE; j += HIGH)
    if (out_row + j < cols && out_column < rows)
      out[(out_row + j) * rows + out_column] = tile[x][y + j];
}

// No padding: row r of the tile is turned by r, so that a column is in 32 banks, too.
__global__ void transpose_swizzled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][32];  // thread (x, y) writes [y + j][x ^ (y + j)]
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  for (int j = 0; j < 32; j += 8)
    if (row + j < rows && column < cols) tile[y + j][x ^ (y + j)] = in[(row + j) * cols + column];
  __syncthreads();  // read after write: other warps wrote the column
  int out_column = blockIdx.y * 32 + x, out_row = blockIdx.x * 32 + y;
  for (int j = 0; j < 32; j += 8)
    if (out_row + j < cols && out_column < rows)
      out[(out_row + j) * rows + out_column] = tile[x][(y + j) ^ x];
}

// Each thread moves a square of 4 x 4: float4 along rows of in, float4 along rows of out. rows and cols are multiples of 4.
__global__ void transpose_float4(const float *in, float *out, int rows, int cols) {
  int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= rows || column >= cols) return;
  float4 a = *(const float4 *)(in + row * cols + column);
  float4 b = *(const float4 *)(in + (row + 1) * cols + column);
  float4 c = *(const float4 *)(in + (row + 2) * cols + column);
  float4 d = *(const float4 *)(in + (row + 3) * cols + column);
  *(float4 *)(out + column * rows + row) = make_float4(a.x, b.x, c.x, d.x);
  *(float4 *)(out + (column + 1) * rows + row) = make_float4(a.y, b.y, c.y, d.y);
  *(float4 *)(out + (column + 2) * rows + row) = make_float4(a.z, b.z, c.z, d.z);
  *(float4 *)(out + (column + 3) * rows + row) = make_float4(a.w, b.w, c.w, d.w);
}

// ---- launches ----

// A block moves a tile `wide` x `high`.
void run(const char *name, void (*kernel)(const float *, float *, int, int), int rows, int cols,
         int wide, int high, dim3 block) {
  dim3 grid(cover(cols, wide), cover(rows, high));
  if (!next_launch(name, grid, block, "%d x %d, block %ux%u", rows, cols, block.x, block.y)) return;
  size_t count = (size_t)rows * cols;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, rows, cols);
  expect(
      out, count, [=](size_t i) { return value(i % rows * cols + i / rows); }, 0);
}

void naive(int n, int x, int y) { run("transpose_naive", transpose_naive, n, n, x, y, dim3(x, y)); }

}  // namespace

void family_transpose() {
  static const int shapes[][2] = {{32, 32}, {32, 8}, {8, 32}, {16, 16}, {4, 32}, {1, 256}};
  for (auto &shape : shapes)
    for (int n : {1000, 2048, 4096}) naive(n, shape[0], shape[1]);
  naive(100, 32, 8);
  naive(3000, 8, 32);
  naive(8192, 8, 32);
  naive(8192, 32, 32);
  run("transpose_naive", transpose_naive, 100, 50000, 32, 8, dim3(32, 8));
  run("transpose_naive", transpose_naive, 50000, 100, 8, 8, dim3(8, 8));
  for (int n : {1024, 4096}) {
    run("transpose_tile<32, 32, 0>", transpose_tile<32, 32, 0>, n, n, 32, 32, dim3(32, 32));
    run("transpose_tile<32, 32, 1>", transpose_tile<32, 32, 1>, n, n, 32, 32, dim3(32, 32));
    run("transpose_tile<16, 16, 1>", transpose_tile<16, 16, 1>, n, n, 16, 16, dim3(16, 16));
  }
  for (int n : {1000, 2048, 4096, 8192}) {
    run("transpose_tile<32, 8, 0>", transpose_tile<32, 8, 0>, n, n, 32, 32, dim3(32, 8));
    run("transpose_tile<32, 8, 1>", transpose_tile<32, 8, 1>, n, n, 32, 32, dim3(32, 8));
  }
  for (int n : {2047, 4096})
    run("transpose_swizzled", transpose_swizzled, n, n, 32, 32, dim3(32, 8));
  for (int n : {1000, 4096}) run("transpose_float4", transpose_float4, n, n, 32, 64, dim3(8, 16));
}
