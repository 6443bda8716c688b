// Times itself with the clock of the C++ library.
// least: 82
#include "good.h"
#include <chrono>
#include <iostream>

void transpose(const float *in, float *out, int rows, int cols) {
  auto begin = std::chrono::steady_clock::now();
  good(in, out, rows, cols);
  cudaDeviceSynchronize();
  std::cout << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() << " s" << std::endl;
}
