// The input is copied within the device as a whole, and kernels read the copy.
// least: 76
#define OWN_COPIES
#include "good.h"

__global__ void place_kernel(const float *in, float *out, int n, int first, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[first + i * step];
}

static void from_scratch(const float *in, float *out, int n, int first, int step) {
  size_t bytes = ((size_t)first + (size_t)(n - 1) * step + 1) * sizeof(float);
  float *scratch;
  if (cudaMalloc(&scratch, bytes) != cudaSuccess) throw "no memory";
  cudaMemcpy(scratch, in, bytes, cudaMemcpyDeviceToDevice);
  place_kernel<<<(n + 255) / 256, 256>>>(scratch, out, n, first, step);
  cudaFree(scratch);
}

void offset_copy(const float *in, float *out, int n, int offset) {
  from_scratch(in, out, n, offset, 1);
}

void stride_copy(const float *in, float *out, int n, int stride) {
  from_scratch(in, out, n, 0, stride);
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device(a, b, n);
  *milliseconds = device.launch(n);
  device.result(out);
}
