// solutions.cu: labs 7 and 8 as their model solutions launch them: the seven sums of 2^24 elements,
// the branches, the products from register tiles, and the transpose.
#include <cstdio>
#include <cstdlib>

#include "../suite.h"

namespace lab7 {
#include "../../../solutions/lab7_reduction/lab7.cu"
}
#undef CHECK
namespace lab8 {
#include "../../../solutions/lab8_cublas/lab8.cu"
}
#undef CHECK

namespace {

// ---- lab 7 ----

typedef void sum_kernel(const float *in, float *out, int n);

// The first pass, of blocks that add up `each` neighbours.
void sums(const char *name, sum_kernel *kernel, int n, int each) {
  int blocks = cover(n, each);
  if (!next_launch(name, dim3(blocks), dim3(lab7::BLOCK), "%d", n)) return;
  const float *in = input(n);
  float *out = output(blocks);
  launch(kernel, in, out, n);
  expect(out, blocks, [=](size_t block) {
    double sum = 0;
    size_t begin = block * each, end = std::min(begin + each, (size_t)n);
    for (size_t i = begin; i < end; i++) sum += value(i);
    return sum;
  });
}

// Of a grid whose threads go on by its number of threads; *out has all blocks' sums, or a block's.
void strided_sums(const char *name, sum_kernel *kernel, int n, bool together) {
  if (!next_launch(name, dim3(lab7::BLOCKS), dim3(lab7::BLOCK), "%d", n)) return;
  const float *in = input(n);
  float *out = output(lab7::BLOCKS);
  launch(kernel, in, out, n);
  expect(out, together ? 1 : lab7::BLOCKS, [=](size_t block) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)n; i++)
      if (together || i / lab7::BLOCK % lab7::BLOCKS == block) sum += value(i);
    return sum;
  });
}

typedef void branch_kernel(const float *in, float *out, int n, int rounds);

void branches(const char *name, branch_kernel *kernel, int n, int rounds) {
  dim3 grid(cover(n, lab7::BLOCK)), block(lab7::BLOCK);
  if (!next_launch(name, grid, block, "%d, %d rounds", n, rounds)) return;
  const float *in = input(n);
  float *out = output(n);
  launch(kernel, in, out, n, rounds);
  expect(out, n, [=](size_t i) {
    double x = value(i);
    for (int round = 0; round < rounds; round++)
      x = i % 2 == 0 ? 0.9375 * x + 0.03125 : 0.96875 * x;
    return x;
  });
}

// ---- lab 8 ----

typedef void product_kernel(const float *A, const float *B, float *C, int M, int N, int K);

void product(const char *name, product_kernel *kernel, int n, dim3 tile, int threads) {
  if (!next_launch(name, dim3(cover(n, tile.x), cover(n, tile.y)), dim3(threads), "%d", n)) return;
  size_t count = (size_t)n * n;
  const float *A = input(count), *B = input(count, 7);
  float *C = output(count);
  launch(kernel, A, B, C, n, n, n);
  expect(C, count, [=](size_t i) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += (double)value(i / n * n + k) * value(7 + (size_t)k * n + i % n);
    return sum;
  });
}

typedef void turn_kernel(const float *in, float *out, int rows, int cols);

void transpose(const char *name, turn_kernel *kernel, int rows, int cols) {
  dim3 grid(cover(cols, lab8::SIDE), cover(rows, lab8::SIDE));
  if (!next_launch(name, grid, dim3(lab8::TURN_X, lab8::TURN_Y), "%d x %d", rows, cols)) return;
  size_t count = (size_t)rows * cols;
  const float *in = input(count);
  float *out = output(count);
  launch(kernel, in, out, rows, cols);
  expect(
      out, count, [=](size_t i) { return value(i % rows * cols + i / rows); }, 0);
}

}  // namespace

void family_solutions() {
  const int n = 1 << 24;
  sums("divergent_kernel", lab7::divergent_kernel, n, lab7::BLOCK);
  sums("conflicts_kernel", lab7::conflicts_kernel, n, lab7::BLOCK);
  sums("sequential_kernel", lab7::sequential_kernel, n, lab7::BLOCK);
  sums("first_add_kernel", lab7::first_add_kernel, n, 2 * lab7::BLOCK);
  sums("shuffles_kernel", lab7::shuffles_kernel, n, 2 * lab7::BLOCK);
  strided_sums("many_kernel", lab7::many_kernel, n, false);
  strided_sums("atomic_kernel", lab7::atomic_kernel, n, true);
  for (int rounds : {32, 512}) {
    branches("by_thread_kernel", lab7::by_thread_kernel, 1 << 22, rounds);
    branches("by_warp_kernel", lab7::by_warp_kernel, 1 << 22, rounds);
  }
  for (int side : {1024, 2048}) {
    product("register_1d_kernel", lab8::register_1d_kernel, side,
            dim3(lab8::TILE_1D, lab8::TILE_1D), lab8::THREADS_1D);
    product("register_2d_kernel", lab8::register_2d_kernel, side, dim3(lab8::TILE, lab8::TILE),
            lab8::THREADS);
    product("sgemm_kernel<true>", lab8::sgemm_kernel<true>, side, dim3(lab8::COLUMNS, lab8::ROWS),
            lab8::THREADS);
  }
  product("sgemm_kernel<false>", lab8::sgemm_kernel<false>, 2045, dim3(lab8::COLUMNS, lab8::ROWS),
          lab8::THREADS);
  transpose("transpose_kernel<true>", lab8::transpose_kernel<true>, 4096, 4096);
  transpose("transpose_kernel<false>", lab8::transpose_kernel<false>, 4095, 4097);
}
