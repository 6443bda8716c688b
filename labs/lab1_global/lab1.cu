// Lab 1: C = A x B with every operand read from global memory, one thread an element of C.
//
//   make lab1 && ./grade lab1              build and grade labs/lab1_global/lab1.cu
//   ./grade lab1 --explain                 the counters of every line of it
//
// Row-major float matrices in device memory: A is M x K, B is K x N, C is M x N.
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

__global__ void matmul_global(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(1) Which element of C is this thread's? Compute its row and its column from blockIdx,
  // blockDim and threadIdx. The lanes of a warp differ in x first: let x run along the columns,
  // so that a warp reads neighbouring elements of B and writes neighbouring elements of C.

  // TODO(2) The blocks at the right and at the bottom reach past C: a thread without an element
  // must do nothing, neither read nor write.

  // TODO(3) Sum A[row][k] * B[k][column] over all k in a register; then write it to C once.
  // In a row-major matrix with W columns, (i, j) is element i * W + j. What is W for A, B, C?
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

// Called by the harness. A, B and C are device pointers: only a kernel can follow them.
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(4) Choose the shape of a block (a multiple of 32 threads, 1024 at most) and enough
  // blocks to cover all M rows and N columns: round up. dim3 is (x, y); x runs along columns.
  dim3 block(1, 1);
  dim3 grid(1, 1);
  matmul_global<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}
