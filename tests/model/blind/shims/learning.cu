/* learning.cu: calls the solutions of psmarter/PMPP-Learning, whose own tests are small. -DCASE:
 * which; arguments: sizes. */
#include "solution.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
static std::vector<float> values(size_t n) {
  std::vector<float> host(n);
  for (float &x : host) x = (float)rand() / (float)RAND_MAX;
  return host;
}
[[maybe_unused]] static float *array(size_t n) {
  std::vector<float> host = values(n);
  float *at;
  cudaMalloc((void **)&at, n * sizeof(float));
  cudaMemcpy(at, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  return at;
}
int main(int, char **argv) {
  int n = atoi(argv[1]);
  [[maybe_unused]] int m = argv[2] ? atoi(argv[2]) : 0;
#if CASE == 7 // chapter 7, exercise 3: n * n * n
  std::vector<float> in = values((size_t)n * n * n), f = values(27), out(in.size());
  conv3d_basic(in.data(), f.data(), out.data(), 1, n, n, n);
  conv3d_tiled(in.data(), f.data(), out.data(), 1, n, n, n);
#elif CASE == 8 // chapter 8: n * n * n
  std::vector<float> in = values((size_t)n * n * n), out(in.size());
  stencil_3d_parallel_shared_memory(in.data(), out.data(), n, 1, 2, 3, 4, 5, 6, 7);
  stencil_3d_parallel_thread_coarsening(in.data(), out.data(), n, 1, 2, 3, 4, 5, 6, 7);
  stencil_3d_parallel_register_tiling(in.data(), out.data(), n, 1, 2, 3, 4, 5, 6, 7);
#elif CASE == 9 // chapter 9: n letters
  std::vector<char> in(n);
  for (char &x : in) x = (char)('a' + rand() % 26);
  unsigned histogram[NUM_BINS];
  histogram_parallel_private_shared(in.data(), n, histogram);
  histogram_parallel_coarsening(in.data(), n, histogram);
  histogram_parallel_coalesced(in.data(), n, histogram);
#elif CASE == 12 // chapter 12: n numbers, twice
  std::vector<float> a(n), b(n), c(2 * (size_t)n);
  for (int i = 0; i < n; i++) a[i] = b[i] = (float)i;
  merge_basic_gpu(a.data(), n, b.data(), n, c.data());
  merge_tiled_gpu(a.data(), n, b.data(), n, c.data());
#elif CASE == 16 // chapter 16, exercise 1: m images of n * n
  float *in = array((size_t)n * n * m), *out = array((size_t)n * n * m / 4);
  pooling_max_forward_gpu(in, out, m / 16, 16, n, n, 2);
  pooling_avg_forward_gpu(in, out, m / 16, 16, n, n, 2);
#elif CASE == 162 // chapter 16, exercise 2: m channels of n * n
  float *grad = array((size_t)n * n * m), *weights = array((size_t)m * m * 9);
  conv2d_backward_input_gpu(grad, weights, array((size_t)n * n * m), m, m, n, n, 3);
#elif CASE == 17 // chapter 17, exercise 2: n voxels, m samples
  float *a[11];
  for (float *&x : a) x = array(n > m ? n : m);
  fhd_compute_gpu_optimized(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                            array(n), m, n);
#elif CASE == 18 // chapter 18: a slice of n * n, m atoms
  std::vector<float> grid((size_t)n * n), atoms = values(4 * (size_t)m);
  cenergyParallelGather(grid.data(), dim3(n, n, 1), 0.1f, 0.0f, atoms.data(), m);
  cenergyParallelCoalescing(grid.data(), dim3(n, n, 1), 0.1f, 0.0f, atoms.data(), m);
#endif
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
