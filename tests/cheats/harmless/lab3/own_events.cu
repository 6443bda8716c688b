// Events of its own, and what they say printed.
// least: 82
#include "good.h"
#include <cstdio>

void transpose(const float *in, float *out, int rows, int cols) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  good(in, out, rows, cols);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  printf("%.3f ms\n", ms);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
