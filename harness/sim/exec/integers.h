/* integers.h: floating-point numbers that have been rounded to integral values as integers, at the
 * ends of whose range they saturate (PTX ISA, "cvt"); for NaN see ops_cold.h. */
#ifndef KIT_INTEGERS_H
#define KIT_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

#define TO_INTEGER(name, type, low, above)                                                    \
  static inline type name(double v) {                                                         \
    return v != v ? 0 : v < (low) ? (type)(low) : v >= (above) ? (type)((above)-1) : (type)v; \
  }
TO_INTEGER(to_s8, int8_t, -128.0, 128.0)
TO_INTEGER(to_u8, uint8_t, 0.0, 256.0)
TO_INTEGER(to_s16, int16_t, -32768.0, 32768.0)
TO_INTEGER(to_u16, uint16_t, 0.0, 65536.0)
TO_INTEGER(to_s32, int32_t, -2147483648.0, 2147483648.0)
TO_INTEGER(to_u32, uint32_t, 0.0, 4294967296.0)
#undef TO_INTEGER
static inline int64_t to_s64(double v) {
  return v != v || v < -0x1p63 ? INT64_MIN : v >= 0x1p63 ? INT64_MAX : (int64_t)v;
}
static inline uint64_t to_u64(double v) {
  return v != v ? UINT64_C(1) << 63 : v < 0 ? 0 : v >= 0x1p64 ? UINT64_MAX : (uint64_t)v;
}

/* The same, rounded towards zero, in terms that gcc makes vectors of. */
static inline int32_t truncated_s32(float v) {
  bool fits = v >= -0x1p31f && v < 0x1p31f;
  int32_t whole = (int32_t)(fits ? v : 0);
  return fits ? whole : v > 0 ? INT32_MAX : v < 0 ? INT32_MIN : 0;
}
static inline uint32_t truncated_u32(float v) {
  float positive = v > 0 ? v : 0, within = v < 0x1p32f ? positive : 0;
  bool large = within >= 0x1p31f;
  uint32_t whole = (uint32_t)(int32_t)(large ? within - 0x1p31f : within);
  return v >= 0x1p32f ? UINT32_MAX : whole + (large ? 0x80000000u : 0);
}

#endif
