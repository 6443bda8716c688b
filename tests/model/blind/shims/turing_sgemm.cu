/* turing_sgemm.cu: one kernel of Optimizing-SGEMM-on-NVIDIA-Turing-GPUs at one size: its own main()
 * goes through many, and compares with cuBLAS. Arguments: kernel, size. */
#include <cublas_v2.h>
#include <utils.cuh>
#include <cstdlib>
#include <vector>
int main(int, char **argv) {
  int kernel = atoi(argv[1]), n = atoi(argv[2]);
  std::vector<float> matrix((size_t)n * n);
  for (float &x : matrix) x = (float)(rand() % 5) + 0.01f * (rand() % 5);
  float *at[3];
  for (float *&p : at) {
    cudaMalloc((void **)&p, matrix.size() * sizeof *p);
    cudaMemcpy(p, matrix.data(), matrix.size() * sizeof *p, cudaMemcpyHostToDevice);
  }
  test_kernel(kernel, n, n, n, 1.0f, at[0], at[1], 0.5f, at[2], nullptr);
  return cudaDeviceSynchronize() != cudaSuccess;
}
