/* kit_half_bits.h: half and bfloat16 as bits: what each stands for, and numbers rounded to them.
 *
 * Plain C, for the host's side of cuda_fp16.h and cuda_bf16.h and for the simulator: the loops over
 * lanes there become vectors, so choices are made without branches where that matters.
 *
 * A half has 1 bit of sign, 5 of exponent and 10 of fraction, a bfloat16 is the upper half of a
 * float. NaN results are 0x7fff, as a GPU makes them. Everything is rounded once: what a float
 * cannot hold comes as a float rounded to odd (kit_odd), whose last bit says that there was more.
 * That cannot change how it is rounded to a shorter format.
 */
#ifndef KIT_HALF_BITS_H
#define KIT_HALF_BITS_H

#define KIT_BITS static __inline__ __attribute__((always_inline, unused))

/* Rounding modes: to nearest even, to zero, down, up. */
enum kit_rounding { KIT_RN, KIT_RZ, KIT_RD, KIT_RU };

KIT_BITS float kit_float_of_bits(unsigned int bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
KIT_BITS unsigned int kit_bits_of_float(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* ---- floats of bits: exact ---- */

/* The exponent's bias differs by 112: a product puts that right, for subnormal numbers, too. */
KIT_BITS float kit_half_value(unsigned int h) {
  unsigned int size = (h & 0x7fff) << 13;
  float x = kit_float_of_bits(size) * 5192296858534827628530496329220096.0f; /* 2^112 */
  unsigned int top = size >= 0x7c00 << 13 ? 0x7f800000 : 0;
  return kit_float_of_bits(kit_bits_of_float(x) | top | (h & 0x8000) << 16);
}
KIT_BITS float kit_bfloat_value(unsigned int b) { return kit_float_of_bits(b << 16); }

/* ---- bits of floats ---- */

KIT_BITS unsigned int kit_half_nearest(float x) {
  unsigned int bits = kit_bits_of_float(x), size = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  unsigned int normal = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
  /* The last place of 0.5f is that of subnormal halves. */
  unsigned int subnormal = kit_bits_of_float(kit_float_of_bits(size) + 0.5f) - 0x3f000000;
  unsigned int result = size < 0x38800000 ? subnormal : normal;
  result = size >= 0x477ff000 ? 0x7c00 : result;
  return size > 0x7f800000 ? 0x7fff : result | sign;
}
KIT_BITS unsigned int kit_bfloat_nearest(float x) {
  unsigned int bits = kit_bits_of_float(x), size = bits & 0x7fffffff;
  return size > 0x7f800000 ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* Is a number of that sign rounded away from zero? */
KIT_BITS int kit_rounds_away(unsigned int bits, enum kit_rounding mode) {
  return mode == (bits >> 31 ? KIT_RD : KIT_RU);
}
KIT_BITS unsigned int kit_half_bits(float x, enum kit_rounding mode) {
  unsigned int bits = kit_bits_of_float(x), size = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  unsigned int away = (unsigned int)kit_rounds_away(bits, mode), shift = 13, whole, result;
  if (mode == KIT_RN || size >= 0x7f800000) return kit_half_nearest(x);
  if (size >= 0x47800000) return sign | (away ? 0x7c00 : 0x7bff);
  if (size >= 0x38800000) {
    whole = size - 0x38000000;
  } else { /* in steps of the smallest half; below it nothing but the rest is left */
    whole = size ? (size & 0x7fffff) | 0x800000 : 0;
    shift = size >> 23 > 101 ? 126 - (size >> 23) : 25;
  }
  result = whole >> shift;
  if (away && result << shift != whole) result++;
  return sign | result;
}
KIT_BITS unsigned int kit_bfloat_bits(float x, enum kit_rounding mode) {
  unsigned int bits = kit_bits_of_float(x), size = bits & 0x7fffffff;
  if (mode == KIT_RN || size >= 0x7f800000) return kit_bfloat_nearest(x);
  return (bits + (kit_rounds_away(bits, mode) ? 0xffff : 0)) >> 16;
}

/* ---- numbers that no float may hold, as one rounded to odd ---- */

/* The number next to `nearest` if its last bit is even and there is more above or below it. */
KIT_BITS float kit_odd_next_to(float nearest, unsigned int above, unsigned int below) {
  unsigned int bits = kit_bits_of_float(nearest), step = (above | below) & ~bits & 1;
  return kit_float_of_bits(bits + (above ^ bits >> 31 ? step : 0 - step));
}
/* The number is x + rest, and x that number rounded to double precision. */
KIT_BITS float kit_odd(double x, double rest) {
  float nearest = (float)x;
  double off = (x - (double)nearest) + rest;
  return kit_odd_next_to(nearest, off > 0, off < 0);
}
/* a * b + c (Knuth's sum with its error). The product of two halves is a float, exactly, that of
 * two bfloat16 a double: its exponent may be too large or small for a float. */
KIT_BITS float kit_half_fma(float a, float b, float c) {
  float product = a * b, sum = product + c, added = sum - product;
  float off = (product - (sum - added)) + (c - added);
  return kit_odd_next_to(sum, off > 0, off < 0);
}
KIT_BITS float kit_bfloat_fma(float a, float b, float c) {
  double product = (double)a * (double)b, sum = product + (double)c, added = sum - product;
  return kit_odd(sum, (product - (sum - added)) + ((double)c - added));
}
KIT_BITS float kit_odd_of_long(long long v) {
  double high = (double)(int)(v >> 32) * 4294967296.0, low = (double)(unsigned int)v;
  double sum = high + low;
  return kit_odd(sum, low - (sum - high));
}
KIT_BITS float kit_odd_of_ulong(unsigned long long v) {
  double high = (double)(unsigned int)(v >> 32) * 4294967296.0, low = (double)(unsigned int)v;
  double sum = high + low;
  return kit_odd(sum, low - (sum - high));
}

#endif
