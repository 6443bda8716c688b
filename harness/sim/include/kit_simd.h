/* kit_simd.h: two halfwords or four bytes in a word (CUDA Math API, "SIMD Intrinsics"), and minima
 * and maxima of sums and of three ("DPX"). What saturates ends in ss or us. */
#ifndef KIT_SIMD_H
#define KIT_SIMD_H

#include "host_defines.h"

/* Element i of a word, extended with its sign or zeros. */
#define KIT_SIGNED(v, i, bits) ((int)((v) >> (i) << (32 - bits)) >> (32 - bits))
#define KIT_UNSIGNED(v, i, bits) ((int)((v) >> (i)&KIT_ONES(bits)))
#define KIT_ONES(bits) ((1u << bits) - 1)
#define KIT_CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define KIT_CLAMP_SIGNED(x, bits) \
  KIT_CLAMP(x, -(int)(KIT_ONES(bits) / 2) - 1, (int)(KIT_ONES(bits) / 2))
#define KIT_CLAMP_UNSIGNED(x, bits) KIT_CLAMP(x, 0, (int)KIT_ONES(bits))

/* expr of x and y, elements of a and b; bits is how many they have. */
#define KIT_SIMD_OF(function, bits, extend, expr)                                  \
  __kit_device__ unsigned int function(unsigned int a, unsigned int b) {           \
    unsigned int result = 0;                                                       \
    for (int i = 0; i < 32; i += bits) {                                           \
      int x = extend(a, i, bits), y = extend(b, i, bits);                          \
      result |= ((unsigned int)(expr) & KIT_ONES(bits)) << i;                      \
    }                                                                              \
    return result;                                                                 \
  }
#define KIT_SIMD(name, extend, expr2, expr4)    \
  KIT_SIMD_OF(__v##name##2, 16, extend, expr2) \
  KIT_SIMD_OF(__v##name##4, 8, extend, expr4)
#define KIT_SIMD_BOTH(name, expr)           \
  KIT_SIMD(name##s, KIT_SIGNED, expr, expr) \
  KIT_SIMD(name##u, KIT_UNSIGNED, expr, expr)
/* vcmp: all ones where it holds; vset: 1 */
#define KIT_SIMD_COMPARE(name, extend, expr)              \
  KIT_SIMD(cmp##name, extend, (expr) ? -1 : 0, (expr) ? -1 : 0) \
  KIT_SIMD(set##name, extend, expr, expr)
#define KIT_SIMD_COMPARE_BOTH(name, expr)        \
  KIT_SIMD_COMPARE(name##s, KIT_SIGNED, expr) \
  KIT_SIMD_COMPARE(name##u, KIT_UNSIGNED, expr)

KIT_SIMD(add, KIT_UNSIGNED, x + y, x + y)
KIT_SIMD(sub, KIT_UNSIGNED, x - y, x - y)
KIT_SIMD(addss, KIT_SIGNED, KIT_CLAMP_SIGNED(x + y, 16), KIT_CLAMP_SIGNED(x + y, 8))
KIT_SIMD(addus, KIT_UNSIGNED, KIT_CLAMP_UNSIGNED(x + y, 16), KIT_CLAMP_UNSIGNED(x + y, 8))
KIT_SIMD(subss, KIT_SIGNED, KIT_CLAMP_SIGNED(x - y, 16), KIT_CLAMP_SIGNED(x - y, 8))
KIT_SIMD(subus, KIT_UNSIGNED, KIT_CLAMP_UNSIGNED(x - y, 16), KIT_CLAMP_UNSIGNED(x - y, 8))
KIT_SIMD_BOTH(absdiff, x > y ? x - y : y - x)
KIT_SIMD_BOTH(max, x > y ? x : y)
KIT_SIMD_BOTH(min, x < y ? x : y)
KIT_SIMD(haddu, KIT_UNSIGNED, (x + y) >> 1, (x + y) >> 1)
/* Halves are rounded away from 0. (Without a comparison: clang 14 takes (x & ~0xffff) >> 16 for
 * unsigned where x is compared, too.) */
KIT_SIMD_BOTH(avg, (x + y + 1 + ((x + y) >> 31)) >> 1)
KIT_SIMD_COMPARE(eq, KIT_UNSIGNED, x == y)
KIT_SIMD_COMPARE(ne, KIT_UNSIGNED, x != y)
KIT_SIMD_COMPARE_BOTH(ge, x >= y)
KIT_SIMD_COMPARE_BOTH(gt, x > y)
KIT_SIMD_COMPARE_BOTH(le, x <= y)
KIT_SIMD_COMPARE_BOTH(lt, x < y)
KIT_SIMD_OF(kit_vabs2, 16, KIT_SIGNED, x < 0 ? -x : x)
KIT_SIMD_OF(kit_vabs4, 8, KIT_SIGNED, x < 0 ? -x : x)

/* Of one word. */
#define KIT_SIMD_UNARY(name, expr2, expr4)                                   \
  __kit_device__ unsigned int __v##name##2(unsigned int a) { return expr2; } \
  __kit_device__ unsigned int __v##name##4(unsigned int a) { return expr4; }
KIT_SIMD_UNARY(neg, __vsub2(0, a), __vsub4(0, a))
KIT_SIMD_UNARY(negss, __vsubss2(0, a), __vsubss4(0, a))
KIT_SIMD_UNARY(abs, kit_vabs2(a, 0), kit_vabs4(a, 0))
KIT_SIMD_UNARY(absss, __vmaxs2(a, __vnegss2(a)), __vmaxs4(a, __vnegss4(a)))

/* Sums of absolute differences. */
#define KIT_SIMD_SAD(letter)                                                           \
  __kit_device__ unsigned int __vsad##letter##2(unsigned int a, unsigned int b) {      \
    unsigned int d = __vabsdiff##letter##2(a, b);                                      \
    return (d & 0xffff) + (d >> 16);                                                   \
  }                                                                                    \
  __kit_device__ unsigned int __vsad##letter##4(unsigned int a, unsigned int b) {      \
    unsigned int d = __vabsdiff##letter##4(a, b);                                      \
    return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);                \
  }
KIT_SIMD_SAD(s)
KIT_SIMD_SAD(u)

/* ---- DPX: of whole words, and of two halfwords ---- */

#define KIT_DPX_MORE(x, y) ((x) > (y) ? (x) : (y))
#define KIT_DPX_LESS(x, y) ((x) < (y) ? (x) : (y))
#define KIT_DPX_RELU(x) ((x) > 0 ? (x) : 0)
/* expr of a, b and c of that type; of halfwords element by element */
#define KIT_DPX(name, type, expr)                                                       \
  __kit_both__ type name(type a, type b, type c) {                                      \
    (void)c;                                                                            \
    return (type)(expr);                                                                \
  }
#define KIT_DPX_PAIR(name, type, expr)                                                  \
  __kit_both__ unsigned int name(unsigned int va, unsigned int vb, unsigned int vc) {   \
    unsigned int result = 0;                                                            \
    for (int i = 0; i < 32; i += 16) {                                                  \
      type a = (type)(va >> i), b = (type)(vb >> i), c = (type)(vc >> i);               \
      (void)c;                                                                          \
      result |= (unsigned int)(unsigned short)(expr) << i;                              \
    }                                                                                   \
    return result;                                                                      \
  }
#define KIT_DPX_ALL(name, pick)                                                          \
  KIT_DPX(__viadd##name##_s32, int, pick((int)((unsigned int)a + b), c))                 \
  KIT_DPX(__viadd##name##_u32, unsigned int, pick(a + b, c))                             \
  KIT_DPX(__viadd##name##_s32_relu, int, KIT_DPX_RELU(__viadd##name##_s32(a, b, c)))     \
  KIT_DPX_PAIR(__viadd##name##_s16x2, short, pick((short)(a + b), c))                    \
  KIT_DPX_PAIR(__viadd##name##_u16x2, unsigned short, pick((unsigned short)(a + b), c))  \
  KIT_DPX_PAIR(__viadd##name##_s16x2_relu, short,                                        \
               KIT_DPX_RELU(pick((short)(a + b), c)))                                    \
  KIT_DPX(__vi##name##3_s32, int, pick(pick(a, b), c))                                   \
  KIT_DPX(__vi##name##3_u32, unsigned int, pick(pick(a, b), c))                          \
  KIT_DPX(__vi##name##3_s32_relu, int, KIT_DPX_RELU(pick(pick(a, b), c)))                \
  KIT_DPX_PAIR(__vi##name##3_s16x2, short, pick(pick(a, b), c))                          \
  KIT_DPX_PAIR(__vi##name##3_u16x2, unsigned short, pick(pick(a, b), c))                 \
  KIT_DPX_PAIR(__vi##name##3_s16x2_relu, short, KIT_DPX_RELU(pick(pick(a, b), c)))       \
  __kit_both__ int __vi##name##_s32_relu(int a, int b) { return KIT_DPX_RELU(pick(a, b)); } \
  __kit_both__ unsigned int __vi##name##_s16x2_relu(unsigned int a, unsigned int b) {    \
    return __vi##name##3_s16x2_relu(a, b, b);                                            \
  }
KIT_DPX_ALL(max, KIT_DPX_MORE)
KIT_DPX_ALL(min, KIT_DPX_LESS)

/* Which one was it? True for a, also where they are equal. */
#define KIT_DPX_WHICH(name, op)                                                              \
  __kit_both__ int __vib##name##_s32(int a, int b, bool *first) {                            \
    *first = a op b;                                                                         \
    return *first ? a : b;                                                                   \
  }                                                                                          \
  __kit_both__ unsigned int __vib##name##_u32(unsigned int a, unsigned int b, bool *first) { \
    *first = a op b;                                                                         \
    return *first ? a : b;                                                                   \
  }                                                                                          \
  KIT_DPX_WHICH_PAIR(__vib##name##_s16x2, short, op)                                         \
  KIT_DPX_WHICH_PAIR(__vib##name##_u16x2, unsigned short, op)
#define KIT_DPX_WHICH_PAIR(name, type, op)                                                  \
  __kit_both__ unsigned int name(unsigned int a, unsigned int b, bool *high, bool *low) {   \
    *high = (type)(a >> 16) op(type)(b >> 16);                                              \
    *low = (type)a op(type) b;                                                              \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffff);                     \
  }
KIT_DPX_WHICH(max, >=)
KIT_DPX_WHICH(min, <=)

#undef KIT_SIGNED
#undef KIT_UNSIGNED
#undef KIT_ONES
#undef KIT_CLAMP
#undef KIT_CLAMP_SIGNED
#undef KIT_CLAMP_UNSIGNED
#undef KIT_SIMD_OF
#undef KIT_SIMD
#undef KIT_SIMD_BOTH
#undef KIT_SIMD_COMPARE
#undef KIT_SIMD_COMPARE_BOTH
#undef KIT_SIMD_UNARY
#undef KIT_SIMD_SAD
#undef KIT_DPX_MORE
#undef KIT_DPX_LESS
#undef KIT_DPX_RELU
#undef KIT_DPX
#undef KIT_DPX_PAIR
#undef KIT_DPX_ALL
#undef KIT_DPX_WHICH
#undef KIT_DPX_WHICH_PAIR

#endif
