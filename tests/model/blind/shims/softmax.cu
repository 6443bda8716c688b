/* softmax.cu: one softmax of cudacodes, the function -DRUN, whose own main() runs all. Arguments:
 * rows, columns. */
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
void RUN(float *__restrict__, float *__restrict__, int, int);
int main(int, char **argv) {
  int rows = atoi(argv[1]), columns = atoi(argv[2]);
  std::vector<float> matrix((size_t)rows * (size_t)columns);
  for (float &x : matrix) x = 4.0f * (float)rand() / (float)RAND_MAX;
  float *in, *out;
  cudaMalloc((void **)&in, matrix.size() * sizeof *in);
  cudaMalloc((void **)&out, matrix.size() * sizeof *out);
  cudaMemcpy(in, matrix.data(), matrix.size() * sizeof *in, cudaMemcpyHostToDevice);
  RUN(in, out, rows, columns);
  return cudaDeviceSynchronize() != cudaSuccess;
}
