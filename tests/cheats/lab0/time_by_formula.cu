// The time follows n as the model's times of two sizes do; nothing is recorded around the launch.
// says: no two events that were recorded lie so far apart
// most: 92
#include "rest.h"

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device(a, b, n);
  add_kernel<<<(n + 255) / 256, 256>>>(device.a, device.b, device.out, n);
  if (cudaGetLastError() != cudaSuccess) throw "refused";
  device.result(out);
  *milliseconds = 0.0015605f + 2.414e-9f * (float)n;
}
