// copy.cu: arrays from one place to another, side by side, apart, shifted, in pieces of 1 to 16 bytes.
#include "../suite.h"

namespace {

template <class T>
__global__ void copy(const T *in, T *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

template <class T>
__global__ void copy_grid_stride(const T *in, T *out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}

// Each thread has eight elements, a block apart: eight loads are on their way before the first store.
__global__ void copy_eight(const float *in, float *out, int count) {
  int first = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  float value[8];
  for (int k = 0; k < 8; k++)
    if (first + k * blockDim.x < count) value[k] = in[first + k * blockDim.x];
  for (int k = 0; k < 8; k++)
    if (first + k * blockDim.x < count) out[first + k * blockDim.x] = value[k];
}

// Each thread has `each` elements side by side: a warp's loads are `each` floats apart.
__global__ void copy_chunks(const float *in, float *out, int each, int count) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int k = 0; k < each; k++)
    if (first + k < count) out[first + k] = in[first + k];
}

__global__ void copy_offset(const float *in, float *out, int offset, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
  if (i < count) out[i] = in[i];
}

__global__ void copy_stride(const float *in, float *out, int stride, int count) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < count) out[i] = in[i];
}

__global__ void fill(float *out, float with, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = with;
}

// A matrix, by rows; a block has `blockDim.y` of them.
__global__ void copy_matrix(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[row * cols + column] = in[row * cols + column];
}

// ---- launches ----

void same(const float *out, size_t count) {
  expect(
      out, count, [](size_t i) { return value(i); }, 0);
}

// In elements of T; `floats` of them in floats.
template <class T>
void run(const char *name, void (*kernel)(const T *, T *, int), int floats, int threads, int grid) {
  int count = (int)(floats * sizeof(float) / sizeof(T));
  if (!next_launch(name, dim3(grid), dim3(threads), "%d floats, block %d", floats, threads)) return;
  const float *in = input(floats);
  float *out = output(floats);
  launch(kernel, (const T *)in, (T *)out, count);
  same(out, floats);
}

void apart(const char *name, void (*kernel)(const float *, float *, int, int), int by, int threads,
           size_t count) {
  if (!next_launch(name, dim3(cover(threads, 256)), dim3(256), "%d, %d threads", by, threads))
    return;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, by, (int)count);
  expect(
      out, count,
      [=](size_t i) {
        if (kernel == copy_offset) return i < (size_t)by ? 0 : value(i);
        if (kernel == copy_stride) return i % by || i / by >= (size_t)threads ? 0 : value(i);
        return value(i);
      },
      0);
}

}  // namespace

void family_copy() {
  for (int floats : {4099, 1 << 20, 4000000, 1 << 26})
    run("copy<float>", copy<float>, floats, 256, cover(floats, 256));
  run("copy<float>", copy<float>, 1 << 24, 64, 1 << 18);
  run("copy<float>", copy<float>, 1 << 24, 1024, 1 << 14);
  for (int floats : {1 << 20, 1 << 24, 1 << 26})
    run("copy<float4>", copy<float4>, floats, 256, cover(floats / 4, 256));
  run("copy<float2>", copy<float2>, 1 << 24, 128, cover(1 << 23, 128));
  run("copy<double>", copy<double>, 3000000, 256, cover(1500000, 256));
  run("copy<char>", copy<char>, 1 << 22, 256, 1 << 16);
  for (int floats : {1000003, 1 << 26})
    run("copy_grid_stride<float>", copy_grid_stride<float>, floats, 256, 132 * 8);
  run("copy_grid_stride<float>", copy_grid_stride<float>, 1 << 22, 256, 64);
  run("copy_grid_stride<float4>", copy_grid_stride<float4>, 1 << 26, 512, 132 * 4);
  run("copy_eight", copy_eight, 1 << 24, 256, cover(1 << 24, 2048));
  for (int offset : {1, 8, 17}) apart("copy_offset", copy_offset, offset, 1 << 22, 1 << 22);
  for (int stride : {2, 3, 8, 32})
    apart("copy_stride", copy_stride, stride, 1 << 20, (size_t)stride << 20);
  for (int each : {4, 16}) apart("copy_chunks", copy_chunks, each, (1 << 22) / each, 1 << 22);
  for (int count : {1 << 20, 1 << 26}) {
    if (!next_launch("fill", dim3(count / 256), dim3(256), "%d floats", count)) continue;
    float *out = output(count);
    launch(fill, out, 2.5f, count);
    expect(
        out, count, [](size_t) { return 2.5; }, 0);
  }
  static const int shapes[][3] = {{1000, 32, 8}, {4096, 16, 16}, {2047, 128, 2}, {4096, 32, 32}};
  for (auto &shape : shapes) {
    int n = shape[0];
    dim3 block(shape[1], shape[2]);
    if (!next_launch("copy_matrix", dim3(cover(n, block.x), cover(n, block.y)), block,
                     "n %d, block %ux%u", n, block.x, block.y))
      continue;
    const float *in = input((size_t)n * n);
    float *out = output((size_t)n * n);
    launch(copy_matrix, in, out, n, n);
    same(out, (size_t)n * n);
  }
}
