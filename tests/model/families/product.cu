// product.cu: C = A x B in the ways of labs 1 and 2 and beyond. Row-major: A is M x K, B is K x N, C is M x N.
#include "../suite.h"

namespace {

// ---- one thread an element, from global memory ----

template <class T>
__global__ void product_naive(const T *A, const T *B, T *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  T sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// x and y exchanged: a warp runs down a column of C.
__global__ void product_uncoalesced(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// A warp an element: its lanes take turns along K.
__global__ void product_warp(const float *A, const float *B, float *C, int M, int N, int K) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= M * N) return;
  int row = warp / N, column = warp % N;
  float sum = 0;
  for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + column];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) C[warp] = sum;
}

// ---- tiles in shared memory ----

template <class T, int TILE>
__global__ void product_tiled(const T *A, const T *B, T *C, int M, int N, int K) {
  __shared__ T a[TILE][TILE];  // thread (x, y) writes [y][x] of both
  __shared__ T b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  T sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads();  // read after write: the tiles are there
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads();  // write after read: before the next tiles replace them
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

// Each thread has EDGE x EDGE elements of C in registers; a block of 16 x 16 threads has a tile of 16 EDGE x 16 EDGE, and
// goes 8 elements of K at a time.
template <int EDGE>
__global__ void product_registers(const float *A, const float *B, float *C, int M, int N, int K) {
  enum { SIDE = 16, TILE = SIDE * EDGE, DEPTH = 8 };
  __shared__ float a[DEPTH][TILE];  // of A, transposed
  __shared__ float b[DEPTH][TILE];
  int thread = threadIdx.y * SIDE + threadIdx.x;
  int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  float sum[EDGE][EDGE] = {};
  for (int start = 0; start < K; start += DEPTH) {
    for (int i = thread; i < TILE * DEPTH; i += SIDE * SIDE) {
      int row = i / DEPTH, k = i % DEPTH;
      a[k][row] = top + row < M && start + k < K ? A[(top + row) * K + start + k] : 0;
    }
    for (int i = thread; i < TILE * DEPTH; i += SIDE * SIDE) {
      int k = i / TILE, column = i % TILE;
      b[k][column] = start + k < K && left + column < N ? B[(start + k) * N + left + column] : 0;
    }
    __syncthreads();  // read after write: the tiles are there
    for (int k = 0; k < DEPTH; k++) {
      float row[EDGE], column[EDGE];
      for (int i = 0; i < EDGE; i++) row[i] = a[k][threadIdx.y * EDGE + i];
      for (int j = 0; j < EDGE; j++) column[j] = b[k][threadIdx.x + SIDE * j];
      for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++) sum[i][j] += row[i] * column[j];
    }
    __syncthreads();  // write after read: before the next tiles replace them
  }
  for (int i = 0; i < EDGE; i++)
    for (int j = 0; j < EDGE; j++) {
      int row = top + threadIdx.y * EDGE + i, column = left + threadIdx.x + SIDE * j;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}

// ---- launches ----

struct shape {
  int M, N, K;
};

void check(const float *C, shape s) {
  expect(C, (size_t)s.M * s.N, [=](size_t i) {
    size_t row = i / s.N, column = i % s.N;
    double sum = 0;
    for (int k = 0; k < s.K; k++)
      sum += (double)value(row * s.K + k) * value(7 + (size_t)k * s.N + column);
    return sum;
  });
}

using product = void (*)(const float *, const float *, float *, int, int, int);

void run(const char *name, product kernel, shape s, dim3 grid, dim3 block) {
  if (!(s.M == s.N && s.N == s.K
            ? next_launch(name, grid, block, "n %d, block %ux%u", s.M, block.x, block.y)
            : next_launch(name, grid, block, "%d x %d x %d, block %ux%u", s.M, s.K, s.N, block.x,
                          block.y)))
    return;
  const float *A = input((size_t)s.M * s.K), *B = input((size_t)s.K * s.N, 7);
  float *C = output((size_t)s.M * s.N);
  launch(kernel, A, B, C, s.M, s.N, s.K);
  check(C, s);
}

// A block has a tile of `high` x `wide` elements of C.
void tiles(const char *name, product kernel, shape s, int high, int wide, dim3 block) {
  run(name, kernel, s, dim3(cover(s.N, wide), cover(s.M, high)), block);
}

void square(const char *name, product kernel, int n, int tile, dim3 block) {
  tiles(name, kernel, {n, n, n}, tile, tile, block);
}

void run_double(int n) {
  dim3 grid(cover(n, 16), cover(n, 16)), block(16, 16);
  if (!next_launch("product_tiled<double, 16>", grid, block, "n %d, block 16x16", n)) return;
  std::vector<double> a((size_t)n * n), b(a.size());
  for (size_t i = 0; i < a.size(); i++) a[i] = value(i), b[i] = value(i + 7);
  const double *A = upload(a), *B = upload(b);
  double *C = output<double>(a.size());
  launch(product_tiled<double, 16>, A, B, C, n, n, n);
  expect(C, a.size(), [=](size_t i) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += (double)value(i / n * n + k) * value(7 + (size_t)k * n + i % n);
    return sum;
  });
}

}  // namespace

void family_product() {
  for (int n : {100, 512, 1000, 2047, 4096})
    tiles("product_naive", product_naive<float>, {n, n, n}, 8, 32, dim3(32, 8));
  for (int n : {100, 1000, 1024, 3000})
    square("product_naive", product_naive<float>, n, 16, dim3(16, 16));
  for (int n : {1024, 1023}) square("product_naive", product_naive<float>, n, 32, dim3(32, 32));
  tiles("product_naive", product_naive<float>, {1024, 1024, 1024}, 32, 4, dim3(4, 32));
  for (int n : {512, 1000, 2047})
    square("product_uncoalesced", product_uncoalesced, n, 16, dim3(16, 16));
  square("product_uncoalesced", product_uncoalesced, 1024, 32, dim3(32, 32));
  run("product_warp", product_warp, {500, 500, 500}, dim3(500 * 500 / 8), dim3(256));
  for (int n : {500, 1024, 2048})
    square("product_tiled<8>", product_tiled<float, 8>, n, 8, dim3(8, 8));
  for (int n : {100, 1024, 2047})
    square("product_tiled<16>", product_tiled<float, 16>, n, 16, dim3(16, 16));
  for (int n : {100, 512, 1000, 3000, 4096})
    square("product_tiled<32>", product_tiled<float, 32>, n, 32, dim3(32, 32));
  for (shape s : {shape{4096, 4096, 64}, shape{64, 1024, 8192}, shape{8192, 100, 1000},
                  shape{10, 10000, 500}}) {
    tiles("product_naive", product_naive<float>, s, 8, 32, dim3(32, 8));
    tiles("product_tiled<16>", product_tiled<float, 16>, s, 16, 16, dim3(16, 16));
  }
  for (int n : {256, 1000, 2048})
    square("product_registers<4>", product_registers<4>, n, 64, dim3(16, 16));
  for (int n : {1024, 4096, 8192})
    square("product_registers<8>", product_registers<8>, n, 128, dim3(16, 16));
  run_double(1000);
}
