// Every number that an answer could be, one line each: only the last counts.
// says: no answer
// most: 76
//
//   offset_1 = 1
//   offset_1 = 2
//   offset_1 = 4
//   offset_1 = 5
//   offset_1 = 8
#include "rest.h"

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device(a, b, n);
  *milliseconds = device.launch(n);
  device.result(out);
}
