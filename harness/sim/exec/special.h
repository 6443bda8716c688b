/* special.h: functions for rows of ops_hot.h and ops_cold.h. Sines, powers and logarithms are as
 * the C library's in double precision, rounded to float, but without calls and branches, so that
 * the compiler makes vectors of them. Coefficients are those of Taylor's series, in double.
 */
#ifndef KIT_SPECIAL_H
#define KIT_SPECIAL_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float flush(float v) { return fabsf(v) < 0x1p-126f ? copysignf(0, v) : v; } /* .ftz */
/* a * (1 / b), whose denormal reciprocals are zeros (PTX ISA, "div"). */
static inline float div_approx(float a, float b) {
  return fabsf(b) > 0x1p126f ? a * copysignf(0, b) : a / b;
}

static inline double double_of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Makes the nearest integer of values under 2^51; the last bits are those of the integer. */
#define TO_INTEGER 0x1.8p52
static inline double floor_of(double x) {
  double nearest = x + TO_INTEGER - TO_INTEGER;
  return nearest > x ? nearest - 1 : nearest;
}

/* The sine of r quarters of a turn, r from 0 to 1. As float it is exact for multiples of 2^-22. */
static inline double sine_of_quarters(double r) {
  double s = r * r, p = -0x1.8a404211f9547p-45;
  p = p * s + 0x1.aaec32af93359p-38;
  p = p * s - 0x1.6fadb9f155744p-31;
  p = p * s + 0x1.e8f434d018d63p-25;
  p = p * s - 0x1.e3074fde8871fp-19;
  p = p * s + 0x1.50783487ee782p-13;
  p = p * s - 0x1.32d2cce62bd86p-8;
  p = p * s + 0x1.466bc6775aae2p-4;
  p = p * s - 0x1.4abbce625be53p-1;
  p = p * s + 0x1.921fb54442d18p+0;
  return p * r;
}

/* The sine of a and so many quarters of a turn more, with what an H100 makes of a: turns, a * (1 /
 * 2 pi) cut to single precision, and of a quarter of a turn 22 bits, rounded. So sin of 2^-24 is 0,
 * beyond 2^26 all sines are, and zeros have the sign of the quarter that they were rounded from.
 * Its table of sines ends in the last bits: those are exact here. */
static inline float sine(float a, uint64_t quarters) {
  double turns = fabs((double)a * 0x1.45f306p-3); /* exact */
  turns = double_of_bits(bits_of_double(turns) & ~((UINT64_C(1) << 29) - 1));
  double some = turns < 0x1p26 ? turns : 0; /* beyond, turns have no fraction */
  double within = (some - floor_of(some)) * 4, quarter = floor_of(within);
  double rest = floor_of((within - quarter) * 0x1p22 + 0.5) * 0x1p-22;
  uint64_t number = bits_of_double(quarter + TO_INTEGER) + quarters;
  float size = (float)sine_of_quarters(number & 1 ? 1 - rest : rest);
  uint32_t sign = (uint32_t)(number & 2) << 30, bits;
  memcpy(&bits, &a, sizeof bits);
  sign ^= quarters == 0 ? bits & 0x80000000u : 0;
  memcpy(&bits, &size, sizeof bits);
  bits |= sign;
  bits = turns <= (double)FLT_MAX ? bits : 0x7fc00000u;
  memcpy(&size, &bits, sizeof size);
  return size;
}

static inline float power_of_two(float a) {
  double x = a > 200    ? 200
             : a < -200 ? -200
                        : a,
         n = x + TO_INTEGER, f = x - (n - TO_INTEGER), p = 0x1.314964d5878a9p-44;
  p = p * f + 0x1.816193166d0f9p-40;
  p = p * f + 0x1.c3bd650fc2986p-36;
  p = p * f + 0x1.e8cac7351bb25p-32;
  p = p * f + 0x1.e4cf5158b8ecap-28;
  p = p * f + 0x1.b5253d395e7c4p-24;
  p = p * f + 0x1.62c0223a5c824p-20;
  p = p * f + 0x1.ffcbfc588b0c7p-17;
  p = p * f + 0x1.430912f86c787p-13;
  p = p * f + 0x1.5d87fe78a6731p-10;
  p = p * f + 0x1.3b2ab6fba4e77p-7;
  p = p * f + 0x1.c6b08d704a0c0p-5;
  p = p * f + 0x1.ebfbdff82c58fp-3;
  p = p * f + 0x1.62e42fefa39efp-1;
  p = p * f + 1;
  return (float)(p * double_of_bits((bits_of_double(n) + 1023) << 52));
}

static inline float logarithm(float a) {
  /* a = m * 2^e, m from sqrt(1 / 2) to sqrt(2) */
  uint64_t bits = bits_of_double((double)a), above = bits - 0x3fe6a09e667f3bcd,
           exponent = above & UINT64_C(0xfff) << 52;
  double m = double_of_bits(bits - exponent), s = (m - 1) / (m + 1), q = s * s,
         p = 0x1.00ecd7e080215p-3;
  /* the exponent as a number: its 12 bits, biased by 2^11, in the last bits of 2^52 */
  double e = double_of_bits((((exponent >> 52) + 0x800) & 0xfff) | UINT64_C(0x433) << 52) -
             0x1.00000000008p52;
  p = p * q + 0x1.1964ec6fc9491p-3;
  p = p * q + 0x1.3703c1f4d0ffep-3;
  p = p * q + 0x1.5b9ac9b743f0dp-3;
  p = p * q + 0x1.89f3b1694cffep-3;
  p = p * q + 0x1.c68f568d31760p-3;
  p = p * q + 0x1.0c9a84994022dp-2;
  p = p * q + 0x1.484b13d7c02a9p-2;
  p = p * q + 0x1.a61762a7aded9p-2;
  p = p * q + 0x1.2776c50ef9bfep-1;
  p = p * q + 0x1.ec709dc3a03fdp-1;
  p = p * q + 0x1.71547652b82fep+1;
  float result = (float)(e + p * s);
  result = a <= FLT_MAX ? result : a; /* infinity; NaN */
  result = a < 0 ? NAN : result;
  return a == 0 ? -INFINITY : result;
}

#endif
