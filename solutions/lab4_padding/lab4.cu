// Lab 4: out = the transpose of in, through tiles in shared memory without and with padding.
//
//   make lab4 && ./grade lab4              build and grade labs/lab4_padding/lab4.cu
//   ./grade lab4 --explain                 the counters of every line of it
//
// Row-major float matrices in device memory: in is rows x cols, out is cols x rows. A block loads a
// tile by rows of in and stores it by rows of out: columns are read in shared memory only.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

constexpr int TILE = 32;    // a tile is TILE x TILE elements, a warp one row of it
constexpr int BLOCK_Y = 8;  // a block is TILE x BLOCK_Y threads: TILE / BLOCK_Y elements a thread

__global__ void tiled_kernel(const float *in, float *out, int rows, int cols) {
  //: // TODO(1) Declare a tile in shared memory, TILE x TILE floats, without padding.
  //: // TODO(2) Load it: lanes along a row of in, elements outside of in left out. The block has
  //: // BLOCK_Y rows of threads and the tile TILE: every thread takes the rows y, y + BLOCK_Y, ...
  //: // TODO(3) A barrier. Say in its comment which read would go wrong without it.
  //: // TODO(4) Store the tile transposed: lanes along a row of out, so down a column of the tile.
  //: // The tile's place changes, too: what came from (blockIdx.y, blockIdx.x) goes where in out?
  //: (void)in, (void)out, (void)rows, (void)cols;
  // SOLUTION BEGIN
  // TILE rows x TILE columns. Thread (x, y) writes [y + j][x] and reads [x][y + j], which a thread
  // of another warp wrote.
  __shared__ float tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  // Read after write: without this barrier a thread would read elements of its column that other
  // warps have not written yet. All threads reach it: no one has returned.
  __syncthreads();

  // Block (bx, by) read tile (by, bx) of in and writes tile (bx, by) of out. The lanes of a warp
  // read one column, whose elements are TILE words apart: one bank, 32 wavefronts.
  int out_column = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (out_row + j < cols && out_column < rows)
      out[(out_row + j) * rows + out_column] = tile[x][y + j];
  // SOLUTION END
}

__global__ void padded_kernel(const float *in, float *out, int rows, int cols) {
  //: // TODO(5) The same, padded: how long must a row of the tile be for a column to lie in 32 banks?
  //: (void)in, (void)out, (void)rows, (void)cols;
  // SOLUTION BEGIN
  // TILE rows x (TILE + 1) columns, the last one unused: element [i][k] lies in bank (i + k) % 32, so
  // those of a column in 32 banks, as those of a row do. Who writes and who reads what: as above.
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  __syncthreads();  // read after write, as above: the barrier comes before anyone reads a column

  int out_column = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (out_row + j < cols && out_column < rows)
      out[(out_row + j) * rows + out_column] = tile[x][y + j];
  // SOLUTION END
}

// Both are called by the harness. in and out are device pointers.
//: // TODO(6) In both: as many blocks as there are tiles; round up.
void transpose_tiled(const float *in, float *out, int rows, int cols) {
  //: tiled_kernel<<<dim3(1, 1), dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  // SOLUTION BEGIN
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  tiled_kernel<<<grid, dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  // SOLUTION END
  CHECK(cudaGetLastError());
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  //: padded_kernel<<<dim3(1, 1), dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  // SOLUTION BEGIN
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  padded_kernel<<<grid, dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  // SOLUTION END
  CHECK(cudaGetLastError());
}
