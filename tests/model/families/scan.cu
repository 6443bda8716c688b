// scan.cu: running sums. Each block scans its own part of the array; a last kernel adds what came before.
#include "../suite.h"

namespace {

// Hillis and Steele: log n steps of n additions, two arrays in turn.
template <int THREADS>
__global__ void scan_steps(const float *in, float *out, int count) {
  __shared__ float sums[2][THREADS];  // thread x writes [.][x]
  int x = threadIdx.x, i = blockIdx.x * THREADS + x, from = 0;
  sums[0][x] = i < count ? in[i] : 0;
  __syncthreads();  // read after write: the others' elements
  for (int step = 1; step < THREADS; step *= 2) {
    sums[1 - from][x] = sums[from][x] + (x >= step ? sums[from][x - step] : 0);
    from = 1 - from;
    __syncthreads();  // read after write: the sums of this step
  }
  if (i < count) out[i] = sums[from][x];
}

// Blelloch: up a tree and down again, two elements a thread; the words of a step are further and further apart.
template <int ELEMENTS>
__global__ void scan_tree(const float *in, float *out, int count) {
  __shared__ float
      sums[ELEMENTS];  // thread x writes [2 x] and [2 x + 1], then the nodes of its step
  int x = threadIdx.x, first = blockIdx.x * ELEMENTS;
  for (int k = 2 * x; k <= 2 * x + 1; k++) sums[k] = first + k < count ? in[first + k] : 0;
  int distance = 1;
  for (int nodes = ELEMENTS / 2; nodes > 0; nodes /= 2, distance *= 2) {
    __syncthreads();  // read after write: the sums of the last step
    if (x < nodes) sums[distance * (2 * x + 2) - 1] += sums[distance * (2 * x + 1) - 1];
  }
  if (x == 0) sums[ELEMENTS - 1] = 0;
  for (int nodes = 1; nodes < ELEMENTS; nodes *= 2) {
    distance /= 2;
    __syncthreads();  // read after write: the sums of the last step
    if (x < nodes) {
      int left = distance * (2 * x + 1) - 1, right = distance * (2 * x + 2) - 1;
      float sum = sums[left];
      sums[left] = sums[right];
      sums[right] += sum;
    }
  }
  __syncthreads();  // read after write: the last sums
  for (int k = 2 * x; k <= 2 * x + 1; k++)
    if (first + k < count) out[first + k] = sums[k];
}

__device__ float warp_scan(float sum) {
  for (int step = 1; step < 32; step *= 2) {
    float other = __shfl_up_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 >= step) sum += other;
  }
  return sum;
}

// Warps by shuffles, then the warps' sums by one warp.
__global__ void scan_shuffle(const float *in, float *out, int count) {
  __shared__ float sums[32];  // lane 31 of warp w writes [w], then warp 0 all
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = warp_scan(i < count ? in[i] : 0);
  if (lane == 31) sums[warp] = sum;
  __syncthreads();  // read after write: the warps' sums
  if (warp == 0) {
    float all = warp_scan(lane < blockDim.x / 32 ? sums[lane] : 0);
    sums[lane] = all;
  }
  __syncthreads();  // read after write: what comes before each warp
  if (warp > 0) sum += sums[warp - 1];
  if (i < count) out[i] = sum;
}

__global__ void scan_add(const float *in, const float *before, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] + before[blockIdx.x];
}

// ---- launches ----

void run(const char *name, void (*kernel)(const float *, float *, int), int count, int part,
         int threads, bool inclusive) {
  if (!next_launch(name, dim3(cover(count, part)), dim3(threads), "%d floats, parts of %d", count,
                   part))
    return;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, count);
  expect(out, count, [=](size_t i) {
    double sum = 0;
    for (size_t k = i / part * part; k < i + inclusive; k++) sum += value(k);
    return sum;
  });
}

}  // namespace

void family_scan() {
  for (int count : {100000, 1 << 24}) {
    run("scan_steps<256>", scan_steps<256>, count, 256, 256, true);
    run("scan_tree<512>", scan_tree<512>, count, 512, 256, false);
    run("scan_shuffle", scan_shuffle, count, 512, 512, true);
  }
  run("scan_steps<1024>", scan_steps<1024>, 1 << 22, 1024, 1024, true);
  run("scan_tree<2048>", scan_tree<2048>, 1 << 22, 2048, 1024, false);
  int count = 1 << 24;
  if (next_launch("scan_add", dim3(count / 512), dim3(512), "%d floats", count)) {
    const float *in = input(count), *before = input(count / 512, 5);
    float *out = output(count);
    launch(scan_add, in, before, out, count);
    expect(out, count, [](size_t i) { return value(i) + value(5 + i / 512); });
  }
}
