// stencil.cu: each element from its neighbours, in one, two and three dimensions. Elements at the edge stay 0.
#include "../suite.h"

namespace {

enum { RADIUS = 3 };

__global__ void stencil_1d(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < RADIUS || i >= n - RADIUS) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += in[i + k];
  out[i] = sum;
}

__global__ void stencil_1d_shared(const float *in, float *out, int n) {
  __shared__ float
      part[256 + 2 * RADIUS];  // thread x writes [x + RADIUS], the first ones the ends, too
  int x = threadIdx.x, i = blockIdx.x * 256 + x;
  part[x + RADIUS] = i < n ? in[i] : 0;
  if (x < RADIUS) {
    part[x] = i >= RADIUS ? in[i - RADIUS] : 0;
    part[x + 256 + RADIUS] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();  // read after write: the neighbours' elements
  if (i < RADIUS || i >= n - RADIUS) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += part[x + RADIUS + k];
  out[i] = sum;
}

// Jacobi's step: four neighbours and the element.
__global__ void stencil_2d(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                           in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

template <int WIDE, int HIGH>
__global__ void stencil_2d_shared(const float *in, float *out, int n) {
  __shared__ float tile[HIGH + 2][WIDE + 2];  // the block's elements and one more on each side
  int left = blockIdx.x * WIDE - 1, top = blockIdx.y * HIGH - 1;
  for (int i = threadIdx.y * WIDE + threadIdx.x; i < (HIGH + 2) * (WIDE + 2); i += WIDE * HIGH) {
    int row = i / (WIDE + 2), column = i % (WIDE + 2), y = top + row, x = left + column;
    tile[row][column] = x >= 0 && y >= 0 && x < n && y < n ? in[y * n + x] : 0;
  }
  __syncthreads();  // read after write: the neighbours' elements
  int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int c = threadIdx.x + 1, r = threadIdx.y + 1;
  out[y * n + x] =
      0.2f * (tile[r][c] + tile[r][c - 1] + tile[r][c + 1] + tile[r - 1][c] + tile[r + 1][c]);
}

// Seven points, one thread an element.
__global__ void stencil_3d(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  int i = (z * n + y) * n + x;
  out[i] =
      in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i];
}

// The same, each thread a column of elements along z, three of which it keeps in registers.
__global__ void stencil_3d_march(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  float below = in[i], here = in[i + n * n];
  for (int z = 1; z < n - 1; z++) {
    i += n * n;
    float above = in[i + n * n];
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above - 6 * here;
    below = here;
    here = above;
  }
}

// Conway's Life on a torus of bytes.
__global__ void life(const unsigned char *in, unsigned char *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int west = (x + n - 1) % n, east = (x + 1) % n, north = (y + n - 1) % n * n,
      south = (y + 1) % n * n, here = y * n;
  int alive = in[north + west] + in[north + x] + in[north + east] + in[here + west] +
              in[here + east] + in[south + west] + in[south + x] + in[south + east];
  out[here + x] = alive == 3 || (alive == 2 && in[here + x]);
}

// ---- launches ----

using stencil = void (*)(const float *, float *, int);

void run_1d(const char *name, stencil kernel, int n) {
  if (!next_launch(name, dim3(cover(n, 256)), dim3(256), "%d floats", n)) return;
  const float *in = input(n);
  float *out = output(n);
  launch(kernel, in, out, n);
  expect(out, n, [=](size_t i) {
    double sum = 0;
    if (i >= RADIUS && i + RADIUS < (size_t)n)
      for (size_t k = i - RADIUS; k <= i + RADIUS; k++) sum += value(k);
    return sum;
  });
}

void run_2d(const char *name, stencil kernel, int n, dim3 block) {
  if (!next_launch(name, dim3(cover(n, block.x), cover(n, block.y)), block, "n %d, block %ux%u", n,
                   block.x, block.y))
    return;
  const float *in = input((size_t)n * n);
  float *out = output((size_t)n * n);
  launch(kernel, in, out, n);
  expect(out, (size_t)n * n, [=](size_t i) {
    size_t x = i % n, y = i / n;
    if (x < 1 || y < 1 || x + 1 >= (size_t)n || y + 1 >= (size_t)n) return 0.0;
    return 0.2 * ((double)value(i) + value(i - 1) + value(i + 1) + value(i - n) + value(i + n));
  });
}

void run_3d(const char *name, stencil kernel, int n, dim3 block, int deep) {
  dim3 grid(cover(n, block.x), cover(n, block.y), deep);
  if (!next_launch(name, grid, block, "n %d, block %ux%ux%u", n, block.x, block.y, block.z)) return;
  size_t count = (size_t)n * n * n;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, n);
  expect(out, count, [=](size_t i) {
    size_t x = i % n, y = i / n % n, z = i / n / n, last = n - 1, plane = (size_t)n * n;
    if (x < 1 || y < 1 || z < 1 || x >= last || y >= last || z >= last) return 0.0;
    return (double)value(i - 1) + value(i + 1) + value(i - n) + value(i + n) + value(i - plane) +
           value(i + plane) - 6 * value(i);
  });
}

void run_life(int n) {
  if (!next_launch("life", dim3(cover(n, 32), cover(n, 8)), dim3(32, 8), "n %d", n)) return;
  std::vector<unsigned char> cells((size_t)n * n);
  for (size_t i = 0; i < cells.size(); i++) cells[i] = bits(i) % 3 == 0;
  const unsigned char *in = upload(cells);
  unsigned char *out = output<unsigned char>(cells.size());
  launch(life, in, out, n);
  expect(
      out, cells.size(),
      [&](size_t i) {
        int x = (int)(i % n), y = (int)(i / n), alive = 0;
        for (int k = 0; k < 9; k++)
          if (k != 4)
            alive += cells[(size_t)((y + k / 3 - 1 + n) % n) * n + (x + k % 3 - 1 + n) % n];
        return alive == 3 || (alive == 2 && cells[i]);
      },
      0);
}

}  // namespace

void family_stencil() {
  for (int n : {10000, 1 << 24}) {
    run_1d("stencil_1d", stencil_1d, n);
    run_1d("stencil_1d_shared", stencil_1d_shared, n);
  }
  for (int n : {1000, 4096}) {
    run_2d("stencil_2d", stencil_2d, n, dim3(32, 8));
    run_2d("stencil_2d_shared<32, 8>", stencil_2d_shared<32, 8>, n, dim3(32, 8));
  }
  run_2d("stencil_2d", stencil_2d, 2047, dim3(16, 16));
  run_2d("stencil_2d", stencil_2d, 8192, dim3(128, 4));
  run_2d("stencil_2d_shared<16, 16>", stencil_2d_shared<16, 16>, 2047, dim3(16, 16));
  for (int n : {100, 384}) {
    run_3d("stencil_3d", stencil_3d, n, dim3(32, 8, 1), n);
    run_3d("stencil_3d_march", stencil_3d_march, n, dim3(32, 8, 1), 1);
  }
  run_3d("stencil_3d", stencil_3d, 256, dim3(8, 8, 8), 32);
  for (int n : {1000, 4096}) run_life(n);
}
