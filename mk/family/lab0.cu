// Lab 0: out[i] = the sum of row i of in, one thread a row.
//
//   make lab0 && ./grade lab0              build and grade labs/lab0_rowsum/lab0.cu
//   make lab0 && ./grade lab0 --solution   the model solution, solutions/lab0_rowsum/lab0.cu
//
// in is a row-major matrix of rows x cols floats, out has one float a row; both in device memory.
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

__global__ void sum_rows(const float *in, float *out, int rows, int cols) {
  //: // TODO(1) Which row is this thread's? A thread without one must neither read nor write.
  //:
  //: // TODO(2) Sum up in[row * cols + col] over all col in a register; then write it to out once.
  //: (void)in, (void)out, (void)rows, (void)cols;
  // SOLUTION BEGIN
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;  // the last block reaches past the last row

  float sum = 0.0f;
  for (int col = 0; col < cols; col++) sum += in[row * cols + col];
  out[row] = sum;
  // SOLUTION END
}

// Called by the harness. in and out are device pointers: only a kernel can follow them.
void rowsum(const float *in, float *out, int rows, int cols) {
  //: // TODO(3) Choose how many threads a block has, and enough blocks to cover all rows: round up.
  //: int block = 1, grid = 1;
  // SOLUTION BEGIN
  int block = 128, grid = (rows + block - 1) / block;  // rounded up
  // SOLUTION END
  sum_rows<<<grid, block>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}
