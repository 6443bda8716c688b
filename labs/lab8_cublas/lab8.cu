// Lab 8: towards cuBLAS. C = A x B from register tiles, and a transpose at the speed of a copy.
//
//   make lab8 && ./grade lab8              build and grade labs/lab8_cublas/lab8.cu
//   ./grade lab8 --explain                 the counters of every line of it
//
// Row-major float matrices in device memory: A is M x K, B is K x N, C is M x N; in is rows x cols,
// out is cols x rows. Any sizes: none need be a multiple of a tile's.
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

static int ceil_div(int n, int of) { return (n + of - 1) / of; }

// --- rung 1: a column of C in registers. A block has 64 x 64 elements of C, a thread 8 of them.

constexpr int TILE_1D = 64, STEP = 8, HEIGHT = 8, THREADS_1D = TILE_1D * TILE_1D / HEIGHT;

__global__ void register_1d_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(1) Tiles of TILE_1D x STEP of A and STEP x TILE_1D of B; THREADS_1D threads load one
  // element of each. A thread then computes HEIGHT elements of C, one below the other: what it
  // reads of B serves all. Keep the sums in registers: an array whose indices the compiler
  // knows.
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

// --- rung 2: a square of C in registers. A block has 128 x 128 elements of C, a thread 8 x 8.

constexpr int TILE = 128, SIDE_2D = 8, THREADS = 256;

__global__ void __launch_bounds__(THREADS)
    register_2d_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  // TODO(2) The same with 8 x 8 elements a thread: of each k it takes 8 of A and 8 of B into
  // registers, and multiplies each by each. THREADS threads load TILE x STEP elements: 4 each.
  // Which 8 columns should a thread have, so that lanes of a warp read neighbours of B's tile?
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

// --- rung 3: as fast as you can.
// TODO(3) Whatever you like: loads by float4, A transposed in shared memory, two buffers, tiles
// of a warp, cp.async. The handout has the ladder.
__global__ void sgemm_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

// --- the transpose.
// TODO(4) Tiles as in lab 4, but larger, with more bytes of a thread on their way, and float4.
__global__ void transpose_kernel(const float *in, float *out, int rows, int cols) {
  (void)in, (void)out, (void)rows, (void)cols;
}

// All are called by the harness with device pointers.
void sgemm_register_1d(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid(ceil_div(N, TILE_1D), ceil_div(M, TILE_1D));
  register_1d_kernel<<<grid, THREADS_1D>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}

void sgemm_register_2d(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE));
  register_2d_kernel<<<grid, THREADS>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  sgemm_kernel<<<dim3(1, 1), THREADS>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}

void transpose_best(const float *in, float *out, int rows, int cols) {
  transpose_kernel<<<dim3(1, 1), dim3(16, 16)>>>(in, out, rows, cols);
  CHECK(cudaGetLastError());
}
