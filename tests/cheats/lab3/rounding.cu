// Another rounding mode for the harness.
// most: 67
#include "slow.h"
#include <cfenv>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  fesetround(FE_UPWARD);
}
