/* lab.cu: launches kernels of sdodlapati3/cuda-lab as its lessons do, which repeat small ones many
 * times, but with sizes of choice. -DCASE: which; -DSOURCE: the file. */
#define main other_main
#include SOURCE
#undef main
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
static float *array(size_t n) {
  std::vector<float> host(n);
  for (float &x : host) x = (float)rand() / (float)RAND_MAX;
  float *at;
  cudaMalloc((void **)&at, n * sizeof(float));
  cudaMemcpy(at, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  return at;
}
int main(int, char **argv) {
  int n = atoi(argv[1]);
  [[maybe_unused]] int m = argv[2] ? atoi(argv[2]) : 0;
  size_t area = (size_t)n * n;
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
#if CASE == 1 // edges in an image of n * n
  float *in = array(area), *x = array(area), *y = array(area), *out = array(area);
  sobel_naive<<<grid, block>>>(in, x, y, out, n, n);
  sobel_tiled<<<grid, block>>>(in, out, n, n);
  sobel_threshold<<<grid, block>>>(in, (unsigned char *)out, 0.5f, n, n);
#elif CASE == 2 // an image of m * m becomes one of n * n
  float *in = array((size_t)m * m), *out = array(area);
  resize_nearest<<<grid, block>>>(in, out, m, m, n, n);
  resize_bilinear<<<grid, block>>>(in, out, m, m, n, n);
  resize_bicubic<<<grid, block>>>(in, out, m, m, n, n);
#elif CASE == 3 // n rows of m
  size_t all = (size_t)n * m;
  fusedBiasDropoutResidual<<<(all + 255) / 256, 256>>>(array(all), array(all), array(m), array(all),
                                                       0.1f, 1, n, m);
#elif CASE == 4 // n rows of m
  size_t all = (size_t)n * m;
  float *dy = array(all), *x = array(all), *dx = array(all), *mean = array(n), *invstd = array(n);
  layerNormBackwardKernel<<<n, BLOCK_SIZE>>>(dy, x, array(m), mean, invstd, dx, m);
  layerNormBackwardParamsKernel<<<(m + 255) / 256, 256>>>(dy, x, mean, invstd, array(m), array(m),
                                                          n, m);
#elif CASE == 5 // n rows of 64
  float *q = array(n * 64), *k = array(n * 64), *v = array(n * 64), *out = array(n * 64);
  size_t shared = (Br * 64 + 2 * Bc * 64 + Br * Bc + Br * 64 + 2 * Br) * sizeof(float);
  cudaFuncSetAttribute(flashAttentionForward, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       (int)shared);
  flashAttentionForward<<<(n + Br - 1) / Br, 256, shared>>>(q, k, v, out, array(n), n, 64, 0.125f);
#elif CASE == 6 // m heads of n rows of 64
  size_t all = (size_t)n * 64 * m;
  standardMHA(array(all), array(all), array(all), array(all), array(area * m), 1, m, n, 64, 64);
#elif CASE == 7 // products of n * n
  float *a = array(area), *b = array(area), *c = array(area);
  threadTileGemm<64, 64, 16, 4, 4><<<dim3(n / 64, n / 64), block>>>(a, b, c, n, n, n);
  threadTile8x8Gemm<128, 128, 8><<<dim3(n / 128, n / 128), block>>>(a, b, c, n, n, n);
#elif CASE == 8 // n numbers
  int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  int *flags = (int *)array(n), *to = (int *)array(n), *sums = (int *)array(blocks);
  float *in = array(n);
  generate_flags<<<blocks, BLOCK_SIZE>>>(flags, in, n, 0.5f);
  scan_flags<<<blocks, BLOCK_SIZE>>>(to, flags, sums, n);
#endif
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
