/* leet.cu: calls solve() of the solutions of lzyrapx/LeetGPU, which have no main() and blanks in
 * their names. -DKIND: which one; arguments: sizes. */
#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
#if KIND == 1
#include "2D Jacobi Stencil.cu"
#elif KIND == 2
#include "Parallel Merge.cu"
#elif KIND == 3
#include "Multi-Agent Simulation.cu"
#elif KIND == 4
#include "Rainbow Table.cu"
#elif KIND == 5
#include "Nearest Neighbor.cu"
#elif KIND == 6
#include "Sliding Window Self-Attention.cu"
#elif KIND == 7
#include "K-Means Clustering (naive).cu"
#elif KIND == 8
#include "Fast Fourier Transform.cu"
#elif KIND == 9
#include "Linear Self-Attention.cu"
#endif
static std::vector<float> values(size_t n, float scale) {
  std::vector<float> host(n);
  for (float &x : host) x = scale * (float)rand() / (float)RAND_MAX;
  return host;
}
static float *array(size_t n, float scale = 1.0f) {
  std::vector<float> host = values(n, scale);
  float *at;
  cudaMalloc((void **)&at, n * sizeof(float));
  cudaMemcpy(at, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  return at;
}
int main(int argc, char **argv) {
  int s[3] = {0};
  for (int i = 1; i < argc && i <= 3; i++) s[i - 1] = atoi(argv[i]);
  size_t n = s[0];
#if KIND == 1 // rows, columns
  solve(array(n * s[1]), array(n * s[1]), s[0], s[1]);
#elif KIND == 2 // numbers of both, in order
  std::vector<float> in(n);
  for (size_t i = 0; i < n; i++) in[i] = (float)i + (float)rand() / (float)RAND_MAX;
  float *a = array(n), *b = array(n);
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  solve(a, b, array(2 * n), s[0], s[0]);
#elif KIND == 3 // agents
  std::vector<float> in = values(4 * n, 100.0f), out(4 * n);
  solve(in.data(), out.data(), s[0]);
#elif KIND == 4 // numbers, rounds
  solve((const int *)array(n), (unsigned *)array(n), s[0], s[1]);
#elif KIND == 5 // points
  solve(array(3 * n), (int *)array(n), s[0]);
#elif KIND == 6 // rows, width, window
  solve(array(n * s[1]), array(n * s[1]), array(n * s[1]), array(n * s[1]), s[0], s[1], s[2]);
#elif KIND == 7 // points, clusters, iterations
  solve(array(n), array(n), (int *)array(n), array(s[1]), array(s[1]), array(s[1]), array(s[1]),
        s[0], s[1], s[2]);
#elif KIND == 8 // complex numbers
  solve(array(2 * n), array(2 * n), s[0]);
#elif KIND == 9 // rows, width
  solve(array(n * s[1]), array(n * s[1]), array(n * s[1]), array(n * s[1]), s[0], s[1]);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
