// recorded.cu: the launches of counters.tsv, row by row: kernels.cu at n = 1024.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.cu"
#include "launches.h"

static const int n = 1024;
static float *in, *in2, *out;

static void allocate() {
  size_t bytes = sizeof(float) * n * n;
  if (cudaMalloc(&in, bytes) || cudaMalloc(&in2, bytes) || cudaMalloc(&out, bytes) || cudaMemset(in, 0, bytes) ||
      cudaMemset(in2, 0, bytes) || cudaMemset(out, 0, bytes))
    exit(2);
}

static void product(void (*kernel)(const float *, const float *, float *, int), const char *arg, int edge) {
  next_launch(arg);
  kernel<<<dim3(n / edge, n / edge), dim3(edge, edge)>>>(in, in2, out, n);
}

static void transpose(int x, int y) {
  next_launch("-");
  tr_naive<<<dim3(n / x, n / y), dim3(x, y)>>>(in, out, n);
}

static void tile_transpose(void (*kernel)(const float *, float *, int), const char *arg, int rows) {
  next_launch(arg);
  kernel<<<dim3(n / 32, n / 32), dim3(32, rows)>>>(in, out, n);
}

static void copy(void (*kernel)(const float *, float *, int, int), int arg, int threads, int elements) {
  char text[16];
  snprintf(text, sizeof text, "%d", arg);
  next_launch(text);
  kernel<<<threads / 256, 256>>>(in, out, arg, elements);
}

extern "C" void launch_recorded(void) {
  static const int blocks[][2] = {{32, 32}, {16, 32}, {32, 16}, {8, 16}, {16, 16}, {32, 8}, {8, 32},
                                  {4, 32},  {2, 32},  {1, 32},  {2, 64}, {4, 64},  {32, 1}};
  static const int offsets[] = {0, 1, 2, 4, 8, 16, 17, 32}, strides[] = {1, 2, 3, 4, 8, 16, 32};
  allocate();
  product(mm_naive, "-", 16);
  product(mm_naive_unc, "-", 16);
  product(mm_naive, "-", 32);
  product(mm_naive_unc, "-", 32);
  product(mm_tiled<8>, "8", 8);
  product(mm_tiled<16>, "16", 16);
  product(mm_tiled<32>, "32", 32);
  for (auto &block : blocks) transpose(block[0], block[1]);
  tile_transpose(tr_smem<0>, "0", 32);
  tile_transpose(tr_smem<1>, "1", 32);
  tile_transpose(tr_smem8<0>, "0", 8);
  tile_transpose(tr_smem8<1>, "1", 8);
  for (int offset : offsets) copy(offset_copy, offset, n * n, n * n);
  for (int stride : strides) copy(stride_copy, stride, 32768, 32768 * stride);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(in2);
  cudaFree(out);
}
