// Lab 3: out = the transpose of in, through global memory alone: tune the shape of a block.
//
//   make lab3 && ./grade lab3              build and grade labs/lab3_transpose/lab3.cu
//   ./grade lab3 --explain                 the counters of every line of it
//   ./grade lab3 --sweep                   every shape of a block, the best one and yours
//
// Row-major float matrices in device memory: in is rows x cols, out is cols x rows.
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

__global__ void transpose_global(const float *in, float *out, int rows, int cols) {
  //: // TODO(1) Which element of in is this thread's? Compute its row and its column from blockIdx,
  //: // blockDim and threadIdx: let x run along a row of in.
  //: // TODO(2) The last blocks reach past in: a thread without an element must do nothing.
  //: // TODO(3) Copy in[row][column] to out[column][row]. In a row-major matrix with W columns,
  //: // (i, j) is element i * W + j. What is W for in, and what for out?
  //: (void)in, (void)out, (void)rows, (void)cols;
  // SOLUTION BEGIN
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= cols) return;  // the last blocks reach past in
  out[column * rows + row] = in[row * cols + column];
  // SOLUTION END
}

// A block is BLOCK_X x BLOCK_Y threads, 1024 at most; --sweep gives them values of its own.
//: // TODO(4) Once the result is right: choose the shape that keeps loads and stores both cheap.
// SOLUTION BEGIN
// A sector is 32 bytes, 8 floats. The lanes of a warp differ in x first: in blocks 8 wide a warp is
// 8 x 4 threads. It loads 4 rows of 8 floats, 4 sectors all of whose bytes are used, and it stores
// 8 rows of 4 floats, 8 sectors half used (the block's next warp writes the other half). A warp of
// 32 x 32 loads 4 sectors but stores 32; one of 1 x 32 loads 32 and stores 4.
// SOLUTION END
#ifndef BLOCK_X
//: #define BLOCK_X 32
// SOLUTION BEGIN
#define BLOCK_X 8
// SOLUTION END
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif

// Called by the harness. in and out are device pointers.
void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(BLOCK_X, BLOCK_Y);
  //: // TODO(5) As many blocks as it takes to cover all rows and columns of in: round up.
  //: dim3 grid(1, 1);
  // SOLUTION BEGIN
  dim3 grid((cols + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);  // rounded up
  // SOLUTION END
  transpose_global<<<grid, block>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}
