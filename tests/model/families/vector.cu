// vector.cu: vectors and matrices times vectors.
#include "../suite.h"

namespace {

__global__ void saxpy(float a, const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

// Three arrays in, one out.
__global__ void triad(const float *a, const float *b, const float *c, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i] * c[i];
}

__global__ void dot(const float *x, const float *y, float *out, int n) {
  __shared__ float sums[256];  // thread x writes [x]
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  sums[threadIdx.x] = sum;
  __syncthreads();  // read after write: the others' sums
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

// A thread a row: the lanes of a warp read a column.
__global__ void matvec_thread(const float *A, const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < cols; k++) sum += A[(size_t)row * cols + k] * x[k];
  y[row] = sum;
}

// A warp a row.
__global__ void matvec_warp(const float *A, const float *x, float *y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < cols; k += 32) sum += A[(size_t)row * cols + k] * x[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

// A thread a column of A: y = x A, neighbours read neighbours.
__global__ void vecmat(const float *A, const float *x, float *y, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= cols) return;
  float sum = 0;
  for (int k = 0; k < rows; k++) sum += x[k] * A[(size_t)k * cols + column];
  y[column] = sum;
}

// A = x y'
__global__ void outer(const float *x, const float *y, float *A, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) A[(size_t)row * cols + column] = x[row] * y[column];
}

// ---- launches ----

void run_saxpy(int n) {
  if (!next_launch("saxpy", dim3(cover(n, 256)), dim3(256), "%d floats", n)) return;
  const float *x = input(n), *y = input(n, 3);
  float *out = output(n);
  launch(saxpy, 2.0f, x, y, out, n);
  expect(out, n, [](size_t i) { return 2 * value(i) + value(i + 3); });
}

void run_triad(int n) {
  if (!next_launch("triad", dim3(cover(n, 512)), dim3(512), "%d floats", n)) return;
  const float *a = input(n), *b = input(n, 3), *c = input(n, 5);
  float *out = output(n);
  launch(triad, a, b, c, out, n);
  expect(out, n, [](size_t i) { return value(i) + value(i + 3) * value(i + 5); });
}

void run_dot(int n, int grid) {
  if (!next_launch("dot", dim3(grid), dim3(256), "%d floats", n)) return;
  const float *x = input(n), *y = input(n, 3);
  float *out = output(1);
  launch(dot, x, y, out, n);
  expect(
      out, 1,
      [=](size_t) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += (double)value(i) * value(i + 3);
        return sum;
      },
      1e-3);
}

using product = void (*)(const float *, const float *, float *, int, int);

void run_matvec(const char *name, product kernel, int rows, int cols, int threads, int block) {
  if (!next_launch(name, dim3(cover(threads, block)), dim3(block), "%d x %d, block %d", rows, cols,
                   block))
    return;
  bool columns = kernel == vecmat;
  const float *A = input((size_t)rows * cols), *x = input(columns ? rows : cols, 3);
  float *y = output(columns ? cols : rows);
  launch(kernel, A, x, y, rows, cols);
  expect(y, columns ? cols : rows, [=](size_t i) {
    double sum = 0;
    for (int k = 0; k < (columns ? rows : cols); k++)
      sum += (double)value(columns ? (size_t)k * cols + i : i * cols + k) * value(3 + k);
    return sum;
  });
}

void run_outer(int rows, int cols) {
  if (!next_launch("outer", dim3(cover(cols, 32), cover(rows, 8)), dim3(32, 8), "%d x %d", rows,
                   cols))
    return;
  const float *x = input(rows), *y = input(cols, 3);
  float *A = output((size_t)rows * cols);
  launch(outer, x, y, A, rows, cols);
  expect(A, (size_t)rows * cols, [=](size_t i) { return value(i / cols) * value(3 + i % cols); });
}

}  // namespace

void family_vector() {
  for (int n : {1000, 100000, 1 << 22, 50000000}) run_saxpy(n);
  for (int n : {1 << 20, 1 << 25}) run_triad(n);
  run_dot(100000, 64);
  run_dot(1 << 25, 132 * 8);
  for (int n : {1000, 4096}) {
    run_matvec("matvec_thread", matvec_thread, n, n, n, 128);
    run_matvec("matvec_warp", matvec_warp, n, n, n * 32, 256);
    run_matvec("vecmat", vecmat, n, n, n, 128);
  }
  run_matvec("matvec_thread", matvec_thread, 1000000, 16, 1000000, 256);
  run_matvec("matvec_warp", matvec_warp, 64, 100000, 64 * 32, 128);
  run_matvec("matvec_warp", matvec_warp, 16384, 4096, 16384 * 32, 256);
  run_outer(1000, 1000);
  run_outer(8192, 4096);
}
