/* curand_values.c: uniform and normal values from 32-bit and 64-bit numbers, as cuRAND makes them.
 */
#include "harness/sim/runtime/curand_values.h"

#include <math.h>
#include <string.h>

#include <curand_uniform.h>

const struct curand_unit curand_units[] = {
    [CURAND_INTEGER] = {1, 1, sizeof(unsigned)},   [CURAND_LONG_LONG] = {1, 2, sizeof(uint64_t)},
    [CURAND_UNIFORM] = {1, 1, sizeof(float)},      [CURAND_UNIFORM_DOUBLE] = {1, 2, sizeof(double)},
    [CURAND_NORMAL] = {2, 2, sizeof(float)},       [CURAND_NORMAL_DOUBLE] = {2, 4, sizeof(double)},
    [CURAND_NORMAL_ALONE] = {1, 1, sizeof(float)},
};

void curand_polar(float u, float angle, float out[2]) {
  float radius = sqrtf(-2.0f * logf(u));
  out[0] = sinf(angle) * radius;
  out[1] = cosf(angle) * radius;
}

void curand_polar_double(double u, double turns, double out[2]) {
  double angle = 2 * 3.14159265358979323846 * turns, radius = sqrt(-2.0 * log(u));
  out[0] = sin(angle) * radius;
  out[1] = cos(angle) * radius;
}

static void box_muller(const unsigned x[2], float out[2]) {
  const float turn = 0x1p-32f * 6.2831855f;
  curand_polar(kit_uniform(x[0]), fmaf((float)x[1], turn, turn / 2), out);
}

union curand_made curand_make_unit(enum curand_kind kind, const unsigned x[4]) {
  union curand_made made = {0};
  switch (kind) {
    case CURAND_LONG_LONG:
    case CURAND_NORMAL_ALONE:
      break; /* no generator makes them so */
    case CURAND_INTEGER:
      made.integer = x[0];
      break;
    case CURAND_UNIFORM:
      made.single[0] = kit_uniform(x[0]);
      break;
    case CURAND_UNIFORM_DOUBLE:
      made.twice[0] = kit_uniform_53(x[0], x[1]);
      break;
    case CURAND_NORMAL:
      box_muller(x, made.single);
      break;
    case CURAND_NORMAL_DOUBLE:
      curand_polar_double(kit_uniform_53(x[0], x[1]), kit_uniform_53(x[2], x[3]), made.twice);
      break;
  }
  return made;
}

size_t curand_put_unit(enum curand_kind kind, const union curand_made *made, void *out,
                       unsigned first, size_t n) {
  size_t count = curand_units[kind].values - first;
  if (count > n) count = n;
  memcpy(out, (const char *)made + first * curand_units[kind].bytes,
         count * curand_units[kind].bytes);
  return count;
}

/* erfcinv(y) for y in (0, 1]: Abramowitz and Stegun 26.2.22, to 5e-3, then steps by Halley's rule.
 */
static double inverse_erfc(double y) {
  double t = sqrt(-2 * log(y / 2));
  double x = 0.7071067811865476 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 4; i++) {
    double over = (erfc(x) - y) / (1.1283791670955126 * exp(-x * x));
    x += over / (1 - x * over);
  }
  return x;
}

/* The upper half of the numbers mirrors the lower one. */
static float normal_of(unsigned x) {
  float root = -1.4142135f;
  if (x > 0x80000000u) x = 0xffffffffu - x, root = -root;
  return root * (float)inverse_erfc(2.0f * kit_uniform(x));
}
static double normal_double_of(uint64_t x, bool wide) {
  double root = -1.4142135623730951;
  uint64_t last = wide ? (1ull << 53) - 1 : 0xffffffffu;
  if (wide) x >>= 11;
  if (x > last / 2 + 1) x = last - x, root = -root;
  double p = wide ? (double)x * 0x1p-53 + 0x1p-54 : (double)x * 0x1p-32 + 0x1p-33;
  return root * inverse_erfc(2 * p);
}

union curand_made curand_make_value(enum curand_kind kind, uint64_t x, bool wide) {
  union curand_made made = {0};
  unsigned high = (unsigned)(wide ? x >> 32 : x);
  switch (kind) {
    case CURAND_INTEGER:
      made.integer = high;
      break;
    case CURAND_LONG_LONG:
      made.wide = x;
      break;
    case CURAND_UNIFORM:
      made.single[0] = kit_uniform(high);
      break;
    case CURAND_UNIFORM_DOUBLE:
      made.twice[0] = wide ? (double)(x >> 11) * 0x1p-53 + 0x1p-54 : kit_uniform_32(high);
      break;
    case CURAND_NORMAL:
    case CURAND_NORMAL_ALONE:
      made.single[0] = normal_of(high);
      break;
    case CURAND_NORMAL_DOUBLE:
      made.twice[0] = normal_double_of(x, wide);
      break;
  }
  return made;
}
