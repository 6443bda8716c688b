/* gpu101.cu: launches kernels of AIComputing101/gpu-programming-101 as its examples do, which
 * repeat small ones many times, but with sizes of choice. -DCASE: which; -DSOURCE: the file. */
#define main static other_main
#include SOURCE
#undef main
#include <cstdlib>
#include <vector>
static float *array(size_t n) {
  std::vector<float> host(n);
  for (float &x : host) x = (float)rand() / (float)RAND_MAX;
  float *at;
  cudaMalloc((void **)&at, n * sizeof(float));
  cudaMemcpy(at, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  return at;
}
static int *array(const std::vector<int> &host) {
  int *at;
  cudaMalloc((void **)&at, host.size() * sizeof(int));
  cudaMemcpy(at, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  return at;
}
int main(int, char **argv) {
  int n = atoi(argv[1]);
  size_t area = (size_t)n * n;
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
#if CASE == 1 // stencils of n * n and n * n * 64
  float *in = array(area * 64), *out = array(area * 64);
  stencil_3d_naive<<<dim3((n + 7) / 8, (n + 7) / 8, 8), dim3(8, 8, 8)>>>(in, out, n, n, 64);
  n *= 8;
  stencil_2d_shared<<<dim3(n / 16, n / 16), block, 22 * 22 * sizeof(float)>>>(in, out, n, n);
#elif CASE == 2 // convolutions of n * n with 15 * 15
  float *in = array(area), *out = array(area), *weights = array(225);
  conv2d_naive<<<grid, block>>>(in, weights, out, n, n, 15);
  conv2d_shared<<<grid, block, 30 * 30 * sizeof(float)>>>(in, weights, out, n, n, 15);
  conv_separable_vertical<<<grid, block>>>(in, weights, out, n, n, 15);
#elif CASE == 6 // a graph of n nodes with 0 to 14 neighbours
  std::vector<int> start(n + 1), to, degrees(n);
  for (int i = 0; i < n; i++) {
    degrees[i] = rand() % 15;
    for (int k = 0; k < degrees[i]; k++) to.push_back(rand() % n);
    start[i + 1] = (int)to.size();
  }
  int *rows = array(start), *columns = array(to);
  float *now = array(n), *next = array(n);
  pagerank_kernel<<<(n + 255) / 256, 256>>>(rows, columns, array(degrees), now, next, 0.85f, n);
#elif CASE == 7 // n numbers
  float *in = array(n), *out = array(n);
  hillis_steele_scan_inclusive<<<n / 512, 512, 512 * sizeof(float)>>>(in, out, n);
  blelloch_scan_exclusive<<<n / 512, 512, 512 * sizeof(float)>>>(in, out, n);
  warp_scan_kernel<<<n / 512, 512>>>(in, out, n);
#endif
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
