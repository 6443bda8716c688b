/* trace_ways.c: records which way operations take that have a short one for some values. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/trace.h"

/* Are the upper halves of both operands of a quotient zero? If not, it is a long one. */
static uint32_t wide_quotients(const char *frame, const struct op *op, uint32_t mask) {
  const uint64_t *a = (const uint64_t *)(const void *)(frame + op->slot[1]);
  const uint64_t *b = (const uint64_t *)(const void *)(frame + op->slot[2]);
  uint32_t wide = 0;
  EACH_ACTIVE (i, mask) wide |= (uint32_t)((a[i] | b[i]) >> 32 != 0) << i;
  return wide;
}

/* Is the angle so large that it takes many words of 2/pi to reduce it? From where on: as in what
 * nvcc 13 makes of sinf and sin. */
static uint32_t large_angles(const struct warp *warp, const struct op *op, uint32_t mask) {
  static const float most = 105615;
  static const double most_double = 0x1p31;
  const struct intrinsic_call *call = op->call;
  const void *area = warp->calls[warp->call_depth].params;
  uint32_t large = 0;
  EACH_ACTIVE (i, mask) {
    float x = 0;
    double wide = 0;
    if (call->intrinsic->signature[1] == 'd')
      planes_get(area, (uint64_t)call->arguments[0], i, &wide, sizeof wide);
    else
      planes_get(area, (uint64_t)call->arguments[0], i, &x, sizeof x);
    bool is_large =
        (isfinite(x) && fabsf(x) > most) || (isfinite(wide) && fabs(wide) >= most_double);
    large |= (uint32_t)is_large << i;
  }
  return large;
}

/* ---- precise quotients and roots ----
 *
 * Before each ptxas puts a test of the operands, and calls a function if they do not pass: most
 * tests are as in what nvcc 13 makes of them. What FCHK lets pass was measured, for all pairs of
 * exponents (gpus/calibrate_ways.cu, "quick division"); mantissas do not matter.
 */

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t high_word(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (uint32_t)(bits >> 32);
}

static int exponent_of(uint32_t bits) { return (int)(bits >> 23 & 255); }

/* Zero, an infinity, or no number. */
static bool is_special(double x) { return x == 0 || !isfinite(x); }

/* Less than the least normal number, but not zero. */
static bool is_denormal(float x) { return x != 0 && fabsf(x) < FLT_MIN; }

/* FCHK. */
static bool is_quick_quotient(uint32_t a, uint32_t b) {
  int of_a = exponent_of(a), of_b = exponent_of(b), apart = of_a - of_b;
  return of_a >= 25 && of_a <= 254 && of_b >= 2 && of_b <= 251 && apart >= -124 && apart <= 126;
}

static int way_of_quotient(uint32_t a, uint32_t b) {
  float x = as_float(a), y = as_float(b);
  if (is_quick_quotient(a, b)) return WAY_SHORT;
  if (is_special(x) || is_special(y)) return WAY_LONG;
  return is_denormal(x) || is_denormal(y) || is_denormal(x / y) ? WAY_LONGER : WAY_LONG;
}

/* The high words of numerator and quotient are tested as if they were floats. */
static int way_of_wide_quotient(double a, double b) {
  float high = fmaf(0, as_float(high_word(b)), as_float(high_word(a / b)));
  bool is_quick = !(fabsf(as_float(high_word(a))) < 0x1.cp-121f) && fabsf(high) > 0x1p-129f;
  return is_quick ? WAY_SHORT : WAY_LONG;
}

static int way_of_operands(const struct op *op, const char *frame, int lane) {
  const char *a = frame + op->slot[1], *b = frame + op->slot[2];
  uint32_t single = 0, other = 0;
  double wide = 0, other_wide = 0;
  switch ((enum varying)op->varies) {
    case VARIES_QUOTIENT:
      memcpy(&other, b + (size_t)lane * sizeof other, sizeof other);
      memcpy(&single, a + (size_t)lane * sizeof single, sizeof single);
      return way_of_quotient(single, other);
    case VARIES_QUOTIENT_64:
      memcpy(&wide, a + (size_t)lane * sizeof wide, sizeof wide);
      memcpy(&other_wide, b + (size_t)lane * sizeof other_wide, sizeof other_wide);
      return way_of_wide_quotient(wide, other_wide);
    case VARIES_RECIPROCAL:
      memcpy(&single, a + (size_t)lane * sizeof single, sizeof single);
      if (((single + 0x1800000) & 0x7f800000) > 0x1ffffff) return WAY_SHORT;
      return exponent_of(single) && isfinite(as_float(single)) ? WAY_LONGER : WAY_LONG;
    case VARIES_ROOT:
      memcpy(&single, a + (size_t)lane * sizeof single, sizeof single);
      if (single - 0xd000000 <= 0x727fffff) return WAY_SHORT;
      return as_float(single) > 0 && isfinite(as_float(single)) ? WAY_LONGER : WAY_LONG;
    default:
      break;
  }
  memcpy(&wide, a + (size_t)lane * sizeof wide, sizeof wide);
  uint32_t high = high_word(wide);
  switch ((enum varying)op->varies) {
    case VARIES_RECIPROCAL_64:
      if (((high + 0x300402) & 0x7fffffff) >= 0x400000) return WAY_SHORT;
      return is_special(wide) ? WAY_LONG : WAY_LONGER;
    case VARIES_ROOT_64:
      if (high - 0x3500000 < 0x7ca00000) return WAY_SHORT;
      return wide > 0 && wide < DBL_MIN ? WAY_LONGER : WAY_LONG;
    default: /* VARIES_INVERSE_ROOT_64 */
      if (high - 0x100000 < 0x7fe00000) return WAY_SHORT;
      return wide > 0 && isfinite(wide) ? WAY_LONGER : WAY_LONG;
  }
}

void trace_ways(struct block_trace *trace, const struct warp *warp, const char *frame,
                const struct op *op, uint32_t mask) {
  struct warp_trace *own = &trace->warps[warp->index];
  int ways = 0;
  if (op->varies == VARIES_BY_ANGLE || op->varies == VARIES_BY_HIGH_WORDS) {
    uint32_t on_long = op->varies == VARIES_BY_ANGLE ? large_angles(warp, op, mask)
                                                     : wide_quotients(frame, op, mask);
    ways = (on_long ? WAY_LONG : 0) | (mask & ~on_long ? WAY_SHORT : 0);
  } else {
    EACH_ACTIVE (i, mask) ways |= WAY_SHORT | way_of_operands(op, frame, i);
  }
  own->words[own->count++] =
      trace_pack((struct trace_memory){.kind = mask ? TRACE_WAYS : TRACE_NOTHING, .cycles = ways});
}
