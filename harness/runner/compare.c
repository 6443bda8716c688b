/* compare.c: see compare.h. Compares on the host, in pieces: the same code for every backend. */
#include "harness/runner/compare.h"

#include <math.h>

cudaError_t compare_arrays(const void *a, const void *b, size_t count, float *largest) {
  enum { PIECE = 1 << 18 };
  static float x[PIECE], y[PIECE];
  float most = 0;
  for (size_t at = 0; at < count; at += PIECE) {
    size_t size = count - at < PIECE ? count - at : PIECE;
    cudaError_t error =
        cudaMemcpy(x, (const float *)a + at, size * sizeof *x, cudaMemcpyDeviceToHost);
    if (!error)
      error = cudaMemcpy(y, (const float *)b + at, size * sizeof *y, cudaMemcpyDeviceToHost);
    if (error) return error;
    for (size_t i = 0; i < size; i++) {
      float difference = fabsf(x[i] - y[i]);
      if (!(difference <= most)) most = isnan(difference) ? INFINITY : difference;
    }
  }
  *largest = most;
  return cudaSuccess;
}
