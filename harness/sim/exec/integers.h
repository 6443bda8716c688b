/* integers.h: floating-point numbers that have been rounded to integral values as integers, at the
 * ends of whose range they saturate (PTX ISA, "cvt"); for NaN see ops_cold.h. */
#ifndef KIT_INTEGERS_H
#define KIT_INTEGERS_H

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

#endif
