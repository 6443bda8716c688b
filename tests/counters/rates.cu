// rates.cu: the small measurements behind harness/sim/gpus/*.ini, on a GPU.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 -o build/rates tests/counters/rates.cu && build/rates >rates.tsv
//
// One row a measurement: what, parameter, ns (median of 11, each the mean of as many launches as take some ms, one after
// the other), how many of the unit, unit, and units a ns. Kernels that measure throughput fill the chip; latencies are one
// thread's.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <functional>

#include "kernels.cu"

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "rates: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static double mean_ns(const std::function<void()> &launch, int times) {
  static cudaEvent_t from, to;
  if (!from) cudaEventCreate(&from), cudaEventCreate(&to);
  cudaEventRecord(from);
  for (int i = 0; i < times; i++) launch();
  cudaEventRecord(to);
  check(cudaEventSynchronize(to), "kernel");
  float ms;
  cudaEventElapsedTime(&ms, from, to);
  return ms * 1e6 / times;
}

static void measure(const char *what, const char *parameter, double count, const char *unit,
                    const std::function<void()> &launch) {
  enum { ROUNDS = 11 };
  double ns[ROUNDS];
  mean_ns(launch, 3);
  int times = (int)std::max(1.0, std::min(200.0, 4e6 / mean_ns(launch, 3)));
  for (double &n : ns) n = mean_ns(launch, times);
  std::sort(ns, ns + ROUNDS);
  double median = ns[ROUNDS / 2];
  printf("%s\t%s\t%.1f\t%.0f\t%s\t%.4f\n", what, parameter, median, count, unit, count / median);
  fflush(stdout);
}

// ---- blocks ----

__global__ void empty() {}

static void blocks() {
  measure("launch", "1 block", 1, "launch", [] { empty<<<1, 32>>>(); });
  for (int threads = 1; threads <= 1024; threads *= 2) {
    char text[32];
    snprintf(text, sizeof text, "%d threads", threads);
    int count = 1 << 20;
    measure("empty blocks", text, count, "block", [=] { empty<<<count, threads>>>(); });
  }
}

// ---- latency: a chain of loads ----

__global__ void chase(const unsigned *next, int steps, unsigned *out, bool cached) {
  unsigned at = *out;
  for (int i = 0; i < steps; i++) at = cached ? __ldca(next + at) : __ldcg(next + at);
  *out = at;
}

__global__ void chase_shared(int steps, unsigned *out) {
  __shared__ unsigned next[256];
  for (int i = 0; i < 256; i++) next[i] = (i + 33) % 256;
  unsigned at = 0;
  for (int i = 0; i < steps; i++) at = next[at];
  *out = at;
}

static void latencies() {
  static const struct {
    const char *name;
    size_t bytes;
    bool cached;
  } sets[] = {{"L1", 16 << 10, true}, {"L2", 4 << 20, false}, {"DRAM", (size_t)1 << 30, false}};
  unsigned *out;
  check(cudaMalloc(&out, 4), "cudaMalloc");
  for (auto &set : sets) {
    // One cycle through all lines of 128 bytes in an order that nothing can foresee.
    size_t lines = set.bytes / 128;
    unsigned *order = new unsigned[lines], *host = (unsigned *)calloc(lines, 128), *next;
    for (size_t i = 0; i < lines; i++) order[i] = (unsigned)i;
    for (size_t i = lines - 1; i > 0; i--)
      std::swap(order[i], order[((size_t)rand() << 16 ^ (size_t)rand()) % i]);
    for (size_t i = 0; i < lines; i++) host[(size_t)i * 32] = order[i] * 32;
    check(cudaMalloc(&next, set.bytes), "cudaMalloc");
    cudaMemcpy(next, host, set.bytes, cudaMemcpyHostToDevice);
    int steps = 1 << 15;
    cudaMemset(out, 0, 4); // each launch goes on where the last one stopped
    measure("latency", set.name, steps, "load", [=] { chase<<<1, 1>>>(next, steps, out, set.cached); });
    cudaFree(next);
    free(host);
    delete[] order;
  }
  measure("latency", "shared", 1 << 15, "load", [=] { chase_shared<<<1, 1>>>(1 << 15, out); });
  cudaFree(out);
}

// ---- throughput ----

// Each warp's lanes read elements `stride` floats apart, `rounds` times, in a buffer of `floats`, a power of two. L2: past L1,
// and each warp its own part; else every warp reads the same.
template <bool L2>
__global__ void read_floats(const float *in, float *out, int stride, unsigned floats, int rounds) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  float sum = 0;
  unsigned at = L2 ? warp * 32 * stride + lane * stride : lane * stride;
  for (int i = 0; i < rounds; i += 4) {
    float value[4];
    for (int k = 0; k < 4; k++) {
      value[k] = L2 ? __ldcg(in + (at & (floats - 1))) : __ldca(in + (at & (floats - 1)));
      at += L2 ? warps * 32 * stride : 32;
    }
    for (float v : value) sum += v;
  }
  if (sum == 1.5f) *out = sum;
}

// Each warp stores 32 / run runs of `run` floats, `stride` floats apart.
__global__ void write_floats(float *out, int run, int stride, unsigned floats, int rounds) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  unsigned runs = 32 / run, span = runs * stride;
  unsigned at = warp * span + lane / run * stride + lane % run;
  for (int i = 0; i < rounds; i++, at += warps * span) out[at & (floats - 1)] = i;
}

static void throughputs(int sms) {
  const unsigned floats = 4 << 20; // 16 MiB: in L2, not in L1
  int grid = sms * 2, rounds = 256;
  double requests = (double)grid * 1024 / 32 * rounds;
  float *buffer, *out;
  check(cudaMalloc(&buffer, (size_t)floats * 4), "cudaMalloc");
  check(cudaMalloc(&out, 4), "cudaMalloc");
  cudaMemset(buffer, 0, (size_t)floats * 4);
  char text[64];
  for (int stride = 1; stride <= 32; stride *= 2) {
    snprintf(text, sizeof text, "stride %d", stride);
    int sectors = std::min(32, 4 * stride), lines = stride;
    measure("read L2", text, requests * sectors, "sector",
            [=] { read_floats<true><<<grid, 1024>>>(buffer, out, stride, floats, rounds); });
    measure("read L1", text, requests * lines, "line",
            [=] { read_floats<false><<<grid, 1024>>>(buffer, out, stride, 4096, rounds); });
  }
  for (int blocks = 2; blocks <= grid / 2; blocks *= 4) {
    snprintf(text, sizeof text, "stride 8, %d blocks", blocks);
    measure("read L2", text, (double)blocks * rounds * 32 * 32, "sector",
            [=] { read_floats<true><<<blocks, 1024>>>(buffer, out, 8, floats, rounds); });
  }
  measure("read L1", "stride 0", requests, "line",
          [=] { read_floats<false><<<grid, 1024>>>(buffer, out, 0, 4096, rounds); });
  static const int runs[][2] = {{32, 32}, {1, 8}, {1, 32}, {1, 1024}, {8, 32}, {8, 1024}, {4, 1024}, {16, 1024}, {32, 1024}};
  for (auto &r : runs) {
    int run = r[0], stride = r[1];
    snprintf(text, sizeof text, "run %d stride %d", run, stride);
    double sectors = (32 / run) * ((run + 7) / 8);
    measure("write L2", text, requests * sectors, "sector",
            [=] { write_floats<<<grid, 1024>>>(buffer, run, stride, floats, rounds); });
  }
  cudaFree(buffer);
  cudaFree(out);
}

// ---- what is made of them ----

__global__ void copy_floats(const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void copy_float4(const float4 *in, float4 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Over and over the same 4 MiB, so that L2 has them: what one block takes from its start to the next one's in its place.
__global__ void copy_again(const float *in, float *out) {
  unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) & ((1 << 20) - 1);
  out[i] = in[i];
}

static void block_lives(float *a, float *c, int sms) {
  char text[64];
  cudaFuncSetAttribute(copy_again, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10);
  for (int threads = 64; threads <= 1024; threads *= 2)
    for (int resident = std::min(32, 2048 / threads); resident >= 1; resident /= 2) {
      int bytes = (int)((228 << 10) / resident - 1024) & ~127, blocks = sms * resident * 64, got;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, copy_again, threads, bytes);
      snprintf(text, sizeof text, "%d threads, %d blocks an SM", threads, got);
      measure("64 waves of blocks", text, 64, "wave", [=] { copy_again<<<blocks, threads, bytes>>>(a, c); });
    }
}

// As tr_naive and mm_naive, for sizes that blocks need not divide.
__global__ void transpose(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

__global__ void product(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

static void kernels(int sms) {
  const size_t most = 8192;
  float *a, *b, *c;
  check(cudaMalloc(&a, most * most * 4), "cudaMalloc");
  check(cudaMalloc(&b, most * most * 4), "cudaMalloc");
  check(cudaMalloc(&c, most * most * 4), "cudaMalloc");
  cudaMemset(a, 0, most * most * 4);
  cudaMemset(b, 0, most * most * 4);
  char text[64];
  block_lives(a, c, sms);
  for (int mib = 4; mib <= 256; mib += mib < 64 ? 4 : 32) {
    snprintf(text, sizeof text, "%d MiB to %d MiB", mib, mib);
    int blocks = mib << 20 >> 12;
    measure("copy float4", text, mib * 2.0 * (1 << 20), "byte", [=] { copy_float4<<<blocks, 256>>>((float4 *)a, (float4 *)c); });
  }
  for (unsigned elements = 1 << 20; elements <= 1 << 24; elements *= 4)
    for (int threads = 32; threads <= 1024; threads *= 2) {
      snprintf(text, sizeof text, "%u floats, %d threads", elements, threads);
      measure("copy", text, elements, "element", [=] { copy_floats<<<elements / threads, threads>>>(a, c); });
    }
  for (int n = 1024; n <= 4096; n *= 2)
    for (int y = 1; y <= 1024; y *= 2)
      for (int x = 1; x * y <= 1024; x *= 2) {
        snprintf(text, sizeof text, "%dx%d n %d", x, y, n);
        measure("transpose", text, (double)n * n, "element",
                [=] { transpose<<<dim3((n + x - 1) / x, (n + y - 1) / y), dim3(x, y)>>>(a, c, n); });
      }
  for (int n = 1024; n <= 4096; n *= 2) {
    dim3 grid(n / 32, n / 32);
    snprintf(text, sizeof text, "n %d", n);
    measure("tr_smem 32x32", text, (double)n * n, "element", [=] { tr_smem<0><<<grid, dim3(32, 32)>>>(a, c, n); });
    measure("tr_smem_pad 32x32", text, (double)n * n, "element", [=] { tr_smem<1><<<grid, dim3(32, 32)>>>(a, c, n); });
    measure("tr_smem 32x8", text, (double)n * n, "element", [=] { tr_smem8<0><<<grid, dim3(32, 8)>>>(a, c, n); });
    measure("tr_smem_pad 32x8", text, (double)n * n, "element", [=] { tr_smem8<1><<<grid, dim3(32, 8)>>>(a, c, n); });
  }
  int n = 1024;
  for (int y = 1; y <= 1024; y *= 2)
    for (int x = 1; x * y <= 1024; x *= 2) {
      snprintf(text, sizeof text, "%dx%d n %d", x, y, n);
      measure("product", text, (double)n * n * n, "fma",
              [=] { product<<<dim3((n + x - 1) / x, (n + y - 1) / y), dim3(x, y)>>>(a, b, c, n); });
    }
  measure("mm_tiled 8", "n 1024", 0, "-", [=] { mm_tiled<8><<<dim3(128, 128), dim3(8, 8)>>>(a, b, c, n); });
  measure("mm_tiled 16", "n 1024", 0, "-", [=] { mm_tiled<16><<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, n); });
  measure("mm_tiled 32", "n 1024", 0, "-", [=] { mm_tiled<32><<<dim3(32, 32), dim3(32, 32)>>>(a, b, c, n); });
  check(cudaDeviceSynchronize(), "kernels");
}

int main() {
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, 0), "device");
  int khz = 0;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  printf("# %s, %d SMs, %d MHz at most\n", p.name, p.multiProcessorCount, khz / 1000);
  printf("what\tparameter\tns\tcount\tunit\tunits_per_ns\n");
  for (int i = 0; i < 2000; i++) empty<<<1 << 16, 128>>>(); // awake
  blocks();
  latencies();
  throughputs(p.multiProcessorCount);
  kernels(p.multiProcessorCount);
  return 0;
}
