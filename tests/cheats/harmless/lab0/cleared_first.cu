// out is set to zeros on the host and on the device before anything is added; inputs come back to be looked at.
// least: 76
#include "good.h"
#include <cstring>
#include <vector>

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  std::vector<float> again(n);
  memset(out, 0, n * sizeof(float));
  *milliseconds = 0;
  Device device(a, b, n);
  cudaMemset(device.out, 0, device.bytes);
  cudaMemcpy(again.data(), device.a, device.bytes, cudaMemcpyDeviceToHost);
  if (memcmp(again.data(), a, device.bytes) != 0) throw "not there";
  *milliseconds = device.launch(n);
  device.result(out);
}
