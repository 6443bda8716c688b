// Lab 2: C = A x B from tiles in shared memory, one thread an element of C.
//
//   make lab2 && ./grade lab2              build and grade labs/lab2_tiled/lab2.cu
//   ./grade lab2 --explain                 the counters of every line of it
//
// Row-major float matrices in device memory: A is M x K, B is K x N, C is M x N.
// A block computes TILE x TILE elements of C. It walks along K, one tile of A and one of B at a
// time: each thread loads one element of each, and each element is then read TILE times.
// Traffic from global memory falls to 1 / TILE.
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

constexpr int TILE = 16;  // 32 is worth a try

// Launched with blocks of TILE x TILE threads.
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(1) Declare two tiles in shared memory, TILE x TILE floats each: one for A, one for B.
  // TODO(2) Compute this thread's row and column in C, as in lab 1. Threads outside of C stay:
  // they have elements to load and barriers to reach like all others.

  // For every step of TILE along K (round up: the last tile may reach past K):
  //   TODO(3) Load one element of A's tile and one of B's; 0 if it lies outside of the matrix.
  //   TODO(4) A barrier. Say in its comment which read would go wrong without it.
  //   TODO(5) Add TILE products, both operands from the tiles. The lanes of a warp should read
  //           one word or neighbouring ones: TILE rows apart they meet in the same bank.
  //   TODO(6) A barrier. Say in its comment which write would go wrong without it.
  // TODO(7) Write the sum to C, if this thread has an element there.
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

// Called by the harness. A, B and C are device pointers.
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(8) As many blocks as it takes to cover all M rows and N columns: round up.
  dim3 block(TILE, TILE);
  dim3 grid(1, 1);
  matmul_tiled<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}
