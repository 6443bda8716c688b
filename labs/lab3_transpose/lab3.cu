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
  // TODO(1) Which element of in is this thread's? Compute its row and its column from blockIdx,
  // blockDim and threadIdx: let x run along a row of in.
  // TODO(2) The last blocks reach past in: a thread without an element must do nothing.
  // TODO(3) Copy in[row][column] to out[column][row]. In a row-major matrix with W columns,
  // (i, j) is element i * W + j. What is W for in, and what for out?
  (void)in, (void)out, (void)rows, (void)cols;
}

// A block is BLOCK_X x BLOCK_Y threads, 1024 at most; --sweep gives them values of its own.
// TODO(4) Once the result is right: choose the shape that keeps loads and stores both cheap.
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif

// Called by the harness. in and out are device pointers.
void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(BLOCK_X, BLOCK_Y);
  // TODO(5) As many blocks as it takes to cover all rows and columns of in: round up.
  dim3 grid(1, 1);
  transpose_global<<<grid, block>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}
