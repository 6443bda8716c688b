/* cases.cu: launches the kernels of Enjia/CUDA-Kernel-Cases-of-Optimization-Techniques-for-GPU-
 * Programming as their main() does, but with sizes of choice. -DCASE: which; -DSOURCE: its file. */
#define main other_main
#include SOURCE
#undef main
#include <cstdlib>
#include <vector>
template <typename T> static T *array(size_t n, T (*f)(size_t, size_t)) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; i++) host[i] = f(i, n);
  T *at;
  cudaMalloc((void **)&at, n * sizeof(T));
  cudaMemcpy(at, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}
static float wave(size_t i, size_t) { return (float)(i % 1000) * 0.001f; }
int main(int, char **argv) {
  int n = atoi(argv[1]);
  dim3 block(256), grid((n + 255) / 256);
#if CASE == 3
  float *in = array<float>(n, wave), *out = array<float>(n, wave);
  stencil1<<<grid, block>>>(in, out, n);
  stencil2<<<((n + 1) / 2 + 255) / 256, block>>>(in, out, n);
#elif CASE == 5
  float *in = array<float>(n, wave), *out = array<float>(n, wave);
  int *index = array<int>(n, [](size_t i, size_t of) { return (int)(i * 7 % of); });
  use_index_array<<<grid, block>>>(in, index, out, n);
  recompute_index<<<grid, block>>>(in, out, n);
#elif CASE == 6
  float *a[9];
  for (float *&x : a) x = array<float>(3 * (size_t)n, wave);
  add_aos<<<grid, block>>>((Vec3 *)a[0], (Vec3 *)a[1], (Vec3 *)a[2], n);
  add_soa<<<grid, block>>>(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], n);
#elif CASE == 7
  float *in = array<float>((size_t)n * n, wave), *out = array<float>((size_t)n * n, wave);
  dim3 square(32, 32), squares((n + 31) / 32, (n + 31) / 32);
  transpose_naive<<<squares, square>>>(in, out, n);
  transpose_tile<<<squares, square>>>(in, out, n);
#elif CASE == 11
  float *in = array<float>(n, wave), *out = array<float>(n, wave);
  compute_sin<<<grid, block>>>(in, out, n);
  compute_lut<<<grid, block>>>(in, out, n);
#elif CASE == 14
  size_t nnz = 4 * (size_t)n;
  int *row = array<int>(nnz, [](size_t i, size_t) { return (int)(i / 4); });
  int *col = array<int>(nnz, [](size_t i, size_t of) {
    return (int)((i / 4 * 7 + i % 4 * 13) % (of / 4));
  });
  int *start = array<int>(n + 1, [](size_t i, size_t) { return (int)(4 * i); });
  float *val = array<float>(nnz, wave), *x = array<float>(n, wave), *y = array<float>(n, wave);
  spmv_coo<<<(nnz + 255) / 256, block>>>(row, col, val, x, y, nnz);
  spmv_csr<<<grid, block>>>(start, col, val, x, y, n);
#elif CASE == 23
  int *work = array<int>(n, [](size_t i, size_t) { return (int)(i % 100) + 1; });
  static_assign<<<grid, block>>>(work, array<float>(n, wave), n);
#elif CASE == 25
  unsigned char *in =
      array<unsigned char>(n, [](size_t i, size_t) { return (unsigned char)(i % 256); });
  int *hist = array<int>(256, [](size_t, size_t) { return 0; });
  hist_global<<<grid, block>>>(in, hist, n);
  hist_block<<<grid, block>>>(in, hist, n);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
