/* lanes.h: the macros that turn a row of ops_hot.h or ops_cold.h into a function over 32 lanes and
 * a table entry.
 *
 * Types of a row: s8 u8 s16 u16 s32 u32 f32 live in 32-bit containers, s64 u64 f64 in 64-bit ones.
 * Narrow results are kept zero-extended, narrow sources are cut to their width, so an operation
 * never sees another's upper bits.
 *
 * n32 and n64 are f32 and f64 as the result of arithmetic whose NaN is a GPU's and not this
 * processor's. In single precision it is always 0x7fffffff (PTX ISA, "Floating-Point
 * Instructions"). In double precision it is one of the operands that are NaN, made quiet: the
 * second, else the third, else the first (PTX leaves it open; an H100 does this, but for div, which
 * takes the first, as x86 does). NaNs are rare: 32 lanes are checked at once.
 */
#ifndef KIT_LANES_H
#define KIT_LANES_H

#include <fenv.h>
#include <string.h>

#include "harness/sim/exec/machine.h"
#include "harness/sim/exec/vector.h"

typedef uint8_t T_u8;
typedef int8_t T_s8;
typedef uint16_t T_u16;
typedef int16_t T_s16;
typedef uint32_t T_u32;
typedef int32_t T_s32;
typedef uint64_t T_u64;
typedef int64_t T_s64;
typedef float T_f32;
typedef double T_f64;
typedef float T_n32;
typedef double T_n64;

/* container types, to read and write slots, and the unsigned type that a result is cut to */
typedef uint32_t C_u8, C_s8, C_u16, C_s16, C_u32;
typedef int32_t C_s32;
typedef uint64_t C_u64;
typedef int64_t C_s64;
typedef float C_f32;
typedef double C_f64;
typedef float C_n32;
typedef double C_n64;
typedef uint16_t R_u8, R_s8, R_u16, R_s16;
typedef uint32_t R_u32;
typedef int32_t R_s32;
typedef uint64_t R_u64;
typedef int64_t R_s64;
typedef float R_f32;
typedef double R_f64;
typedef float R_n32;
typedef double R_n64;

#define WIDTH(T) (sizeof(C_##T) == 8 ? 'd' : 'w')
/* Is the type n32 or n64? */
#define HAS_GPU_NANS(T) (#T[0] == 'n')

/* Destination and source may be the same slot; a lane depends on no other. */
#if defined __clang__
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif

#define SLOT(frame, op, n, type) \
  ((type *)__builtin_assume_aligned((frame) + (op)->slot[n], FRAME_ALIGN))

/* The value of op->size bytes, extended as its type says. */
static inline uint64_t extended(const struct op *op, const void *from) {
  uint64_t value = 0;
  switch (op->size) { /* constant sizes, which the compiler inlines */
    case 1:
      memcpy(&value, from, 1);
      break;
    case 2:
      memcpy(&value, from, 2);
      break;
    case 4:
      memcpy(&value, from, 4);
      break;
    default:
      memcpy(&value, from, 8);
  }
  int shift = 64 - 8 * op->size;
  return op->access.sign_extends ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}

/* Element e of an access in lane i. */
static inline char *lane_element(char *frame, const struct op *op, int e, int i) {
  return frame + op->slot[1 + e] + i * (op->wide ? 8 : 4);
}

/* Quiets a NaN; numbers are unchanged. */
static inline double quiet(double x) {
  if (x == x) return x;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits |= UINT64_C(1) << 51;
  memcpy(&x, &bits, sizeof x);
  return x;
}

__attribute__((unused, noinline, cold)) static void lanes_one_nan(void *results) {
  uint32_t *bits = results;
  EACH_LANE {
    if ((bits[i] & 0x7fffffff) > 0x7f800000) bits[i] = 0x7fffffff;
  }
}

/* Which lanes have a NaN among their operands. One operand may stand for several. */
static _Thread_local double lanes_nan[LANES]; /* the NaN that each of them gets */
__attribute__((unused, noinline, cold)) static uint32_t lanes_nans(const double *first,
                                                                   const double *second,
                                                                   const double *third) {
  uint32_t lanes = 0;
  for (int i = 0; i < LANES; i++) {
    lanes_nan[i] = quiet(second[i] != second[i] ? second[i]
                         : third[i] != third[i] ? third[i]
                                                : first[i]);
    lanes |= (uint32_t)(lanes_nan[i] != lanes_nan[i]) << i;
  }
  return lanes;
}

__attribute__((unused, noinline, cold)) static void lanes_put_nans(double *results,
                                                                   uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    int i = __builtin_ctz(lanes);
    results[i] = lanes_nan[i];
  }
}

/* Numbers win over NaN, and -0 is less than +0 (PTX ISA, "min", "max"). */
#define MIN_FLOAT(a, b) \
  ((a) < (b) || (b) != (b) || ((a) == (b) && __builtin_signbit(a)) ? (a) : (b))
#define MAX_FLOAT(a, b) \
  ((a) > (b) || (b) != (b) || ((a) == (b) && !__builtin_signbit(a)) ? (a) : (b))

/* The loop over lanes. The destination may be a source: NaNs are detected before any store. */
#define LANES_OF(D, first, second, third, OPERANDS, expr)                                \
  if (HAS_GPU_NANS(D) && WIDTH(D) == 'd') {                                              \
    _Alignas(FRAME_ALIGN) C_##D results_[LANES];                                         \
    EACH_LANE { OPERANDS results_[i] = (C_##D)(R_##D)(expr); }                           \
    if (__builtin_expect(!vector_store_numbers64(d_, results_), 0)) {                    \
      uint32_t lanes_ =                                                                  \
          lanes_nans((const void *)first, (const void *)second, (const void *)third);    \
      EACH_LANE { OPERANDS d_[i] = (C_##D)(R_##D)(expr); }                               \
      lanes_put_nans((void *)d_, lanes_);                                                \
    }                                                                                    \
  } else {                                                                               \
    EACH_LANE { OPERANDS d_[i] = (C_##D)(R_##D)(expr); }                                 \
    if (HAS_GPU_NANS(D) && __builtin_expect(vector_any_nan32(d_), 0)) lanes_one_nan(d_); \
  }
#define LANES1(D, A, expr)                           \
  C_##D *d_ = SLOT(frame, op, 0, C_##D);             \
  const C_##A *a_ = SLOT(frame, op, 1, const C_##A); \
  LANES_OF(D, a_, a_, a_, T_##A a = (T_##A)a_[i];, expr)
#define LANES2(D, A, B, expr)                        \
  C_##D *d_ = SLOT(frame, op, 0, C_##D);             \
  const C_##A *a_ = SLOT(frame, op, 1, const C_##A); \
  const C_##B *b_ = SLOT(frame, op, 2, const C_##B); \
  LANES_OF(D, a_, b_, b_, T_##A a = (T_##A)a_[i]; T_##B b = (T_##B)b_[i];, expr)
#define LANES3(D, A, B, C, expr)                                                                  \
  C_##D *d_ = SLOT(frame, op, 0, C_##D);                                                          \
  const C_##A *a_ = SLOT(frame, op, 1, const C_##A);                                              \
  const C_##B *b_ = SLOT(frame, op, 2, const C_##B);                                              \
  const C_##C *c_ = SLOT(frame, op, 3, const C_##C);                                              \
  LANES_OF(D, a_, b_, c_, T_##A a = (T_##A)a_[i]; T_##B b = (T_##B)b_[i]; T_##C c = (T_##C)c_[i]; \
           , expr)
#define OPERATION(name, ...)                                              \
  static void name(char *frame, const struct op *op, struct warp *warp) { \
    (void)warp;                                                           \
    __VA_ARGS__                                                           \
  }
#define OP1(name, keys, flops, D, A, expr) OPERATION(name, LANES1(D, A, expr))
#define OP2(name, keys, flops, D, A, B, expr) OPERATION(name, LANES2(D, A, B, expr))
#define OP3(name, keys, flops, D, A, B, C, expr) OPERATION(name, LANES3(D, A, B, C, expr))
/* The same in another rounding mode (<fenv.h>). Operands are loaded, and results stored, between
 * the two barriers, so that no arithmetic leaves them. */
static inline void set_rounding(int mode) {
  __asm__ volatile("" ::: "memory");
  fesetround(mode);
  __asm__ volatile("" ::: "memory");
}
#define ROUNDED(name, mode, lanes) \
  OPERATION(name, set_rounding(mode); lanes set_rounding(FE_TONEAREST);)
#define OP1_ROUNDED(name, keys, flops, D, A, mode, expr) ROUNDED(name, mode, LANES1(D, A, expr))
#define OP2_ROUNDED(name, keys, flops, D, A, B, mode, expr) \
  ROUNDED(name, mode, LANES2(D, A, B, expr))
#define OP3_ROUNDED(name, keys, flops, D, A, B, C, mode, expr) \
  ROUNDED(name, mode, LANES3(D, A, B, C, expr))
#define SETP(name, A, expr)                                                     \
  static void set_##name(char *frame, const struct op *op, struct warp *warp) { \
    (void)warp;                                                                 \
    const C_##A *a_ = SLOT(frame, op, 1, const C_##A);                          \
    const C_##A *b_ = SLOT(frame, op, 2, const C_##A);                          \
    uint32_t bits = 0;                                                          \
    for (int i = 0; i < LANES; i++) {                                           \
      T_##A a = (T_##A)a_[i], b = (T_##A)b_[i];                                 \
      bits |= (uint32_t)(expr) << i;                                            \
    }                                                                           \
    *(uint32_t *)(frame + op->slot[0]) = op->negated ? ~bits : bits;            \
  }

/* the same rows as entries of a table of struct op_info */
#define ENTRY1(name, keys, flops, D, A, expr) {keys, #name, name, {WIDTH(D), WIDTH(A)}, flops},
#define ENTRY2(name, keys, flops, D, A, B, expr) \
  {keys, #name, name, {WIDTH(D), WIDTH(A), WIDTH(B)}, flops},
#define ENTRY3(name, keys, flops, D, A, B, C, expr) \
  {keys, #name, name, {WIDTH(D), WIDTH(A), WIDTH(B), WIDTH(C)}, flops},
#define ENTRY1_ROUNDED(name, keys, flops, D, A, mode, expr) ENTRY1(name, keys, flops, D, A, expr)
#define ENTRY2_ROUNDED(name, keys, flops, D, A, B, mode, expr) \
  ENTRY2(name, keys, flops, D, A, B, expr)
#define ENTRY3_ROUNDED(name, keys, flops, D, A, B, C, mode, expr) \
  ENTRY3(name, keys, flops, D, A, B, C, expr)
#define ENTRYP(name, A, expr) {"setp_" #name, #name, set_##name, {'p', WIDTH(A), WIDTH(A)}, 0},

#endif
