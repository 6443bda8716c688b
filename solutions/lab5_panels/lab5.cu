// Lab 5: products of panels, C = A x B and C = A x A transposed, where A has 32 columns.
//
//   make lab5 && ./grade lab5              build and grade labs/lab5_panels/lab5.cu
//   ./grade lab5 --explain                 the counters of every line of it
//
// Row-major float matrices in device memory: A is M x TILE, B is TILE x N, C is M x N or M x M. A
// block computes TILE x TILE elements of C, one a thread; K is TILE, so one tile of each operand
// has all that it needs. Rows and columns of C need be no multiples of TILE.
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

constexpr int TILE = 32;  // K, and the threads of a warp: a warp is one row of a block

__global__ void global_kernel(const float *A, const float *B, float *C, int M, int N) {
  //: // TODO(1) As in lab 1: row y and column x of C, all operands from global memory.
  //: (void)A, (void)B, (void)C, (void)M, (void)N;
  // SOLUTION BEGIN
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * B[k * N + column];
  C[row * N + column] = sum;
  // SOLUTION END
}

__global__ void shared_a_kernel(const float *A, const float *B, float *C, int M, int N) {
  //: // TODO(2) The same, but A from a tile in shared memory that the block loads first. A warp reads
  //: // only what it has written itself: which barrier is enough? Say which read it protects.
  //: (void)A, (void)B, (void)C, (void)M, (void)N;
  // SOLUTION BEGIN
  // TILE rows x TILE columns; warp y writes row y, and it alone reads that row.
  __shared__ float a[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  a[y][x] = row < M ? A[row * TILE + x] : 0.0f;
  // Read after write: without it a lane would read what others of its warp have not written yet.
  __syncwarp();

  if (row >= M || column >= N) return;  // what follows is each thread's own
  float sum = 0.0f;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * B[k * N + column];
  C[row * N + column] = sum;
  // SOLUTION END
}

__global__ void shared_ab_kernel(const float *A, const float *B, float *C, int M, int N) {
  //: // TODO(3) The same with a tile of B, too. Is that barrier still enough?
  //: (void)A, (void)B, (void)C, (void)M, (void)N;
  // SOLUTION BEGIN
  // Both TILE rows x TILE columns; thread (x, y) writes [y][x]. All warps read all of b.
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  a[y][x] = row < M ? A[row * TILE + x] : 0.0f;
  b[y][x] = column < N ? B[y * N + column] : 0.0f;
  // Read after write: without it a warp would read rows of b that others have not written yet.
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
  if (row < M && column < N) C[row * N + column] = sum;
  // SOLUTION END
}

__global__ void gram_global_kernel(const float *A, float *C, int M) {
  //: // TODO(4) A x A transposed, from global memory: where is element (k, column) of the transpose?
  //: (void)A, (void)C, (void)M;
  // SOLUTION BEGIN
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0.0f;
  // Neighbouring lanes have neighbouring columns, so that they read elements TILE floats apart.
  for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * A[column * TILE + k];
  C[row * M + column] = sum;
  // SOLUTION END
}

__global__ void gram_shared_kernel(const float *A, float *C, int M) {
  //: // TODO(5) The same from two tiles, both loaded by rows of A. The second one is TILE other rows:
  //: // whose, and how must it be stored or padded so that no access to it meets a bank twice?
  //: (void)A, (void)C, (void)M;
  // SOLUTION BEGIN
  // a: TILE rows of A, as they are; thread (x, y) writes [y][x]. t: TILE other rows, transposed;
  // thread (x, y) writes [x][y]. Its rows are a word longer: a column lies in TILE banks.
  __shared__ float a[TILE][TILE];
  __shared__ float t[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x, other = blockIdx.x * TILE + y;
  a[y][x] = row < M ? A[row * TILE + x] : 0.0f;
  t[x][y] = other < M ? A[other * TILE + x] : 0.0f;
  // Read after write: without it a warp would read columns of t that others have not written yet.
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * t[k][x];
  if (row < M && column < M) C[row * M + column] = sum;
  // SOLUTION END
}

// As many blocks as there are tiles in rows x columns of C.
static dim3 tiles(int rows, int columns) {
  //: // TODO(6) Round up.
  //: (void)rows, (void)columns;
  //: return dim3(1, 1);
  // SOLUTION BEGIN
  return dim3((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  // SOLUTION END
}

// All are called by the harness. A, B and C are device pointers, the last argument is K: TILE.
void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  global_kernel<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
  CHECK(cudaGetLastError());
}

void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  shared_a_kernel<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
  CHECK(cudaGetLastError());
}

void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  shared_ab_kernel<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
  CHECK(cudaGetLastError());
}

void gram_global(const float *A, float *C, int M, int) {
  gram_global_kernel<<<tiles(M, M), dim3(TILE, TILE)>>>(A, C, M);
  CHECK(cudaGetLastError());
}

void gram_shared(const float *A, float *C, int M, int) {
  gram_shared_kernel<<<tiles(M, M), dim3(TILE, TILE)>>>(A, C, M);
  CHECK(cudaGetLastError());
}
