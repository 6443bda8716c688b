// reduction.cu: the sum of an array, from the first attempt of a course to the last. Each block leaves its sum in out.
#include "../suite.h"

namespace {

enum { THREADS = 256 };

// Every other thread, every fourth, ...: the lanes of a warp part.
__global__ void reduce_interleaved(const float *in, float *out, int count) {
  __shared__ float sums[THREADS];  // thread x writes [x]
  int x = threadIdx.x, i = blockIdx.x * blockDim.x + x;
  sums[x] = i < count ? in[i] : 0;
  __syncthreads();  // read after write: the others' elements
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (x % (2 * step) == 0) sums[x] += sums[x + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (x == 0) out[blockIdx.x] = sums[0];
}

// Neighbouring threads, but words further and further apart: bank conflicts.
__global__ void reduce_strided(const float *in, float *out, int count) {
  __shared__ float sums[THREADS];  // thread x writes [x]
  int x = threadIdx.x, i = blockIdx.x * blockDim.x + x;
  sums[x] = i < count ? in[i] : 0;
  __syncthreads();  // read after write: the others' elements
  for (int step = 1; step < blockDim.x; step *= 2) {
    int at = 2 * step * x;
    if (at < blockDim.x) sums[at] += sums[at + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (x == 0) out[blockIdx.x] = sums[0];
}

// Neighbouring threads, neighbouring words.
__global__ void reduce_sequential(const float *in, float *out, int count) {
  __shared__ float sums[THREADS];  // thread x writes [x]
  int x = threadIdx.x, i = blockIdx.x * blockDim.x + x;
  sums[x] = i < count ? in[i] : 0;
  __syncthreads();  // read after write: the others' elements
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (x < step) sums[x] += sums[x + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (x == 0) out[blockIdx.x] = sums[0];
}

__device__ float warp_sum(float sum) {
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  return sum;
}

// The sum of a block, in its thread 0.
__device__ float block_sum(float sum) {
  __shared__ float sums[32];  // lane 0 of warp w writes [w]
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();  // read after write: the warps' sums
  if (warp == 0) sum = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
  return sum;
}

__global__ void reduce_shuffle(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = block_sum(i < count ? in[i] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// As many blocks as run at a time, each of whose threads adds up many elements first.
__global__ void reduce_grid_stride(const float *in, float *out, int count) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void reduce_float4(const float4 *in, float *out, int count) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count / 4; i += gridDim.x * blockDim.x) {
    float4 four = in[i];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// One sum of all, by atomics: a block's each, or a warp's.
__global__ void reduce_atomic_block(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = block_sum(i < count ? in[i] : 0);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void reduce_atomic_warp(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = warp_sum(i < count ? in[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

// Row by row, one block each: mean and variance in one go.
__global__ void row_moments(const float *in, float *mean, float *variance, int columns) {
  const float *row = in + (size_t)blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i], squares += row[i] * row[i];
  sum = block_sum(sum);
  __syncthreads();  // write after read: block_sum's array is used again
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = sum / columns;
    variance[blockIdx.x] = squares / columns - sum / columns * (sum / columns);
  }
}

// Column by column: one thread each, neighbours read neighbours.
__global__ void column_sums(const float *in, float *out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; row++) sum += in[(size_t)row * columns + column];
  out[column] = sum;
}

// ---- launches ----

// Which elements a block adds up: a part of the array, or turns of a stride.
double sum_of_block(size_t block, size_t grid, size_t threads, size_t count, bool strided) {
  double sum = 0;
  for (size_t first = block * threads; first < count; first += strided ? grid * threads : count)
    for (size_t i = first; i < std::min(count, first + threads); i++) sum += value(i);
  return sum;
}

double sum_of_all(size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += value(i);
  return sum;
}

using reduction = void (*)(const float *, float *, int);

void run(const char *name, reduction kernel, int count, int grid, int threads, bool strided,
         bool one) {
  if (!next_launch(name, dim3(grid), dim3(threads), "%d floats, block %d", count, threads)) return;
  const float *in = input(count);
  float *out = output(grid);
  launch(kernel, in, out, count);
  if (one)
    expect(
        out, 1, [=](size_t) { return sum_of_all(count); }, 1e-3);
  else
    expect(out, std::min(grid, 3),
           [=](size_t b) { return sum_of_block(b, grid, threads, count, strided); });
}

void run(const char *name, reduction kernel, int count, int threads = THREADS) {
  run(name, kernel, count, cover(count, threads), threads, false, false);
}

void run_float4(int count) {
  int grid = 132 * 8;
  if (!next_launch("reduce_float4", dim3(grid), dim3(256), "%d floats", count)) return;
  const float *in = input(count);
  float *out = output(grid);
  launch(reduce_float4, (const float4 *)in, out, count);
  expect(out, 2, [=](size_t b) {
    double sum = 0;
    for (size_t i = b * 1024; i < (size_t)count; i += (size_t)grid * 1024)
      for (size_t k = i; k < std::min((size_t)count, i + 1024); k++) sum += value(k);
    return sum;
  });
}

void run_rows(int rows, int columns) {
  if (!next_launch("row_moments", dim3(rows), dim3(256), "%d x %d", rows, columns)) return;
  const float *in = input((size_t)rows * columns);
  float *mean = output(rows), *variance = output(rows);
  launch(row_moments, in, mean, variance, columns);
  expect(mean, rows, [=](size_t row) {
    double sum = 0;
    for (int i = 0; i < columns; i++) sum += value(row * columns + i);
    return sum / columns;
  });
}

void run_columns(int rows, int columns) {
  if (!next_launch("column_sums", dim3(cover(columns, 128)), dim3(128), "%d x %d", rows, columns))
    return;
  const float *in = input((size_t)rows * columns);
  float *out = output(columns);
  launch(column_sums, in, out, rows, columns);
  expect(out, columns, [=](size_t column) {
    double sum = 0;
    for (int row = 0; row < rows; row++) sum += value((size_t)row * columns + column);
    return sum;
  });
}

}  // namespace

void family_reduction() {
  for (int count : {100000, 1 << 24}) {
    run("reduce_interleaved", reduce_interleaved, count);
    run("reduce_strided", reduce_strided, count);
    run("reduce_sequential", reduce_sequential, count);
    run("reduce_shuffle", reduce_shuffle, count);
    run("reduce_atomic_block", reduce_atomic_block, count, cover(count, 256), 256, false, true);
  }
  run("reduce_sequential", reduce_sequential, 1 << 24, 64);
  run("reduce_shuffle", reduce_shuffle, 1 << 24, 1024);
  run("reduce_shuffle", reduce_shuffle, 1000, 1024);
  run("reduce_atomic_warp", reduce_atomic_warp, 1 << 22, (1 << 22) / 256, 256, false, true);
  for (int count : {1000003, 1 << 26})
    run("reduce_grid_stride", reduce_grid_stride, count, 132 * 8, 256, true, false);
  run("reduce_grid_stride", reduce_grid_stride, 65536, 1, 1024, true,
      false);  // the second pass over blocks' sums
  for (int count : {1 << 20, 1 << 26}) run_float4(count);
  run_rows(4096, 1000);
  run_rows(100, 100000);
  run_columns(1000, 1000);
  run_columns(4096, 16384);
}
