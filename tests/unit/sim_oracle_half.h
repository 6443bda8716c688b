/* sim_oracle_half.h: the part of sim_oracle.h that is about f16 and bf16, and pairs of them. */

/* The answer of an instruction on pairs: that of its form for one value, for each half. */
static uint64_t of_halves(const struct row *row, const uint64_t *v,
                          uint64_t (*one)(const struct row *row, const uint64_t *v)) {
  if (!is_pair(row->types[0]) && !is_pair(row->types[1])) return one(row, v);
  struct row single = *row;
  uint64_t low[4], high[4];
  for (int k = 0; k < 5; k++) {
    char *pair = strstr(single.types[k], "x2");
    if (pair) *pair = 0;
    if (k < 4) low[k] = v[k] & 0xffff, high[k] = v[k] >> 16 & 0xffff;
  }
  return (one(&single, low) & 0xffff) | (one(&single, high) & 0xffff) << 16;
}
#define HALF_ORACLE(name)                                               \
  static uint64_t one_##name(const struct row *row, const uint64_t *v); \
  ORACLE(name) { return of_halves(row, v, one_##name); }                \
  static uint64_t one_##name(const struct row *row, const uint64_t *v)

static long double half_operand(const struct row *row, const uint64_t *v, int k) {
  long double x = number(row->types[1 + k], v[k]);
  bool flushes = opcode_has(row->opcode, ".ftz") && fabsl(x) < 0x1p-14L;
  return flushes ? copysignl(0, x) : x;
}
/* a + b; if that is not exact, rounded to zero with the last bit set, which rounds as the sum. */
static long double odd_sum(long double a, long double b) {
  volatile long double x = a, y = b, sum;
  feclearexcept(FE_INEXACT);
  fesetround(FE_TOWARDZERO);
  sum = x + y;
  bool inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  if (!inexact) return x + y; /* the sign of a zero */
  long double odd = sum;
  uint64_t mantissa;
  memcpy(&mantissa, &odd, sizeof mantissa);
  mantissa |= 1;
  memcpy(&odd, &mantissa, sizeof mantissa);
  return odd;
}
/* .ftz: what an H100 flushes of sums and products: all that is subnormal when it is rounded to 11
 * bits, so that what only a subnormal's coarser rounding brings to 2^-14 is 0. */
static bool is_flushed(const struct row *row, long double x, uint64_t bits) {
  if (!opcode_has(row->opcode, ".ftz")) return false;
  bool rounds_up = strcmp(row->types[0], "f16") == 0 && strncmp(row->opcode, "ex2", 3) != 0;
  return rounds_up ? fabsl(x) < 0x1p-14L - 0x1p-26L : !(bits & 0x7c00);
}
static uint64_t half_result(const struct row *row, long double x) {
  if (opcode_has(row->opcode, ".sat")) x = isnan(x) || x < 0 ? 0 : x > 1 ? 1 : x + 0.0L;
  uint64_t bits = half_bits(row->types[0], x);
  if (opcode_has(row->opcode, ".relu") && bits & 0x8000) return 0;
  return is_flushed(row, x, bits) ? bits & 0x8000 : bits;
}
#define X half_operand(row, v, 0)
#define Y half_operand(row, v, 1)
#define Z half_operand(row, v, 2)
HALF_ORACLE(half_add) { return half_result(row, odd_sum(X, Y)); }
HALF_ORACLE(half_sub) { return half_result(row, odd_sum(X, -Y)); }
HALF_ORACLE(half_mul) { return half_result(row, X * Y); }
HALF_ORACLE(half_fma) { return half_result(row, odd_sum(X * Y, Z)); }
HALF_ORACLE(half_neg) { return half_result(row, -X); }
HALF_ORACLE(half_abs) { return half_result(row, fabsl(X)); }
HALF_ORACLE(half_ex2) { return half_result(row, exp2l(X)); }
HALF_ORACLE(half_tanh) { return half_result(row, tanhl(X)); }
/* As of other floats, but for .NaN. */
static uint64_t half_pick(const struct row *row, const uint64_t *v, bool want_less) {
  long double a = X, b = Y;
  if (isnan(a) || isnan(b))
    return opcode_has(row->opcode, ".NaN") || (isnan(a) && isnan(b)) ? 0x7fff : v[isnan(a)];
  return float_pick(row, v, want_less);
}
HALF_ORACLE(half_min) { return half_pick(row, v, true); }
HALF_ORACLE(half_max) { return half_pick(row, v, false); }
/* cvt.f16x2.f32 d, a, b: the first source goes into the upper half. */
ORACLE(cvt_pair) {
  struct row single = *row;
  *strstr(single.types[0], "x2") = 0;
  return oracle_cvt(&single, v + 1) | oracle_cvt(&single, v) << 16;
}
#undef X
#undef Y
#undef Z
