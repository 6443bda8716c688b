/* sim_oracle.h: what each PTX instruction computes, written down from the PTX ISA ("Instruction
 * Set") over 128-bit integers, long double and libm, one lane at a time. test_sim_ops.c holds the
 * simulator's tables against it.
 *
 * Values travel as 64 bits; a type is its PTX spelling ("s16"). Where the ISA leaves a result open,
 * it is an H100's: division of an integer by zero and its remainder give all ones. tests/arithmetic
 * holds all of this against one: it is so to the bit, but for the last bits of approximations. */
#ifndef KIT_TESTS_SIM_ORACLE_H
#define KIT_TESTS_SIM_ORACLE_H

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef __int128
    wide; /* any integer of up to 64 bits, and what comes of two of them but an unsigned product */
typedef unsigned __int128 uwide;

struct row {
  char opcode[48];
  char types[5][8]; /* destination, then sources; "" ends them */
  uint64_t (*oracle)(const struct row *row, const uint64_t *v);
  bool close; /* an approximation: one unit in the last place is allowed */
};

/* strstr, for short words: the compiler knows the part, and millions of values ask. */
static inline bool opcode_has(const char *word, const char *part) {
  size_t length = strlen(part);
  for (; *word; word++)
    if (*word == *part && strncmp(word, part, length) == 0) return true;
  return false;
}
static inline bool is_half(const char *type) { return opcode_has(type, "f16"); }
static inline bool is_pair(const char *type) { return opcode_has(type, "x2"); } /* f16x2 */
static inline int type_bits(const char *type) {
  if (is_half(type)) return is_pair(type) ? 32 : 16;
  return type[2] ? (type[1] - '0') * 10 + type[2] - '0' : type[1] - '0';
}
static inline bool is_float(const char *type) {
  return (type[0] == 'f' || is_half(type)) && !is_pair(type);
}

static inline uint64_t cut(uint64_t bits, int count) {
  return count >= 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

static inline wide integer(const char *type, uint64_t bits) {
  int count = type_bits(type);
  bits = cut(bits, count);
  return type[0] == 's' && bits >> (count - 1) ? (wide)bits - ((wide)1 << count) : (wide)bits;
}

static inline float as_float(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, 4);
  return f;
}
static inline double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}
static inline uint64_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}
static inline uint64_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, 8);
  return bits;
}
/* f16 and bf16: bits of fraction and of exponent. */
static inline int half_fraction(const char *type) { return type[0] == 'b' ? 7 : 10; }
static inline long double half_number(const char *type, uint64_t bits) {
  int fraction = half_fraction(type), top = (1 << (15 - fraction)) - 1, bias = top / 2;
  int exponent = (int)(bits >> fraction & (unsigned)top);
  long double f = (long double)cut(bits, fraction);
  long double size = exponent == top ? (f != 0 ? (long double)NAN : (long double)INFINITY)
                     : exponent == 0 ? ldexpl(f, 1 - bias - fraction)
                                     : ldexpl(f + ldexpl(1, fraction), exponent - bias - fraction);
  return bits >> 15 & 1 ? -size : size;
}
/* Rounded in the current mode, once; NaN is 0x7fff. */
static inline uint64_t half_bits(const char *type, long double x) {
  int fraction = half_fraction(type), top = (1 << (15 - fraction)) - 1, bias = top / 2, exponent;
  uint64_t sign = signbit(x) ? 0x8000 : 0, infinity = (uint64_t)top << fraction;
  if (isnan(x)) return 0x7fff;
  if (isinf(x)) return sign | infinity;
  frexpl(x, &exponent);
  exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
  volatile long double places = ldexpl(x, fraction - exponent);
  long double rounded = fabsl(rintl(places));
  if (ldexpl(rounded, exponent - fraction) >= ldexpl(1, bias + 1)) {
    bool outwards =
        fegetround() == FE_TONEAREST || fegetround() == (sign ? FE_DOWNWARD : FE_UPWARD);
    return sign | (outwards ? infinity : infinity - 1);
  }
  uint64_t whole = (uint64_t)rounded, one = UINT64_C(1) << fraction;
  return sign | (whole < one ? whole : (uint64_t)(exponent + bias - 1) * one + whole);
}
/* Of any floating-point type, or an integer: exact. */
static inline long double number(const char *type, uint64_t bits) {
  if (!is_float(type)) return (long double)integer(type, bits);
  if (is_half(type)) return half_number(type, bits);
  return type[1] == '3' ? as_float(bits) : as_double(bits);
}
/* Rounded in the current mode, once. */
static inline uint64_t number_bits(const char *type, long double x) {
  if (is_half(type)) return half_bits(type, x);
  return type[1] == '3' ? float_bits((float)x) : double_bits((double)x);
}

#define ORACLE(name) static uint64_t oracle_##name(const struct row *row, const uint64_t *v)
#define A integer(row->types[1], v[0])
#define B integer(row->types[2], v[1])
#define C integer(row->types[3], v[2])
#define BITS type_bits(row->types[1])

/* ---- integers ---- */

ORACLE(mov) { return (void)row, v[0]; }
ORACLE(add) { return (uint64_t)(A + B); }
ORACLE(sub) { return (uint64_t)(A - B); }
ORACLE(mul_lo) { return (uint64_t)((uwide)A * (uwide)B); }
ORACLE(mul_hi) {
  return (uint64_t)(row->types[1][0] == 's' ? (uwide)((A * B) >> BITS)
                                            : ((uwide)A * (uwide)B) >> BITS);
}
ORACLE(mad_lo) { return oracle_mul_lo(row, v) + (uint64_t)C; }
ORACLE(mad_hi) { return oracle_mul_hi(row, v) + (uint64_t)C; }
static inline wide low24(wide x, bool is_signed) {
  wide low = x & 0xffffff;
  return is_signed && low >> 23 ? low - 0x1000000 : low;
}
ORACLE(mul24) {
  bool is_signed = row->types[1][0] == 's';
  wide product = low24(A, is_signed) * low24(B, is_signed);
  return (uint64_t)(opcode_has(row->opcode, ".hi") ? product >> 16 : product);
}
ORACLE(mad24) { return oracle_mul24(row, v) + (uint64_t)C; }
ORACLE(dp4a) {
  uint64_t sum = v[2];
  for (int i = 0; i < 32; i += 8) /* dp4a.atype.btype */
    sum += (uint64_t)(integer(row->opcode[5] == 's' ? "s8" : "u8", v[0] >> i) *
                      integer(row->opcode[9] == 's' ? "s8" : "u8", v[1] >> i));
  return sum;
}
ORACLE(div) { return B == 0 ? ~UINT64_C(0) : (uint64_t)(A / B); }
ORACLE(rem) { return B == 0 ? ~UINT64_C(0) : (uint64_t)(A % B); }
ORACLE(neg) { return (uint64_t)-A; }
ORACLE(abs) { return (uint64_t)(A < 0 ? -A : A); }
ORACLE(min) { return (uint64_t)(B < A ? B : A); }
ORACLE(max) { return (uint64_t)(B > A ? B : A); }
ORACLE(sad) { return (uint64_t)(C + (A < B ? B - A : A - B)); }
ORACLE(and) { return (void)row, v[0] & v[1]; }
ORACLE(or) { return (void)row, v[0] | v[1]; }
ORACLE(xor) { return (void)row, v[0] ^ v[1]; }
ORACLE(not ) { return (void)row, ~v[0]; }
/* Counts over the width are taken as the width. */
ORACLE(shl) {
  uint64_t a = cut(v[0], BITS);
  for (uint32_t n = (uint32_t)v[1] > 64 ? 64 : (uint32_t)v[1]; n > 0; n--) a = cut(a << 1, BITS);
  return a;
}
ORACLE(shr) {
  wide a = A;
  for (uint32_t n = (uint32_t)v[1] > 64 ? 64 : (uint32_t)v[1]; n > 0; n--) a = (a - (a & 1)) / 2;
  return (uint64_t)a;
}
static inline int bit_at(uint64_t bits, int i) { return (int)(bits >> i & 1); }
ORACLE(popc) {
  int count = 0;
  for (int i = 0; i < BITS; i++) count += bit_at(v[0], i);
  return (uint64_t)count;
}
ORACLE(clz) {
  int count = 0;
  while (count < BITS && !bit_at(v[0], BITS - 1 - count)) count++;
  return (uint64_t)count;
}
ORACLE(brev) {
  uint64_t result = 0;
  for (int i = 0; i < BITS; i++) result |= (uint64_t)bit_at(v[0], i) << (BITS - 1 - i);
  return result;
}
/* The highest bit that is not the sign. */
ORACLE(bfind) {
  int sign = row->types[1][0] == 's' ? bit_at(v[0], BITS - 1) : 0;
  for (int i = BITS - 1; i >= 0; i--)
    if (bit_at(v[0], i) != sign)
      return (uint64_t)(opcode_has(row->opcode, "shiftamt") ? BITS - 1 - i : i);
  return 0xffffffff;
}
ORACLE(bfe) {
  int position = (int)(v[1] & 255), length = (int)(v[2] & 255), top = BITS - 1;
  int last = position + length - 1 < top ? position + length - 1 : top;
  int sign = row->types[1][0] == 's' && length > 0 ? bit_at(v[0], last) : 0;
  uint64_t result = 0;
  for (int i = 0; i <= top; i++)
    result |= (uint64_t)(i < length && position + i <= top ? bit_at(v[0], position + i) : sign)
              << i;
  return result;
}
ORACLE(bfi) {
  int position = (int)(v[2] & 255), length = (int)(v[3] & 255);
  uint64_t result = v[1];
  for (int i = 0; i < length && position + i < BITS; i++) {
    result &= ~(UINT64_C(1) << (position + i));
    result |= (uint64_t)bit_at(v[0], i) << (position + i);
  }
  return result;
}
ORACLE(prmt) {
  uint64_t result = 0;
  (void)row;
  for (int i = 0; i < 4; i++) {
    int control = (int)(v[2] >> (4 * i)) & 15, from = control & 7;
    uint64_t byte = ((from < 4 ? v[0] : v[1]) >> (8 * (from % 4))) & 255;
    if (control & 8) byte = byte >= 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/* PTX ISA, "prmt": the bytes that each mode selects, from the table there, msb first. */
ORACLE(prmt_mode) {
  static const struct {
    const char *name, *bytes[4];
  } modes[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
  int mode = 0;
  while (strcmp(modes[mode].name, row->opcode + 9) != 0) mode++;
  uint64_t selector = strtoull(modes[mode].bytes[v[2] & 3], NULL, 16);
  uint64_t permuted[] = {v[0], v[1], selector};
  return oracle_prmt(row, permuted);
}
ORACLE(dp2a) { /* dp2a.lo.atype.btype */
  uint64_t sum = v[2], bytes = row->opcode[5] == 'h' ? v[1] >> 16 : v[1];
  for (int i = 0; i < 2; i++)
    sum += (uint64_t)(integer(row->opcode[8] == 's' ? "s16" : "u16", v[0] >> (16 * i)) *
                      integer(row->opcode[12] == 's' ? "s8" : "u8", bytes >> (8 * i)));
  return sum;
}
ORACLE(cnot) { return A == 0; }
ORACLE(szext) {
  uint32_t n = (uint32_t)v[1];
  bool clamp = opcode_has(row->opcode, "clamp");
  if (clamp && n >= 32) return v[0];
  n &= 31;
  uint64_t low = n == 0 ? 0 : cut(v[0], (int)n);
  return row->opcode[strlen(row->opcode) - 3] == 's' && n && low >> (n - 1)
             ? low - (UINT64_C(1) << n)
             : low;
}
/* PTX ISA, "bmsk" */
ORACLE(bmsk) {
  uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], result = 0;
  if (!opcode_has(row->opcode, "clamp")) a &= 31, b &= 31;
  for (uint32_t i = 0; i < 32; i++)
    if (i >= a && i - a < b) result |= 1u << i;
  return result;
}
ORACLE(fns) {
  uint32_t mask = (uint32_t)v[0], base = (uint32_t)v[1];
  int32_t n = (int32_t)v[2];
  (void)row;
  for (int at = (int)base; base < 32 && at >= 0 && at < 32; at += n < 0 ? -1 : 1) {
    bool set = mask >> at & 1;
    if (n == 0) return set ? base : 0xffffffff;
    if (set && (n == 1 || n == -1)) return (uint32_t)at;
    if (set) n += n < 0 ? 1 : -1;
  }
  return 0xffffffff;
}
ORACLE(slct) {
  long double c = number(row->types[3], v[2]);
  return c >= 0 ? v[0] : v[1];
}
/* min.u16x2 and its like: by halves, as a row of one. */
ORACLE(halves) {
  uint64_t result = 0;
  const char *type = opcode_has(row->opcode, ".s16x2") ? "s16" : "u16";
  for (int i = 0; i < 32; i += 16) {
    wide a = integer(type, v[0] >> i), b = integer(type, v[1] >> i);
    wide c = row->opcode[0] == 'a' ? a + b : (row->opcode[1] == 'i') == (a < b) ? a : b;
    result |= (uint64_t)(c < 0 && opcode_has(row->opcode, "relu") ? 0 : c & 0xffff) << i;
  }
  return result;
}
ORACLE(relu) {
  wide c = (row->opcode[1] == 'i') == (A < B) ? A : B;
  return (uint64_t)(c < 0 ? 0 : c);
}
ORACLE(vabsdiff) { /* vabsdiff4.u32.u32.u32[.add] */
  uint64_t result = 0, sum = v[2];
  int bits = row->opcode[8] == '4' ? 8 : 16;
  for (int i = 0; i < 32; i += bits) {
    int64_t a = (int64_t)cut(v[0] >> i, bits), b = (int64_t)cut(v[1] >> i, bits);
    result |= (uint64_t)llabs(a - b) << i;
    sum += (uint64_t)llabs(a - b);
  }
  return opcode_has(row->opcode, ".add") ? sum : result;
}
/* One bit at a time through the pair (b, a). */
ORACLE(shf) {
  uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], n = (uint32_t)v[2];
  bool left = opcode_has(row->opcode, "shf.l"), wrap = opcode_has(row->opcode, "wrap");
  n = wrap ? n % 32 : n < 32 ? n : 32;
  for (; n > 0; n--) {
    uint32_t carry_up = a >> 31, carry_down = b << 31;
    if (left)
      b = b << 1 | carry_up, a <<= 1;
    else
      a = a >> 1 | carry_down, b >>= 1;
  }
  return left ? b : a;
}

/* ---- floating point ---- */

/* The rounding mode that an opcode names. */
static inline int rounding(const char *opcode) {
  return opcode_has(opcode, ".rz")   ? FE_TOWARDZERO
         : opcode_has(opcode, ".rm") ? FE_DOWNWARD
         : opcode_has(opcode, ".rp") ? FE_UPWARD
                                     : FE_TONEAREST;
}
#define QUIET (UINT64_C(1) << 51)
/* A NaN of f64, made quiet; 0 if it is none. */
static inline uint64_t quiet_nan(uint64_t bits) {
  return isnan(as_double(bits)) ? bits | QUIET : 0;
}
/* Of several NaNs in double precision the second operand's is the result, else the third's. */
static inline uint64_t chosen_nan(const struct row *row, const uint64_t *v, uint64_t otherwise) {
  static const int order[] = {1, 2, 0};
  for (int i = 0; row->types[0][1] == '6' && i < 3; i++)
    if (row->types[1 + order[i]][0] && quiet_nan(v[order[i]])) return quiet_nan(v[order[i]]);
  return otherwise;
}
static inline float flushed(const struct row *row, float x) {
  return opcode_has(row->opcode, ".ftz") && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}
/* Of a small result times 2^64, rounded to 24 bits: is it below 2^-126 when rounded so, whatever
 * its exponent? An H100 flushes such results, and approximations that are denormal. */
static inline bool flushes_tiny(const struct row *row, float scaled) {
  return opcode_has(row->opcode, ".ftz") && !opcode_has(row->opcode, ".approx") &&
         fabsf(scaled) < 0x1p-62f;
}
#define FLOAT_OP_FROM(name, expression32, scaled32, expression64)                        \
  ORACLE(name) {                                                                         \
    if (row->types[1][1] == '3') {                                                       \
      volatile float a = flushed(row, as_float(v[0])), b = flushed(row, as_float(v[1])), \
                     c = flushed(row, as_float(v[2]));                                   \
      (void)a, (void)b, (void)c;                                                         \
      fesetround(rounding(row->opcode));                                                 \
      volatile float result = expression32;                                              \
      bool tiny = fabsf(result) <= FLT_MIN && flushes_tiny(row, scaled32);               \
      fesetround(FE_TONEAREST);                                                          \
      return float_bits(tiny ? copysignf(0, result) : flushed(row, result));             \
    }                                                                                    \
    volatile double a = as_double(v[0]), b = as_double(v[1]), c = as_double(v[2]);       \
    (void)a, (void)b, (void)c;                                                           \
    fesetround(rounding(row->opcode));                                                   \
    volatile double result = expression64;                                               \
    fesetround(FE_TONEAREST);                                                            \
    return double_bits(result);                                                          \
  }
#define FLOAT_OP(name, expression32, expression64) \
  FLOAT_OP_FROM(name, expression32, 0x1p64L * (expression32), expression64)
static inline float saturated(float x) { return isnan(x) || x < 0 ? 0 : x > 1 ? 1 : x + 0.0f; }
FLOAT_OP(computed_fadd, a + b, a + b)
FLOAT_OP(computed_fsub, a - b, a - b)
FLOAT_OP_FROM(computed_fmul, a *b, 0x1p64L * a * b, a *b)
FLOAT_OP_FROM(fdiv, a / b, 0x1p64L * a / b, a / b)
FLOAT_OP_FROM(computed_fma, fmaf(a, b, c), fmaf(0x1p64f * a, b, 0x1p64f * c), fma(a, b, c))
FLOAT_OP_FROM(frcp, 1 / a, 0x1p64L / a, 1 / a)
FLOAT_OP(fsqrt, sqrtf(a), sqrt(a))
FLOAT_OP(copysign, copysignf(b, a), copysign(b, a))
FLOAT_OP(add_sat, saturated(a + b), 0)
FLOAT_OP_FROM(mul_sat, saturated(a *b), 0x1p64L * a * b, 0)
FLOAT_OP_FROM(fma_sat, saturated(fmaf(a, b, c)), fmaf(0x1p64f * a, b, 0x1p64f * c), 0)
ORACLE(fadd) { return chosen_nan(row, v, oracle_computed_fadd(row, v)); }
ORACLE(fsub) { return chosen_nan(row, v, oracle_computed_fsub(row, v)); }
ORACLE(fmul) { return chosen_nan(row, v, oracle_computed_fmul(row, v)); }
ORACLE(fma) { return chosen_nan(row, v, oracle_computed_fma(row, v)); }
/* The sign of a NaN stays. */
static inline uint64_t flushed_bits(const struct row *row, uint64_t v) {
  return row->types[1][1] == '3' ? float_bits(flushed(row, as_float(v))) : v;
}
ORACLE(fneg) { return chosen_nan(row, v, flushed_bits(row, v[0]) ^ UINT64_C(1) << (BITS - 1)); }
ORACLE(fabs) { return chosen_nan(row, v, flushed_bits(row, v[0]) & ~(UINT64_C(1) << (BITS - 1))); }
ORACLE(div_approx) {
  float b = as_float(v[1]);
  uint64_t flushed_reciprocal[4] = {v[0], float_bits(copysignf(0, b))};
  return fabsf(b) > 0x1p126f ? oracle_computed_fmul(row, flushed_reciprocal) : oracle_fdiv(row, v);
}
/* A NaN loses against a number; -0 is less than +0. */
static uint64_t float_pick(const struct row *row, const uint64_t *v, bool want_less) {
  long double a = number(row->types[1], v[0]), b = number(row->types[1], v[1]);
  if (isnan(a) && isnan(b)) return chosen_nan(row, v, v[1]);
  if (isnan(a) || isnan(b)) return isnan(a) ? v[1] : v[0];
  bool less = a < b || (a == b && signbit(a) && !signbit(b));
  return less == want_less ? v[0] : v[1];
}
static uint64_t flushed_pick(const struct row *row, const uint64_t *v, bool want_less) {
  uint64_t both[] = {flushed_bits(row, v[0]), flushed_bits(row, v[1])};
  return float_pick(row, both, want_less);
}
ORACLE(fmin) { return flushed_pick(row, v, true); }
ORACLE(fmax) { return flushed_pick(row, v, false); }

#define MATH(name, expression)                                             \
  ORACLE(name) {                                                           \
    long double x = number(row->types[1], v[0]);                           \
    if (row->types[0][1] == '6') return double_bits((double)(expression)); \
    x = flushed(row, (float)x);                                            \
    return float_bits(flushed(row, (float)(expression)));                  \
  }
MATH(rsqrt, 1 / sqrtl(x))
/* The upper halves of operand and result, without denormal numbers. */
static inline double upper_half(double x) {
  if (fpclassify(x) == FP_SUBNORMAL) return copysign(0, x);
  return as_double(double_bits(x) >> 32 << 32);
}
static inline uint64_t upper_half_of_result(double x) {
  return isnan(x) ? UINT64_C(0x7fffffff00000000) : double_bits(upper_half(x));
}
ORACLE(rcp_high) { return (void)row, upper_half_of_result(1 / upper_half(as_double(v[0]))); }
ORACLE(rsqrt_high) {
  return (void)row, upper_half_of_result(1 / sqrt(upper_half(as_double(v[0]))));
}
ORACLE(flush) { return float_bits(flushed(row, as_float(v[0]))); }
MATH(lg2, log2l(x))
MATH(ex2, exp2l(x))
MATH(tanh, tanhl(x))

/* Not written down anywhere, but found with an H100's answers: a is multiplied with 1 / (2 pi),
 * both and the product in single precision, the product rounded to zero. Of the turn that is left,
 * the quarter and 22 bits within it count. */
static uint64_t turned(const uint64_t *v, bool cosine) {
  float a = as_float(v[0]), turns = fabsf(a);
  if (!isfinite(a)) return float_bits(NAN);
  fesetround(FE_TOWARDZERO);
  volatile float product = turns * 0x1.45f306p-3f;
  fesetround(FE_TONEAREST);
  long double turn = fmodl(product, 1);
  int quarter = (int)(turn * 4);
  long double rest = floorl((turn * 4 - quarter) * 0x1p22L + 0.5L) / 0x1p22L;
  static const bool negative_sine[] = {false, false, true, true},
                    negative_cosine[] = {false, true, true, false};
  bool falling = (quarter % 2 == 1) != cosine;
  float size = (float)sinl(acosl(-1) / 2 * (falling ? 1 - rest : rest));
  bool negative = cosine ? negative_cosine[quarter] : negative_sine[quarter] != !!signbit(a);
  return float_bits(negative ? -size : size);
}
ORACLE(sin) { return (void)row, turned(v, false); }
ORACLE(cos) { return (void)row, turned(v, true); }

/* ---- cvt[.round][.sat].to.from ---- */

static long double round_integral(const char *opcode, long double x) {
  if (opcode_has(opcode, ".rni")) return rintl(x);
  if (opcode_has(opcode, ".rzi")) return truncl(x);
  if (opcode_has(opcode, ".rmi")) return floorl(x);
  if (opcode_has(opcode, ".rpi")) return ceill(x);
  return x;
}

/* A result narrower than its register is sign- or zero-extended; registers have at least 16 bits,
 * for 8-bit types 32 here. */
static uint64_t extended(const char *type, wide x) {
  return type_bits(type) == 8 ? cut((uint64_t)integer(type, (uint64_t)x), 32) : (uint64_t)x;
}

/* To the row's result, as its opcode says. */
static inline uint64_t rounded_bits(const struct row *row, long double exact) {
  volatile long double x = exact;
  fesetround(rounding(row->opcode));
  volatile uint64_t bits = number_bits(row->types[0], x);
  fesetround(FE_TONEAREST);
  return bits;
}

/* NaN from or to a half: as an H100 has it, from bf16 in the upper half of f32; to and from f64
 * what fits of it, made quiet; else the one of the format. */
static uint64_t half_nan(const char *to, const char *from, uint64_t bits) {
  const char *half = is_half(to) ? to : from;
  int fraction = half_fraction(half);
  uint64_t low = cut(bits, fraction), sign = bits >> 15 & 1, infinity = half_bits(half, INFINITY);
  if (strcmp(from, "f64") == 0)
    return (bits >> 63 << 15) | infinity | UINT64_C(1) << (fraction - 1) |
           cut(bits >> (52 - fraction), fraction);
  if (strcmp(to, "f64") == 0)
    return sign << 63 | UINT64_C(0x7ff) << 52 | QUIET | low << (52 - fraction);
  if (strcmp(to, "f32") == 0) return half[0] == 'b' ? bits << 16 : 0x7fffffff;
  return 0x7fff;
}

ORACLE(cvt) {
  const char *to = row->types[0], *from = row->types[1];
  if (!is_float(from)) {
    if (is_float(to)) return rounded_bits(row, number(from, v[0]));
    return extended(to, integer(from, v[0]));
  }
  if (isnan(number(from, v[0])) && !opcode_has(row->opcode, ".sat") &&
      (is_half(from) || (is_half(to) && strcmp(from, "f64") == 0)) && is_float(to))
    return half_nan(to, from, v[0]);
  long double x = round_integral(row->opcode, number(from, v[0]));
  if (is_float(to)) {
    if (opcode_has(row->opcode, ".sat")) return number_bits(to, saturated((float)x));
    return rounded_bits(row, opcode_has(row->opcode, ".relu") && x <= 0 ? 0 : x);
  }
  int bits = type_bits(to);
  bool is_signed = to[0] == 's';
  if (isnan(x))
    return type_bits(from) == 64 || bits == 64 ? extended(to, (wide)1 << (bits - 1)) : 0;
  long double low = is_signed ? -ldexpl(1, bits - 1) : 0,
              end = ldexpl(1, is_signed ? bits - 1 : bits);
  if (x < low) x = low;
  return x >= end ? (uint64_t)(((wide)1 << (is_signed ? bits - 1 : bits)) - 1) : (uint64_t)(wide)x;
}

#include "tests/unit/sim_oracle_half.h"

#undef A
#undef B
#undef C
#undef BITS

#endif
