// local.cu: much in a thread's own memory: arrays that registers cannot hold as their index is not known, and many registers.
#include "../suite.h"

namespace {

// Each thread sorts its elements by insertion: an array in local memory.
template <int EACH>
__global__ void sort_own(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own[EACH];
  for (int k = 0; k < EACH; k++) {
    float value = in[k * n + i];
    int at = k;
    for (; at > 0 && own[at - 1] > value; at--) own[at] = own[at - 1];
    own[at] = value;
  }
  for (int k = 0; k < EACH; k++) out[k * n + i] = own[k];
}

// Counts in an array of its own.
__global__ void count_own(const unsigned char *in, unsigned *out, int each, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bins[16] = {};
  for (int k = 0; k < each; k++) bins[in[k * n + i] & 15]++;
  for (int b = 0; b < 16; b++) out[b * n + i] = bins[b];
}

// A dense layer of EACH inputs and outputs a thread: EACH sums and EACH inputs in registers, all loops unrolled.
template <int EACH>
__device__ void layer(const float *in, const float *weights, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float element[EACH], sum[EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++) element[k] = in[k * n + i], sum[k] = 0;
  for (int round = 0; round < EACH; round++) {
    float weight = weights[round];
#pragma unroll
    for (int k = 0; k < EACH; k++) sum[k] += weight * element[(k + 1) % EACH] + element[k];
  }
#pragma unroll
  for (int k = 0; k < EACH; k++) out[k * n + i] = sum[k];
}

template <int EACH>
__global__ void layer_registers(const float *in, const float *weights, float *out, int n) {
  layer<EACH>(in, weights, out, n);
}

// The same where the compiler may use only so many registers that an SM has two blocks of 1024 threads: it spills.
template <int EACH>
__global__ void __launch_bounds__(1024, 2)
    layer_spilled(const float *in, const float *weights, float *out, int n) {
  layer<EACH>(in, weights, out, n);
}

// ---- launches ----

template <int EACH>
void run_sort(const char *name, int n) {
  if (!next_launch(name, dim3(cover(n, 128)), dim3(128), "%d x %d", n, EACH)) return;
  const float *in = input((size_t)EACH * n);
  float *out = output((size_t)EACH * n);
  launch(sort_own<EACH>, in, out, n);
  expect(
      out, (size_t)EACH * n,
      [=](size_t at) {
        std::vector<float> own(EACH);
        for (int k = 0; k < EACH; k++) own[k] = value((size_t)k * n + at % n);
        std::sort(own.begin(), own.end());
        return own[at / n];
      },
      0);
}

void run_count(int n, int each) {
  if (!next_launch("count_own", dim3(cover(n, 128)), dim3(128), "%d x %d", n, each)) return;
  std::vector<unsigned char> bytes((size_t)each * n);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = (unsigned char)bits(i);
  const unsigned char *in = upload(bytes);
  unsigned *out = output<unsigned>((size_t)16 * n);
  launch(count_own, in, out, each, n);
  expect(
      out, (size_t)16 * n,
      [&](size_t at) {
        unsigned count = 0;
        for (int k = 0; k < each; k++) count += (bytes[(size_t)k * n + at % n] & 15) == at / n;
        return count;
      },
      0);
}

template <int EACH>
void run_layer(const char *name, void (*kernel)(const float *, const float *, float *, int), int n,
               int threads) {
  if (!next_launch(name, dim3(cover(n, threads)), dim3(threads), "%d, block %d", n, threads))
    return;
  const float *in = input((size_t)EACH * n), *weights = input(EACH, 9);
  float *out = output((size_t)EACH * n);
  launch(kernel, in, weights, out, n);
  expect(out, (size_t)EACH * n, [=](size_t at) {
    double sum = 0;
    size_t k = at / n, i = at % n;
    for (int round = 0; round < EACH; round++)
      sum += (double)value(9 + round) * value((k + 1) % EACH * n + i) + value(k * n + i);
    return sum;
  });
}

}  // namespace

void family_local() {
  for (int n : {1000, 200000}) run_sort<16>("sort_own<16>", n);
  run_sort<64>("sort_own<64>", 100000);
  for (int n : {1000, 200000}) run_count(n, 64);
  run_layer<8>("layer_registers<8>", layer_registers<8>, 1000000, 256);
  for (int n : {10000, 200000}) run_layer<64>("layer_registers<64>", layer_registers<64>, n, 256);
  run_layer<64>("layer_spilled<64>", layer_spilled<64>, 200000, 1024);
}
