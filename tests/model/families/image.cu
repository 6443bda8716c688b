// image.cu: pictures: convolutions with a kernel in constant memory, Mandelbrot's set, bytes and colours.
#include "../suite.h"

enum { RADIUS = 4, SIDE = 2 * RADIUS + 1 };
static __constant__ float filter[SIDE * SIDE];

namespace {

// Outside of the picture all is 0.
__global__ void convolve(const float *in, float *out, int wide, int high) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high) return;
  float sum = 0;
  for (int j = -RADIUS; j <= RADIUS; j++)
    for (int i = -RADIUS; i <= RADIUS; i++)
      if (x + i >= 0 && x + i < wide && y + j >= 0 && y + j < high)
        sum += filter[(j + RADIUS) * SIDE + i + RADIUS] * in[(y + j) * wide + x + i];
  out[y * wide + x] = sum;
}

__global__ void convolve_shared(const float *in, float *out, int wide, int high) {
  enum { TILE = 16, WITH = TILE + 2 * RADIUS };
  __shared__ float tile[WITH][WITH];  // the block's elements and RADIUS more on each side
  int left = blockIdx.x * TILE - RADIUS, top = blockIdx.y * TILE - RADIUS;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < WITH * WITH; i += TILE * TILE) {
    int x = left + i % WITH, y = top + i / WITH;
    tile[i / WITH][i % WITH] = x >= 0 && x < wide && y >= 0 && y < high ? in[y * wide + x] : 0;
  }
  __syncthreads();  // read after write: the neighbours' elements
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x >= wide || y >= high) return;
  float sum = 0;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      sum += filter[j * SIDE + i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[y * wide + x] = sum;
}

// One row of the kernel, along rows or down columns of the picture.
__global__ void convolve_rows(const float *in, float *out, int wide, int high) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high) return;
  float sum = 0;
  for (int i = -RADIUS; i <= RADIUS; i++)
    if (x + i >= 0 && x + i < wide) sum += filter[i + RADIUS] * in[y * wide + x + i];
  out[y * wide + x] = sum;
}

__global__ void convolve_columns(const float *in, float *out, int wide, int high) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high) return;
  float sum = 0;
  for (int j = -RADIUS; j <= RADIUS; j++)
    if (y + j >= 0 && y + j < high) sum += filter[j + RADIUS] * in[(y + j) * wide + x];
  out[y * wide + x] = sum;
}

// An index that differs in each lane: constant memory answers one at a time.
__global__ void recolour(const unsigned char *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = filter[in[i] % (SIDE * SIDE)];
}

__device__ __host__ inline int escape(float x0, float y0, int most) {
  float x = 0, y = 0;
  int steps = 0;
  while (x * x + y * y <= 4.0f && steps < most) {
    float next = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = next;
    steps++;
  }
  return steps;
}

__global__ void mandelbrot(int *out, int wide, int high, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < wide && y < high)
    out[y * wide + x] = escape(-2.0f + 2.5f * x / wide, -1.25f + 2.5f * y / high, most);
}

// Three bytes a pixel.
__global__ void grey(const unsigned char *in, unsigned char *out, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels)
    out[i] = (unsigned char)((77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8);
}

// Four, as one load.
__global__ void grey_uchar4(const uchar4 *in, unsigned char *out, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  uchar4 p = in[i];
  out[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
}

// ---- launches ----

float weight(int i) { return value(1000 + i); }

void set_filter() {
  float weights[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) weights[i] = weight(i);
  cudaError_t error = cudaMemcpyToSymbol(filter, weights, sizeof weights);
  if (error != cudaSuccess) suite_fail("cudaMemcpyToSymbol: %s", cudaGetErrorString(error));
}

using convolution = void (*)(const float *, float *, int, int);

void run(const char *name, convolution kernel, int wide, int high, dim3 block) {
  dim3 grid(cover(wide, block.x), cover(high, block.y));
  if (!next_launch(name, grid, block, "%d x %d, block %ux%u", high, wide, block.x, block.y)) return;
  set_filter();
  size_t count = (size_t)wide * high;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, wide, high);
  bool columns = kernel == convolve_columns, rows = kernel == convolve_rows;
  expect(out, count, [=](size_t at) {
    int x = (int)(at % wide), y = (int)(at / wide);
    double sum = 0;
    for (int j = rows ? 0 : -RADIUS; j <= (rows ? 0 : RADIUS); j++)
      for (int i = columns ? 0 : -RADIUS; i <= (columns ? 0 : RADIUS); i++)
        if (x + i >= 0 && x + i < wide && y + j >= 0 && y + j < high)
          sum += (double)weight(rows      ? i + RADIUS
                                : columns ? j + RADIUS
                                          : (j + RADIUS) * SIDE + i + RADIUS) *
                 value((size_t)(y + j) * wide + x + i);
    return sum;
  });
}

void run_mandelbrot(int wide, int high, int most, dim3 block) {
  dim3 grid(cover(wide, block.x), cover(high, block.y));
  if (!next_launch("mandelbrot", grid, block, "%d x %d, %d steps, block %ux%u", high, wide, most,
                   block.x, block.y))
    return;
  int *out = output<int>((size_t)wide * high);
  launch(mandelbrot, out, wide, high, most);
  // Points at the edge of the set escape sooner or later, as each machine rounds: the first row is far from it.
  expect(
      out, wide, [=](size_t x) { return escape(-2.0f + 2.5f * x / wide, -1.25f, most); }, 0.1);
}

std::vector<unsigned char> bytes(size_t count) {
  std::vector<unsigned char> all(count);
  for (size_t i = 0; i < count; i++) all[i] = (unsigned char)bits(i);
  return all;
}

void run_grey(int pixels, int each) {
  if (!next_launch(each == 3 ? "grey" : "grey_uchar4", dim3(cover(pixels, 256)), dim3(256),
                   "%d pixels", pixels))
    return;
  std::vector<unsigned char> colours = bytes((size_t)each * pixels);
  const unsigned char *in = upload(colours);
  unsigned char *out = output<unsigned char>(pixels);
  if (each == 3)
    launch(grey, in, out, pixels);
  else
    launch(grey_uchar4, (const uchar4 *)in, out, pixels);
  expect(
      out, pixels,
      [&](size_t i) {
        const unsigned char *p = &colours[each * i];
        return (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
      },
      0);
}

void run_recolour(int count) {
  if (!next_launch("recolour", dim3(cover(count, 256)), dim3(256), "%d", count)) return;
  set_filter();
  std::vector<unsigned char> picture = bytes(count);
  const unsigned char *in = upload(picture);
  float *out = output(count);
  launch(recolour, in, out, count);
  expect(
      out, count, [&](size_t i) { return weight(picture[i] % (SIDE * SIDE)); }, 0);
}

}  // namespace

void family_image() {
  run("convolve", convolve, 300, 200, dim3(16, 16));
  run("convolve", convolve, 3840, 2160, dim3(32, 8));
  run("convolve_shared", convolve_shared, 300, 200, dim3(16, 16));
  run("convolve_shared", convolve_shared, 3840, 2160, dim3(16, 16));
  run("convolve_rows", convolve_rows, 3840, 2160, dim3(32, 8));
  run("convolve_columns", convolve_columns, 3840, 2160, dim3(32, 8));
  run_mandelbrot(320, 200, 100, dim3(16, 16));
  run_mandelbrot(1920, 1080, 256, dim3(32, 8));
  run_mandelbrot(1920, 1080, 256, dim3(256, 1));
  for (int pixels : {1920 * 1080, 1 << 25}) run_grey(pixels, 3);
  run_grey(1 << 25, 4);
  run_recolour(1 << 22);
}
