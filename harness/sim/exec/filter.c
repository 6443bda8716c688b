/* filter.c: the arithmetic of linear filtering. None of it is documented but the 8 bits of weight;
 * the rest is what an H100's answers say (tests/textures/README.md). */
#include "harness/sim/exec/filter.h"

#include <math.h>

enum {
  NORMALIZED_UNITS = 1 << 21, /* coordinates from 0 to 1 are rounded down to multiples of 1/this */
  WHOLE = 256,                /* of weight */
};

int64_t filter_place(float coordinate, bool normalized, uint32_t size, bool linear, int *weight) {
  static const double limit = 1 << 30;
  double at = (double)coordinate;
  if (normalized) at = floor(at * NORMALIZED_UNITS) / NORMALIZED_UNITS * size;
  if (!(at > -limit)) at = isnan(at) ? 0 : -limit;
  if (at > limit) at = limit;
  *weight = 0;
  if (!linear) return (int64_t)floor(at);
  int64_t fixed = (int64_t)floor(at * WHOLE + 0.5) - WHOLE / 2;
  *weight = (int)(fixed & (WHOLE - 1));
  return fixed >> 8;
}

/* The whole is split into integers axis by axis: z first, then x, then y. A half goes to the second
 * texel, but on y, of those that are the first ones on x, to the first. */
void filter_weights(int axes, const int second[], int weight[TEXELS]) {
  enum { X, Y, Z };
  static const int order[AXES] = {Z, X, Y};
  int split = 0; /* bits of axes */
  weight[0] = WHOLE;
  for (int n = 0; n < AXES; n++) {
    int axis = order[n], bit = 1 << axis;
    if (axis >= axes) continue;
    for (int texel = 0; texel < 1 << axes; texel++) {
      if (texel & ~split) continue;
      bool to_first = axis == Y && !(texel & 1 << X);
      int part = (weight[texel] * second[axis] + WHOLE / 2 - to_first) / WHOLE;
      weight[texel | bit] = part;
      weight[texel] -= part;
    }
    split |= bit;
  }
}

double filter_term(float value, int units) {
  return (units ? nearbyint((double)value * units) : (double)value) / WHOLE;
}

/* The float next to x; of two as near the one farther from 0. */
static float nearest(double x) {
  float even = (float)x, beyond = nextafterf(even, x < 0 ? -INFINITY : INFINITY);
  return fabs((double)even) < fabs(x) && (double)beyond - x == x - (double)even ? beyond : even;
}

float filter_result(double sum, int units) {
  return units ? (float)floor(sum + 0.5) / (float)units : nearest(sum);
}
