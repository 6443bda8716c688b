// The host adds, too, into a vector of its own, and compares; the difference is printed, not used.
// least: 76
#include "good.h"
#include <cmath>
#include <cstdio>
#include <vector>

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  std::vector<float> expected(n);
  for (int i = 0; i < n; i++) expected[i] = a[i] + b[i];
  Device device(a, b, n);
  *milliseconds = device.launch(n);
  device.result(out);
  float worst = 0;
  for (int i = 0; i < n; i++) worst = std::fmax(worst, std::fabs(out[i] - expected[i]));
  std::printf("%d elements, off by %g\n", n, worst);
}
