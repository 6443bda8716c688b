/* tensor_rule.h: how a tensor core adds up products of half, bfloat16 and tf32 numbers.
 *
 * NVIDIA documents no more than that products are exact. What is known was measured: Fasi, Higham,
 * Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores" (PeerJ CS 7:e330, 2021) and
 * Khattak and Mikaitis, "Accurate models of NVIDIA tensor cores" (arXiv 2512.07004). A dot product
 * goes in steps of some products and the sum so far. In each step
 *
 *   - a product is the product of the operands' significands, from 1 to below 4, times 2 to the sum
 *     of their exponents; it is not normalised;
 *   - all addends are cut to fraction_bits places below the largest exponent among them, or a
 *     certain one if that is larger, and added exactly;
 *   - the sum is rounded: to single precision towards zero, to half to nearest even.
 *
 * A sum of zero is +0, also one that is rounded to zero.
 *
 * What differs between GPUs is in struct tensor_rule; tests/tensor/ finds it on a GPU, with this
 * file. Plain C, for C++ too.
 */
#ifndef KIT_TENSOR_RULE_H
#define KIT_TENSOR_RULE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct tensor_rule {
  int fraction_bits;  /* places that are kept below the largest exponent */
  int step_bytes;     /* of a row of A that a step takes: 32 are 16 halves or 8 numbers of tf32 */
  bool zeros_count;   /* a zero has the smallest exponent of its format; else none */
  bool normalises;    /* subnormal operands are normalised first */
  bool saturates;     /* a sum too large for single precision is the largest number, not infinity */
  bool negative_zero; /* a sum of negative zeros only is one; else always +0 */
  uint32_t nan;       /* the NaN that single precision gets */
  int lowest;         /* the largest exponent counts as no less than this */
};

/* An H100, by both papers and tests/tensor/h100.tsv. */
#define TENSOR_RULE_H100 \
  { 25, 32, false, false, false, false, 0x7fffffffu, -133 }

/* A number: (-1)^negative * significand * 2^(exponent - places). */
enum tensor_kind { TENSOR_FINITE, TENSOR_INFINITE, TENSOR_NAN };
struct tensor_number {
  uint32_t significand; /* with its leading 1, which subnormal numbers lack */
  int16_t exponent;
  bool negative;
  uint8_t kind; /* enum tensor_kind */
};

/* A format: bits of its exponent and fraction, and how many bits below those it is stored in
 * nobody reads. */
struct tensor_format {
  int exponent_bits, places, unread, bytes;
};
static const struct tensor_format tensor_f16 = {5, 10, 0, 2}, tensor_bf16 = {8, 7, 0, 2},
                                  tensor_tf32 = {8, 10, 13, 4}, tensor_f32 = {8, 23, 0, 4};

static inline struct tensor_number tensor_unpack(uint32_t bits, struct tensor_format f,
                                                 bool normalises) {
  struct tensor_number x;
  bits >>= f.unread;
  uint32_t fraction = bits & ((1u << f.places) - 1), top = (1u << f.exponent_bits) - 1,
           biased = bits >> f.places & top;
  int lowest = 2 - (1 << (f.exponent_bits - 1));
  x.negative = bits >> (f.places + f.exponent_bits) & 1;
  x.kind = biased < top ? TENSOR_FINITE : fraction ? TENSOR_NAN : TENSOR_INFINITE;
  x.significand = fraction | (biased ? 1u << f.places : 0);
  x.exponent = (int16_t)(biased ? lowest + (int)biased - 1 : lowest);
  while (normalises && x.significand && !(x.significand >> f.places))
    x.significand <<= 1, x.exponent--;
  return x;
}

/* size * 2^exponent as bits of single precision, towards zero. */
static inline uint32_t tensor_round_f32(const struct tensor_rule *rule, bool negative,
                                        uint64_t size, int exponent) {
  uint32_t sign = negative ? 0x80000000u : 0;
  if (!size) return sign;
  int top = 63 - __builtin_clzll(size) + exponent; /* that of the leading 1 */
  if (top > 127) return sign | (rule->saturates ? 0x7f7fffffu : 0x7f800000u);
  int last = top < -126 ? -149 : top - 23, shift = last - exponent;
  uint64_t kept = shift > 63 ? 0 : shift >= 0 ? size >> shift : size << -shift;
  if (!kept) return 0;
  return sign | ((uint32_t)kept + (top < -126 ? 0 : (uint32_t)(top + 126) << 23));
}

/* The same as bits of half precision, to nearest even. */
static inline uint32_t tensor_round_f16(bool negative, uint64_t size, int exponent) {
  uint32_t sign = negative ? 0x8000u : 0;
  if (!size) return sign;
  int top = 63 - __builtin_clzll(size) + exponent;
  if (top > 15) return sign | 0x7c00;
  int last = top < -14 ? -24 : top - 10, shift = last - exponent;
  uint64_t kept = shift > 63 ? 0 : shift >= 0 ? size >> shift : size << -shift;
  if (shift > 0 && shift <= 63) {
    uint64_t rest = size & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
  }
  if (!kept) return 0;
  return sign | ((uint32_t)kept + (top < -14 ? 0 : (uint32_t)(top + 14) << 10));
}

/* significand * 2^(exponent - places), cut to a multiple of 2^(largest - fraction_bits). */
static inline uint64_t tensor_align(uint64_t significand, int shift) {
  return shift >= 0 ? significand << shift : shift > -64 ? significand >> -shift : 0;
}

/* One step: c and count products; strides in elements. Bits of c and of the result are half or
 * single precision. */
static inline uint32_t tensor_step(const struct tensor_rule *rule, struct tensor_format in,
                                   const struct tensor_number *a, int a_stride,
                                   const struct tensor_number *b, int b_stride, int count,
                                   uint32_t c_bits, bool c_half) {
  enum { NONE = -100000 };
  struct tensor_format out = c_half ? tensor_f16 : tensor_f32;
  struct tensor_number c = tensor_unpack(c_bits, out, rule->normalises);
  int largest = c.significand || rule->zeros_count ? c.exponent : NONE;
  bool infinite[2] = {false, false}, nan = c.kind == TENSOR_NAN, all_negative = c.negative;
  if (c.kind == TENSOR_INFINITE) infinite[c.negative] = true;
  for (int i = 0; i < count; i++) {
    struct tensor_number x = a[i * a_stride], y = b[i * b_stride];
    bool zero = !x.significand || !y.significand, negative = x.negative != y.negative;
    if (x.kind != TENSOR_FINITE || y.kind != TENSOR_FINITE) {
      bool number = x.kind != TENSOR_NAN && y.kind != TENSOR_NAN;
      if (!number || (zero && (x.kind == TENSOR_FINITE ? !x.significand : !y.significand)))
        nan = true;
      else
        infinite[negative] = true;
    }
    int exponent = x.exponent + y.exponent;
    if ((!zero || rule->zeros_count) && exponent > largest) largest = exponent;
    all_negative &= negative;
  }
  if (nan || (infinite[0] && infinite[1])) return c_half ? 0x7fff : rule->nan;
  if (infinite[0] || infinite[1])
    return (c_half ? 0x7c00u : 0x7f800000u) | (infinite[1] ? c_half ? 0x8000u : 0x80000000u : 0);
  if (largest < rule->lowest) largest = rule->lowest;
  int places = rule->fraction_bits - largest;
  int64_t sum = 0;
  if (c.significand) sum = (int64_t)tensor_align(c.significand, places + c.exponent - out.places);
  if (c.negative) sum = -sum;
  for (int i = 0; i < count; i++) {
    struct tensor_number x = a[i * a_stride], y = b[i * b_stride];
    if (!x.significand || !y.significand) continue;
    int64_t part = (int64_t)tensor_align((uint64_t)x.significand * y.significand,
                                         places + x.exponent + y.exponent - 2 * in.places);
    sum += x.negative != y.negative ? -part : part;
  }
  bool negative = sum < 0 || (sum == 0 && all_negative && rule->negative_zero);
  uint64_t size = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
  return c_half ? tensor_round_f16(negative, size, -places)
                : tensor_round_f32(rule, negative, size, -places);
}

/* c + a[0] * b[0] + ... of k products. */
static inline uint32_t tensor_dot(const struct tensor_rule *rule, struct tensor_format in,
                                  const struct tensor_number *a, int a_stride,
                                  const struct tensor_number *b, int b_stride, int k, uint32_t c,
                                  bool c_half) {
  int step = rule->step_bytes / in.bytes;
  for (int i = 0; i < k; i += step)
    c = tensor_step(rule, in, a + i * a_stride, a_stride, b + i * b_stride, b_stride,
                    k - i < step ? k - i : step, c, c_half);
  return c;
}

#endif
