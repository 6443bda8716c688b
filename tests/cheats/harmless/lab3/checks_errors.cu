// The usual macro, and a device that is asked for what it is.
// least: 82
#include "good.h"
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                           \
  do {                                                                        \
    cudaError_t error = (call);                                               \
    if (error != cudaSuccess) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                     \
    }                                                                         \
  } while (0)

void transpose(const float *in, float *out, int rows, int cols) {
  int device = 0, count = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device));
  good(in, out, rows, cols);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (getenv("VERBOSE")) printf("%s\n", properties.name);
}
