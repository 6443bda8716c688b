/* csr.cu: calls a product (-DSPMV) of konradha/cuda-spmv, whose own driver wants cuSPARSE and a
 * file. Arguments: rows, most values of a row (each has a quarter of that and more). */
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
extern "C" void SPMV(int, const int *, const int *, const float *, const float *,
                                 float *);
template <typename T> static T *array(const std::vector<T> &host) {
  T *at;
  cudaMalloc((void **)&at, host.size() * sizeof(T));
  cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}
int main(int, char **argv) {
  int rows = atoi(argv[1]), most = atoi(argv[2]);
  std::vector<int> start(rows + 1), column;
  for (int i = 0; i < rows; i++) {
    int values = most / 4 + rand() % (most - most / 4 + 1);
    for (int k = 0; k < values; k++) column.push_back(rand() % rows);
    start[i + 1] = (int)column.size();
  }
  SPMV(rows, array(start), array(column),
                   array(std::vector<float>(column.size(), 0.5f)),
                   array(std::vector<float>(rows, 0.5f)), array(std::vector<float>(rows)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
