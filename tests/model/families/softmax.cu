// softmax.cu: each row's exponentials over their sum: greatest element, sum, division. Row-major rows x cols.
#include "../suite.h"

namespace {

// A block a row, three times over it; trees in shared memory.
__global__ void softmax_block(const float *in, float *out, int cols) {
  __shared__ float part[256];  // thread x writes [x]
  const float *row = in + (size_t)blockIdx.x * cols;
  int x = threadIdx.x;
  float most = -INFINITY;
  for (int i = x; i < cols; i += 256) most = fmaxf(most, row[i]);
  part[x] = most;
  __syncthreads();  // read after write: the others' elements
  for (int step = 128; step > 0; step /= 2) {
    if (x < step) part[x] = fmaxf(part[x], part[x + step]);
    __syncthreads();  // read after write: what this step found
  }
  most = part[0];
  __syncthreads();  // write after read: all have part[0]
  float sum = 0;
  for (int i = x; i < cols; i += 256) sum += __expf(row[i] - most);
  part[x] = sum;
  __syncthreads();  // read after write: the others' sums
  for (int step = 128; step > 0; step /= 2) {
    if (x < step) part[x] += part[x + step];
    __syncthreads();  // read after write: the sums of this step
  }
  sum = part[0];
  for (int i = x; i < cols; i += 256)
    out[(size_t)blockIdx.x * cols + i] = __expf(row[i] - most) / sum;
}

// A warp a row, its elements in registers; cols is 32 EACH.
template <int EACH>
__global__ void softmax_warp(const float *in, float *out, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  size_t first = (size_t)row * 32 * EACH + lane;
  float element[EACH], most = -INFINITY, sum = 0;
  for (int k = 0; k < EACH; k++) most = fmaxf(most, element[k] = in[first + 32 * k]);
  for (int step = 16; step > 0; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
  for (int k = 0; k < EACH; k++) sum += element[k] = __expf(element[k] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  for (int k = 0; k < EACH; k++) out[first + 32 * k] = element[k] / sum;
}

// A thread a row: the lanes of a warp read a column.
__global__ void softmax_thread(const float *in, float *out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  const float *row = in + (size_t)i * cols;
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < cols; k++) most = fmaxf(most, row[k]);
  for (int k = 0; k < cols; k++) sum += expf(row[k] - most);
  for (int k = 0; k < cols; k++) out[(size_t)i * cols + k] = expf(row[k] - most) / sum;
}

// ---- launches ----

void check(const float *out, int rows, int cols) {
  expect(
      out, (size_t)rows * cols,
      [=](size_t i) {
        double sum = 0;
        for (size_t k = i / cols * cols; k < (i / cols + 1) * cols; k++)
          sum += exp((double)value(k));
        return exp((double)value(i)) / sum;
      },
      1e-5);
}

void run_block(int rows, int cols) {
  if (!next_launch("softmax_block", dim3(rows), dim3(256), "%d x %d", rows, cols)) return;
  const float *in = input((size_t)rows * cols);
  float *out = output((size_t)rows * cols);
  launch(softmax_block, in, out, cols);
  check(out, rows, cols);
}

void run_thread(int rows, int cols) {
  if (!next_launch("softmax_thread", dim3(cover(rows, 128)), dim3(128), "%d x %d", rows, cols))
    return;
  const float *in = input((size_t)rows * cols);
  float *out = output((size_t)rows * cols);
  launch(softmax_thread, in, out, rows, cols);
  check(out, rows, cols);
}

template <int EACH>
void run_warp(const char *name, int rows) {
  if (!next_launch(name, dim3(cover(rows, 8)), dim3(256), "%d x %d", rows, 32 * EACH)) return;
  const float *in = input((size_t)rows * 32 * EACH);
  float *out = output((size_t)rows * 32 * EACH);
  launch(softmax_warp<EACH>, in, out, rows);
  check(out, rows, 32 * EACH);
}

}  // namespace

void family_softmax() {
  run_block(100, 1000);
  run_block(4096, 1000);
  run_block(1024, 32768);
  run_warp<4>("softmax_warp<4>", 100000);
  run_warp<32>("softmax_warp<32>", 200);
  run_warp<32>("softmax_warp<32>", 16384);
  run_thread(10000, 128);
}
