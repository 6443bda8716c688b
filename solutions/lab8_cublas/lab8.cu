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
  //: // TODO(1) Tiles of TILE_1D x STEP of A and STEP x TILE_1D of B; THREADS_1D threads load one
  //: // element of each. A thread then computes HEIGHT elements of C, one below the other: what it
  //: // reads of B serves all. Keep the sums in registers: an array whose indices the compiler
  //: // knows.
  //: (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
  // SOLUTION BEGIN
  // a: TILE_1D rows x STEP of k; b: STEP of k x TILE_1D columns. Thread t writes one of each.
  __shared__ float a[TILE_1D][STEP], b[STEP][TILE_1D];
  int t = threadIdx.x, a_row = t / STEP, a_k = t % STEP, b_k = t / TILE_1D, x = t % TILE_1D;
  int first_row = blockIdx.y * TILE_1D, column = blockIdx.x * TILE_1D + x, y = t / TILE_1D * HEIGHT;
  float sum[HEIGHT] = {0};
  for (int k0 = 0; k0 < K; k0 += STEP) {
    bool a_inside = first_row + a_row < M && k0 + a_k < K, b_inside = k0 + b_k < K && column < N;
    a[a_row][a_k] = a_inside ? A[(first_row + a_row) * K + k0 + a_k] : 0.0f;
    b[b_k][x] = b_inside ? B[(k0 + b_k) * N + column] : 0.0f;
    __syncthreads();  // read after write: the tiles are complete before anyone multiplies
    for (int k = 0; k < STEP; k++) {
      float b_value = b[k][x];
      for (int i = 0; i < HEIGHT; i++) sum[i] += a[y + i][k] * b_value;
    }
    __syncthreads();  // write after read: nobody loads the next tiles while others need these
  }
  for (int i = 0; i < HEIGHT; i++)
    if (first_row + y + i < M && column < N) C[(first_row + y + i) * N + column] = sum[i];
  // SOLUTION END
}

// --- rung 2: a square of C in registers. A block has 128 x 128 elements of C, a thread 8 x 8.

constexpr int TILE = 128, SIDE_2D = 8, THREADS = 256;

__global__ void __launch_bounds__(THREADS)
    register_2d_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  //: // TODO(2) The same with 8 x 8 elements a thread: of each k it takes 8 of A and 8 of B into
  //: // registers, and multiplies each by each. THREADS threads load TILE x STEP elements: 4 each.
  //: // Which 8 columns should a thread have, so that lanes of a warp read neighbours of B's tile?
  //: (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
  // SOLUTION BEGIN
  // a: STEP of k x TILE rows, A transposed; b: STEP of k x TILE columns. Thread t writes 4 of each.
  __shared__ float a[STEP][TILE], b[STEP][TILE];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  float sum[SIDE_2D][SIDE_2D] = {{0}};
  for (int k0 = 0; k0 < K; k0 += STEP) {
    for (int i = t; i < TILE * STEP; i += THREADS) {
      int row = first_row + i / STEP, k = k0 + i % STEP;
      a[i % STEP][i / STEP] = row < M && k < K ? A[row * K + k] : 0.0f;
    }
    for (int i = t; i < STEP * TILE; i += THREADS) {
      int k = k0 + i / TILE, column = first_column + i % TILE;
      b[i / TILE][i % TILE] = k < K && column < N ? B[k * N + column] : 0.0f;
    }
    __syncthreads();  // read after write: the tiles are complete before anyone multiplies
    for (int k = 0; k < STEP; k++) {
      float a_values[SIDE_2D], b_values[SIDE_2D];
      for (int i = 0; i < SIDE_2D; i++) a_values[i] = a[k][y * SIDE_2D + i];
      for (int j = 0; j < SIDE_2D; j++) b_values[j] = b[k][x + 16 * j];
      for (int i = 0; i < SIDE_2D; i++)
        for (int j = 0; j < SIDE_2D; j++) sum[i][j] += a_values[i] * b_values[j];
    }
    __syncthreads();  // write after read: nobody loads the next tiles while others need these
  }
  for (int i = 0; i < SIDE_2D; i++)
    for (int j = 0; j < SIDE_2D; j++) {
      int row = first_row + y * SIDE_2D + i, column = first_column + x + 16 * j;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
  // SOLUTION END
}

// --- rung 3: as fast as you can.
//: // TODO(3) Whatever you like: loads by float4, A transposed in shared memory, two buffers, tiles
//: // of a warp, cp.async. The handout has the ladder.
//: __global__ void sgemm_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
//:   (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
//: }
// SOLUTION BEGIN

// A block has 128 x 256 elements of C and 2 x 4 warps of 64 x 64; a warp 4 x 8 lanes of 16 x 8:
// squares of 4 x 4, four below and two beside one another, 16 rows and 32 columns apart.
constexpr int ROWS = 128, COLUMNS = 256, A_ROW = ROWS + 4, B_LOADS = 2;

// Four neighbours of a row, of which only the first `inside` are in it; 0 for the others. VECTORS:
// the row is aligned to 16 bytes and ends with a whole float4.
template <bool VECTORS>
__device__ __forceinline__ float4 load4(const float *from, int inside) {
  float4 four = make_float4(0, 0, 0, 0);
  if (VECTORS) {
    if (inside > 0) four = *reinterpret_cast<const float4 *>(from);
  } else {
    if (inside > 0) four.x = from[0];
    if (inside > 1) four.y = from[1];
    if (inside > 2) four.z = from[2];
    if (inside > 3) four.w = from[3];
  }
  return four;
}

template <bool VECTORS>
__device__ __forceinline__ void store4(float *to, int inside, float4 four) {
  if (VECTORS) {
    if (inside > 0) *reinterpret_cast<float4 *>(to) = four;
  } else {
    if (inside > 0) to[0] = four.x;
    if (inside > 1) to[1] = four.y;
    if (inside > 2) to[2] = four.z;
    if (inside > 3) to[3] = four.w;
  }
}

// Four neighbours in shared memory, by one load of 16 bytes, into registers.
__device__ __forceinline__ void read4(const float *from, float *to) {
  float4 four = *reinterpret_cast<const float4 *>(from);
  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// The elements of the two tiles that a thread brings from global memory, on their way.
struct next_tiles {
  float4 a, b[B_LOADS];
};

template <bool VECTORS>
__global__ void __launch_bounds__(THREADS)
    sgemm_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  // Two of each: one is multiplied while the other is filled. a: STEP of k x ROWS, A transposed,
  // and 4 floats of padding, which keep rows aligned; b: STEP of k x COLUMNS. Thread t writes four
  // elements of a column of a, and B_LOADS x 4 of rows of b.
  __shared__ __align__(16) float a[2][STEP][A_ROW], b[2][STEP][COLUMNS];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int a_row = t / 2, a_k = t % 2 * 4, b_k = t / 64, b_column = t % 64 * 4;
  int row = blockIdx.y * ROWS + a_row, column = blockIdx.x * COLUMNS + b_column;
  const float *a_from = A + (size_t)row * K + a_k, *b_from = B + (size_t)b_k * N + column;
  int y = warp / 4 * 64 + lane / 8 * 4, x = warp % 4 * 64 + lane % 8 * 4;

  auto load = [&](int k0) {
    next_tiles next;
    next.a = load4<VECTORS>(a_from + k0, row < M ? K - k0 - a_k : 0);
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
      int k = k0 + 4 * i;
      next.b[i] = load4<VECTORS>(b_from + (size_t)k * N, k + b_k < K ? N - column : 0);
    }
    return next;
  };
  auto store = [&](int to, const next_tiles &next) {
    a[to][a_k][a_row] = next.a.x;
    a[to][a_k + 1][a_row] = next.a.y;
    a[to][a_k + 2][a_row] = next.a.z;
    a[to][a_k + 3][a_row] = next.a.w;
#pragma unroll
    for (int i = 0; i < B_LOADS; i++)
      *reinterpret_cast<float4 *>(&b[to][b_k + 4 * i][b_column]) = next.b[i];
  };

  float sum[16][8] = {{0}};
  next_tiles next = load(0);
  store(0, next);
  __syncthreads();  // read after write: the first tiles are complete before anyone multiplies
  for (int k0 = 0, from = 0; k0 < K; k0 += STEP, from ^= 1) {
    bool more = k0 + STEP < K;
    if (more) next = load(k0 + STEP);
#pragma unroll
    for (int k = 0; k < STEP; k++) {
      float a_values[16], b_values[8];
#pragma unroll
      for (int i = 0; i < 4; i++) read4(&a[from][k][y + 16 * i], &a_values[4 * i]);
#pragma unroll
      for (int j = 0; j < 2; j++) read4(&b[from][k][x + 32 * j], &b_values[4 * j]);
#pragma unroll
      for (int i = 0; i < 16; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += a_values[i] * b_values[j];
    }
    if (more) store(from ^ 1, next);
    // Read after write: the tiles just filled are complete before the next step multiplies them.
    // Write after read: those just multiplied are what the next step fills.
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 16; i++) {
    int c_row = blockIdx.y * ROWS + y + i / 4 * 16 + i % 4;
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int c_column = blockIdx.x * COLUMNS + x + 32 * j;
      const float *four = &sum[i][4 * j];
      store4<VECTORS>(C + (size_t)c_row * N + c_column, c_row < M ? N - c_column : 0,
                      make_float4(four[0], four[1], four[2], four[3]));
    }
  }
}
// SOLUTION END

// --- the transpose.
//: // TODO(4) Tiles as in lab 4, but larger, with more bytes of a thread on their way, and float4.
//: __global__ void transpose_kernel(const float *in, float *out, int rows, int cols) {
//:   (void)in, (void)out, (void)rows, (void)cols;
//: }
// SOLUTION BEGIN

constexpr int SIDE = 64, TURN_X = 32, TURN_Y = 16;

template <bool VECTORS>
__global__ void __launch_bounds__(TURN_X *TURN_Y)
    transpose_kernel(const float *in, float *out, int rows, int cols) {
  // The tile, transposed: SIDE columns of in x SIDE / 4 times four of its rows, and one more, so
  // that a warp, which writes one float4 in each of 32 rows, meets no bank twice. A thread takes
  // four elements of a column of in, twice, and stores four of a row of out.
  __shared__ float4 tile[SIDE][SIDE / 4 + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * SIDE + 4 * y, first_column = blockIdx.x * SIDE;
#pragma unroll
  for (int i = 0; i < SIDE; i += TURN_X) {
    int column = first_column + x + i;
    const float *from = in + (size_t)row * cols + column;
    float four[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      four[j] = row + j < rows && column < cols ? from[(size_t)j * cols] : 0.0f;
    tile[x + i][y] = make_float4(four[0], four[1], four[2], four[3]);
  }
  // Read after write: what a thread stores now, threads of other warps have put there.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < SIDE; i += TURN_X * TURN_Y / (SIDE / 4)) {
    int t = y * TURN_X + x, column = t / (SIDE / 4) + i, four = t % (SIDE / 4);
    int out_row = first_column + column, out_column = blockIdx.y * SIDE + 4 * four;
    store4<VECTORS>(out + (size_t)out_row * rows + out_column,
                    out_row < cols ? rows - out_column : 0, tile[column][four]);
  }
}
// SOLUTION END

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
  //: sgemm_kernel<<<dim3(1, 1), THREADS>>>(A, B, C, M, N, K);
  // SOLUTION BEGIN
  dim3 grid(ceil_div(N, COLUMNS), ceil_div(M, ROWS));
  // A float4 must lie at a multiple of 16 bytes: where rows have other lengths, element by element.
  bool aligned = K % 4 == 0 && N % 4 == 0;
  auto kernel = aligned ? sgemm_kernel<true> : sgemm_kernel<false>;
  kernel<<<grid, THREADS>>>(A, B, C, M, N, K);
  // SOLUTION END
  CHECK(cudaGetLastError());
}

void transpose_best(const float *in, float *out, int rows, int cols) {
  //: transpose_kernel<<<dim3(1, 1), dim3(16, 16)>>>(in, out, rows, cols);
  // SOLUTION BEGIN
  dim3 grid(ceil_div(cols, SIDE), ceil_div(rows, SIDE)), block(TURN_X, TURN_Y);
  if (rows % 4 == 0)
    transpose_kernel<true><<<grid, block>>>(in, out, rows, cols);
  else
    transpose_kernel<false><<<grid, block>>>(in, out, rows, cols);
  // SOLUTION END
  CHECK(cudaGetLastError());
}
