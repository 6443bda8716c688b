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
  // TODO(1) Declare a tile in shared memory, TILE x TILE floats, without padding.
  // TODO(2) Load it: lanes along a row of in, elements outside of in left out. The block has
  // BLOCK_Y rows of threads and the tile TILE: every thread takes the rows y, y + BLOCK_Y, ...
  // TODO(3) A barrier. Say in its comment which read would go wrong without it.
  // TODO(4) Store the tile transposed: lanes along a row of out, so down a column of the tile.
  // The tile's place changes, too: what came from (blockIdx.y, blockIdx.x) goes where in out?
  (void)in, (void)out, (void)rows, (void)cols;
}

__global__ void padded_kernel(const float *in, float *out, int rows, int cols) {
  // TODO(5) The same, padded: how long must a row of the tile be for a column to lie in 32 banks?
  (void)in, (void)out, (void)rows, (void)cols;
}

// Both are called by the harness. in and out are device pointers.
// TODO(6) In both: as many blocks as there are tiles; round up.
void transpose_tiled(const float *in, float *out, int rows, int cols) {
  tiled_kernel<<<dim3(1, 1), dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  padded_kernel<<<dim3(1, 1), dim3(TILE, BLOCK_Y)>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}
