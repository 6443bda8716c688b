// Copies within the device, no kernel: one piece for an offset, an element a row for a stride.
// says: no kernel was launched
// most: 52
#define OWN_COPIES
#include "rest.h"

void offset_copy(const float *in, float *out, int n, int offset) {
  cudaMemcpyAsync(out, in + offset, n * sizeof(float), cudaMemcpyDeviceToDevice);
}

void stride_copy(const float *in, float *out, int n, int stride) {
  cudaMemcpy2DAsync(out, sizeof(float), in, stride * sizeof(float), sizeof(float), n,
                    cudaMemcpyDeviceToDevice);
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device(a, b, n);
  *milliseconds = device.launch(n);
  device.result(out);
}
