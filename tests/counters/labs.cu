// labs.cu: the launches of labs.tsv: lab 0's copies over all offsets and strides, and lab 5's products of panels, as the model
// solutions launch them.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "launches.h"

namespace lab0 {
#include "../../solutions/lab0_first/lab0.cu"
}
#undef CHECK
namespace lab5 {
#include "../../solutions/lab5_panels/lab5.cu"
}
#undef CHECK

static float *allocate(size_t count) {
  float *array;
  if (cudaMalloc(&array, count * sizeof(float)) || cudaMemset(array, 0, count * sizeof(float))) exit(2);
  return array;
}

typedef void copy_function(const float *in, float *out, int n, int step);

static void copies(const char *name, copy_function *copy, int first, int last, const float *in, float *out, int n) {
  for (int step = first; step <= last; step++) {
    char arg[32];
    snprintf(arg, sizeof arg, "%s %d", name, step);
    next_launch(arg);
    copy(in, out, n, step);
  }
}

typedef void panel_function(const float *A, const float *B, float *C, int M, int N, int K);

static void panels(const float *in, float *out) {
  static const struct {
    const char *name;
    panel_function *panel;
  } kernels[] = {{"global", lab5::panel_global}, {"shared_a", lab5::panel_shared_a}, {"shared_ab", lab5::panel_shared_ab}};
  static const int sizes[][2] = {{256, 256}, {100, 77}};
  for (auto &size : sizes) {
    int m = size[0], n = size[1];
    char arg[48];
    for (auto &kernel : kernels) {
      snprintf(arg, sizeof arg, "%s %d x %d", kernel.name, m, n);
      next_launch(arg);
      kernel.panel(in, in + m * 32, out, m, n, 32);
    }
    snprintf(arg, sizeof arg, "gram_global %d", m);
    next_launch(arg);
    lab5::gram_global(in, out, m, 32);
    snprintf(arg, sizeof arg, "gram_shared %d", m);
    next_launch(arg);
    lab5::gram_shared(in, out, m, 32);
  }
}

extern "C" void launch_labs(void) {
  enum { N = 1 << 16, MAX_STEP = 32 };
  float *in = allocate(N * MAX_STEP), *out = allocate(N);
  copies("offset", lab0::offset_copy, 0, MAX_STEP, in, out, N);
  copies("stride", lab0::stride_copy, 1, MAX_STEP, in, out, N);
  copies("mask", lab0::permuted_copy, 1, 31, in, out, N);
  copies("times", lab0::repeated_copy, 1, MAX_STEP, in, out, N);
  copies("lanes", lab0::partial_copy, 1, 31, in, out, N);
  panels(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
