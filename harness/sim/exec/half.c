/* half.c: the operations of ops_half.h, on half and bfloat16. */
#include <math.h>

#include "harness/sim/exec/integers.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/include/kit_half_bits.h"

/* ---- what the rows call: functions of values of 16 bits, and their results ---- */

#define LOW(x) ((x)&0xffff)
#define HIGH(x) ((x) >> 16)

/* Numbers above zero, which saturated ones are, have smaller bits than 1. NaN becomes 0. */
static inline uint32_t f16_saturate(uint32_t h) { return h > 0x7c00 ? 0 : h > 0x3c00 ? 0x3c00 : h; }
static inline uint32_t f16_flush(uint32_t h) { return h & 0x7c00 ? h : h & 0x8000; } /* .ftz */
/* Of a result whose NaN has no sign. */
static inline uint32_t f16_relu(uint32_t h) { return h & 0x8000 ? 0 : h; }
static inline uint32_t bf16_relu(uint32_t b) { return b & 0x8000 ? 0 : b; }

/* .NaN: a NaN is the result; without it, the other operand is. */
#define FORMAT(T, value, nearest, fused, infinity)                                                \
  static inline uint32_t T##_add(uint32_t a, uint32_t b) { return nearest(value(a) + value(b)); } \
  static inline uint32_t T##_sub(uint32_t a, uint32_t b) { return nearest(value(a) - value(b)); } \
  static inline uint32_t T##_mul(uint32_t a, uint32_t b) { return nearest(value(a) * value(b)); } \
  static inline uint32_t T##_fma(uint32_t a, uint32_t b, uint32_t c) {                            \
    return nearest(fused(value(a), value(b), value(c)));                                          \
  }                                                                                               \
  static inline uint32_t T##_fms(uint32_t a, uint32_t b, uint32_t c) {                            \
    return T##_fma(a, b, c ^ 0x8000);                                                             \
  }                                                                                               \
  static inline uint32_t T##_fnma(uint32_t a, uint32_t b, uint32_t c) {                           \
    return T##_fma(a ^ 0x8000, b, c);                                                             \
  }                                                                                               \
  static inline uint32_t T##_fma_relu(uint32_t a, uint32_t b, uint32_t c) {                       \
    return T##_relu(T##_fma(a, b, c));                                                            \
  }                                                                                               \
  static inline uint32_t T##_canonical(uint32_t a) {                                              \
    return (a & 0x7fff) > infinity ? 0x7fff : a;                                                  \
  }                                                                                               \
  static inline uint32_t T##_neg(uint32_t a) { return T##_canonical(a ^ 0x8000); }                \
  static inline uint32_t T##_abs(uint32_t a) { return T##_canonical(a & 0x7fff); }                \
  static inline uint32_t T##_min(uint32_t a, uint32_t b) {                                        \
    float x = value(a), y = value(b);                                                             \
    return T##_canonical(x != x || (y == y && (x > y || (x == y && !(a & 0x8000)))) ? b : a);     \
  }                                                                                               \
  static inline uint32_t T##_max(uint32_t a, uint32_t b) {                                        \
    float x = value(a), y = value(b);                                                             \
    return T##_canonical(x != x || (y == y && (x < y || (x == y && a & 0x8000))) ? b : a);        \
  }                                                                                               \
  static inline uint32_t T##_min_nan(uint32_t a, uint32_t b) {                                    \
    return isunordered(value(a), value(b)) ? 0x7fff : T##_min(a, b);                              \
  }                                                                                               \
  static inline uint32_t T##_max_nan(uint32_t a, uint32_t b) {                                    \
    return isunordered(value(a), value(b)) ? 0x7fff : T##_max(a, b);                              \
  }                                                                                               \
  static inline uint32_t T##_tanh(uint32_t a) { return nearest(tanhf(value(a))); }
FORMAT(f16, kit_half_value, kit_half_nearest, kit_half_fma, 0x7c00)
FORMAT(bf16, kit_bfloat_value, kit_bfloat_nearest, kit_bfloat_fma, 0x7f80)

/* What is less than the least number is 0, with no rounding up to that (an H100's answers): without
 * .ftz the least subnormal, with it the least normal number. */
static inline uint32_t f16_ex2(uint32_t a) {
  float x = exp2f(kit_half_value(a));
  return x < 0x1p-24f ? 0 : kit_half_nearest(x);
}
static inline uint32_t bf16_ex2(uint32_t a) {
  float x = exp2f(kit_bfloat_value(a));
  return x < 0x1p-126f ? 0 : kit_bfloat_nearest(x);
}

/* .ftz: a result is flushed if it is subnormal when rounded to 11 bits, whatever its exponent (an
 * H100's answers). x: the exact one, or with its last bit odd if it is not. */
static inline uint32_t f16_nearest_ftz(float x) {
  bool tiny = fabsf(x) < 0x1p-14f - 0x1p-26f;
  return tiny ? (signbit(x) ? 0x8000 : 0) : kit_half_nearest(x);
}

#define SATURATED(name, operator)                                                               \
  static inline uint32_t f16_##name##_sat(uint32_t a, uint32_t b) {                             \
    return f16_saturate(f16_##name(a, b));                                                      \
  }                                                                                             \
  static inline uint32_t f16_##name##_ftz(uint32_t a, uint32_t b) {                             \
    return f16_nearest_ftz(kit_half_value(f16_flush(a)) operator kit_half_value(f16_flush(b))); \
  }
SATURATED(add, +)
SATURATED(sub, -)
SATURATED(mul, *)
static inline uint32_t f16_fma_sat(uint32_t a, uint32_t b, uint32_t c) {
  return f16_saturate(f16_fma(a, b, c));
}
static inline uint32_t f16_fma_ftz(uint32_t a, uint32_t b, uint32_t c) {
  return f16_nearest_ftz(kit_half_fma(kit_half_value(f16_flush(a)), kit_half_value(f16_flush(b)),
                                      kit_half_value(f16_flush(c))));
}

/* Of a NaN of f64, what fits is kept (an H100's answer). */
static inline uint32_t f16_of_f64(double a, enum kit_rounding mode) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  if (a != a) return (uint32_t)((bits >> 48 & 0x8000) | 0x7e00 | (bits >> 42 & 0x3ff));
  return kit_half_bits(kit_odd(a, 0), mode);
}
static inline uint32_t bf16_of_f64(double a, enum kit_rounding mode) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  if (a != a) return (uint32_t)((bits >> 48 & 0x8000) | 0x7fc0 | (bits >> 45 & 0x7f));
  return kit_bfloat_bits(kit_odd(a, 0), mode);
}

/* The comparisons that decode.c maps all others to. */
static inline bool eq(float x, float y) { return x == y; }
static inline bool ne(float x, float y) { return (x < y) | (x > y); }
static inline bool lt(float x, float y) { return x < y; }
static inline bool le(float x, float y) { return x <= y; }
static inline bool num(float x, float y) { return (x == x) & (y == y); }
#define COMPARED(name)                                                  \
  static inline uint32_t f16_##name(uint32_t a, uint32_t b) {           \
    return name(kit_half_value(a), kit_half_value(b)) ? 0xffff : 0;     \
  }                                                                     \
  static inline uint32_t bf16_##name(uint32_t a, uint32_t b) {          \
    return name(kit_bfloat_value(a), kit_bfloat_value(b)) ? 0xffff : 0; \
  }
COMPARED(eq)
COMPARED(ne)
COMPARED(lt)
COMPARED(le)
COMPARED(num)

#include "harness/sim/exec/ops_half.h"

const struct op_info half_ops[] = {
#undef OP1
#undef OP2
#undef OP3
#undef SETP
#define OP1 ENTRY1
#define OP2 ENTRY2
#define OP3 ENTRY3
#define SETP ENTRYP
#include "harness/sim/exec/ops_half.h"
};
const int half_op_count = sizeof half_ops / sizeof half_ops[0];
