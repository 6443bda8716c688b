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

//: constexpr int TILE = 16;  // 32 is worth a try
// SOLUTION BEGIN
constexpr int TILE = 32;  // one warp a row of the tile
// SOLUTION END

// Launched with blocks of TILE x TILE threads.
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  //: // TODO(1) Declare two tiles in shared memory, TILE x TILE floats each: one for A, one for B.
  //: // TODO(2) Compute this thread's row and column in C, as in lab 1. Threads outside of C stay:
  //: // they have elements to load and barriers to reach like all others.
  //:
  //: // For every step of TILE along K (round up: the last tile may reach past K):
  //: //   TODO(3) Load one element of A's tile and one of B's; 0 if it lies outside of the matrix.
  //: //   TODO(4) A barrier. Say in its comment which read would go wrong without it.
  //: //   TODO(5) Add TILE products, both operands from the tiles. The lanes of a warp should read
  //: //           one word or neighbouring ones: TILE rows apart they meet in the same bank.
  //: //   TODO(6) A barrier. Say in its comment which write would go wrong without it.
  //: // TODO(7) Write the sum to C, if this thread has an element there.
  //: (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
  // SOLUTION BEGIN
  // Both tiles: TILE rows x TILE columns; thread (x, y) writes [y][x], the whole block reads.
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (int start = 0; start < K; start += TILE) {
    // Zero outside of the matrices: such an element adds nothing to any sum.
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0.0f;
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0.0f;
    // Read after write: without this barrier a thread would read elements that another one has
    // not written yet.
    __syncthreads();

    // No bank conflict: a[y][k] is one word for the whole warp, b[k][x] are 32 neighbouring words.
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    // Write after read: without this barrier a fast thread would load the next tiles over these
    // while others still read them.
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
  // SOLUTION END
}

// Called by the harness. A, B and C are device pointers.
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  //: // TODO(8) As many blocks as it takes to cover all M rows and N columns: round up.
  //: dim3 block(TILE, TILE);
  //: dim3 grid(1, 1);
  // SOLUTION BEGIN
  dim3 block(TILE, TILE);
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);  // rounded up
  // SOLUTION END
  matmul_tiled<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}
