// histogram.cu: counting by atomics, in global and in shared memory, where values meet often and where they do not.
#include "../suite.h"

namespace {

__global__ void histogram_global(const unsigned char *in, unsigned *bins, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *in, unsigned *bins, int count) {
  __shared__ unsigned own[256];  // the block's; thread x clears and adds [x]
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();  // write after write: cleared before anyone counts
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i]], 1u);
  __syncthreads();  // read after write: all have counted
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

// A histogram for each warp, put together at the end.
__global__ void histogram_warps(const unsigned char *in, unsigned *bins, int count) {
  __shared__ unsigned own[8][256];  // warp w counts in [w]
  for (int b = threadIdx.x; b < 8 * 256; b += blockDim.x) own[b / 256][b % 256] = 0;
  __syncthreads();  // write after write: cleared before anyone counts
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&own[threadIdx.x / 32][in[i]], 1u);
  __syncthreads();  // read after write: all have counted
  unsigned sum = 0;
  for (int w = 0; w < 8; w++) sum += own[w][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}

// So many bins that two lanes hardly ever meet.
__global__ void count_keys(const int *keys, unsigned *bins, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&bins[keys[i]], 1u);
}

// Weighted: floats are added.
__global__ void add_weights(const int *keys, const float *weights, float *bins, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&bins[keys[i]], weights[i]);
}

// ---- launches ----

using counting = void (*)(const unsigned char *, unsigned *, int);

// `different` values, of 256.
void run(const char *name, counting kernel, int count, int different, int grid) {
  if (!next_launch(name, dim3(grid), dim3(256), "%d bytes of %d values", count, different)) return;
  std::vector<unsigned char> bytes(count);
  std::vector<unsigned> wanted(256);
  for (int i = 0; i < count; i++) wanted[bytes[i] = (unsigned char)(bits(i) % different)]++;
  const unsigned char *in = upload(bytes);
  unsigned *bins = output<unsigned>(256);
  launch(kernel, in, bins, count);
  expect(
      bins, 256, [&](size_t b) { return wanted[b]; }, 0);
}

std::vector<int> keys_of(int count, int bins) {
  std::vector<int> keys(count);
  for (int i = 0; i < count; i++) keys[i] = (int)(bits(i) % bins);
  return keys;
}

void run_keys(int count, int size) {
  if (!next_launch("count_keys", dim3(cover(count, 256)), dim3(256), "%d keys, %d bins", count,
                   size))
    return;
  std::vector<int> keys = keys_of(count, size);
  std::vector<unsigned> wanted(size);
  for (int key : keys) wanted[key]++;
  const int *in = upload(keys);
  unsigned *bins = output<unsigned>(size);
  launch(count_keys, in, bins, count);
  expect(
      bins, size, [&](size_t b) { return wanted[b]; }, 0);
}

void run_weights(int count, int size) {
  if (!next_launch("add_weights", dim3(cover(count, 256)), dim3(256), "%d keys, %d bins", count,
                   size))
    return;
  std::vector<int> keys = keys_of(count, size);
  std::vector<double> wanted(size);
  for (int i = 0; i < count; i++) wanted[keys[i]] += value(i);
  const int *in = upload(keys);
  const float *weights = input(count);
  float *bins = output(size);
  launch(add_weights, in, weights, bins, count);
  expect(
      bins, size, [&](size_t b) { return wanted[b]; }, 1e-3);
}

}  // namespace

void family_histogram() {
  for (int different : {256, 4}) {
    run("histogram_global", histogram_global, 1 << 20, different, 132 * 4);
    run("histogram_shared", histogram_shared, 1 << 20, different, 132 * 4);
    run("histogram_shared", histogram_shared, 1 << 24, different, 132 * 8);
    run("histogram_warps", histogram_warps, 1 << 24, different, 132 * 8);
  }
  run("histogram_global", histogram_global, 1 << 24, 256, 132 * 8);
  run("histogram_shared", histogram_shared, 10000, 256, 10);
  run_keys(1 << 22, 1 << 20);
  run_keys(1 << 22, 1 << 24);
  run_weights(1 << 20, 1000);
  run_weights(1 << 22, 1 << 20);
}
