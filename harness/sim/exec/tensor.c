/* tensor.c: matrices in the registers of a warp: mma, and how 8 x 8 matrices are dealt out to lanes
 * (ldmatrix, stmatrix, movmatrix). What an H100 computes is in tensor_rule.h; where elements lie,
 * in tensor_layout.h. All lanes of the warp take part, whichever are active. */
#include <math.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/tensor_rule.h"
#include "harness/sim/exec/tensor_tile.h"

enum { MAX_M = 16, N = 8, MAX_K = 64, MAX_REGISTERS = 16 };

/* The sources of one product: of C, A and B. They come and are used within one turn of a warp. */
static _Thread_local union {
  uint32_t word[MAX_REGISTERS][LANES];
  double wide[MAX_REGISTERS][LANES];
} sources;

static void bring_sources(const char *frame, const struct op *op, int first_slot) {
  for (int i = 0; i < op->tensor.count; i++) {
    const void *from = frame + op->slot[first_slot + i];
    if (op->wide)
      memcpy(sources.wide[op->tensor.first + i], from, SLOT64);
    else
      memcpy(sources.word[op->tensor.first + i], from, SLOT32);
  }
}

void cold_tensor_operands(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  bring_sources(frame, op, 0);
}

/* ---- places (PTX ISA, "Matrix Fragments for mma.m16n8k16" and its like) ----
 *
 * Lanes form 8 groups of 4. A group has a row of A, C and D, and a column of B. Along it, a
 * register of the four lanes is 16 bytes, of doubles 32. Further registers go 8 rows on (A, C and
 * D, if there are 16), then further along. */

static int bits_of(enum tensor_type type) {
  static const uint8_t bits[] = {16, 16, 32, 32, 64, 32, 8, 8, 4, 4};
  return bits[type];
}

/* Rows of A and columns of B, as in memory. */
union matrices {
  struct {
    unsigned char a[MAX_M][32], b[N][32];
  };
  struct {
    uint16_t a16[MAX_M][16], b16[N][16];
  };
  struct {
    uint32_t a32[MAX_M][8], b32[N][8];
  };
  struct {
    double a64[MAX_M][16], b64[N][16];
  };
};

static void gather(const struct tensor_op *t, bool wide, union matrices *to) {
  size_t word = wide ? 8 : 4, some = 4 * word, row = wide ? sizeof to->a64[0] : sizeof to->a[0];
  int bits = 8 * (int)word * LANES, halves = t->m / 8;
  int c_registers = t->m * N * bits_of(t->c) / bits,
      a_registers = t->m * t->k * bits_of(t->a) / bits,
      b_registers = t->k * N * bits_of(t->b) / bits;
  char *a = wide ? (char *)to->a64 : (char *)to->a, *b = wide ? (char *)to->b64 : (char *)to->b;
  for (int r = 0; r < a_registers + b_registers; r++) {
    const char *from = wide ? (const char *)sources.wide[c_registers + r]
                            : (const char *)sources.word[c_registers + r];
    for (size_t group = 0; group < 8; group++) {
      char *at = r < a_registers
                     ? a + (group + 8 * (size_t)(r % halves)) * row + (size_t)(r / halves) * some
                     : b + group * row + (size_t)(r - a_registers) * some;
      memcpy(at, from + group * some, some);
    }
  }
}

/* Where element e of a lane is in C and D. */
static inline int row_of(int lane, int e) { return (lane >> 2) + 8 * (e >> 1); }
static inline int column_of(int lane, int e) { return (lane & 3) * 2 + (e & 1); }

/* ---- half, bfloat16 and tf32 ---- */

static const struct tensor_rule rule = TENSOR_RULE_H100;

static inline uint32_t c_bits(bool half, int lane, int e) {
  return half ? sources.word[e / 2][lane] >> (e % 2 * 16) & 0xffff : sources.word[e][lane];
}
static inline void put_d(uint32_t results[][LANES], bool half, int lane, int e, uint32_t d) {
  if (half)
    ((uint16_t *)&results[e / 2][lane])[e % 2] = (uint16_t)d;
  else
    results[e][lane] = d;
}

/* The parts and exponents of count numbers. Returns how many are infinite or NaN. */
#define UNPACK(name, type, exponent_bits, places, unread)                                \
  static int name(const type *from, int count, int32_t *part, int32_t *exponent) {       \
    const int32_t top = (1 << (exponent_bits)) - 1, one = 1 << (places), bias = top / 2; \
    int odd = 0;                                                                         \
    for (int i = 0; i < count; i++) {                                                    \
      int32_t bits = (int32_t)((uint32_t)from[i] >> (unread)), e = bits >> (places)&top, \
              size = (bits & (one - 1)) | (e ? one : 0);                                 \
      odd += e == top;                                                                   \
      part[i] = bits >> ((places) + (exponent_bits)) & 1 ? -size : size;                 \
      exponent[i] = size ? (e ? e : 1) - bias : TILE_NOTHING;                            \
    }                                                                                    \
    return odd;                                                                          \
  }
UNPACK(unpack_f16, uint16_t, 5, 10, 0)
UNPACK(unpack_bf16, uint16_t, 8, 7, 0)
UNPACK(unpack_tf32, uint32_t, 8, 10, 13)
UNPACK(unpack_f32, uint32_t, 8, 23, 0)

/* Fills the tile; false: some number is infinite or NaN. */
static bool fill_tile(const struct tensor_op *t, const union matrices *m,
                      struct tensor_tile *tile) {
  int odd = 0, elements = t->m * N / LANES;
  int32_t part[N][TILE_DEPTH], exponent[N][TILE_DEPTH];
  for (int i = 0; i < t->m + N; i++) {
    int32_t *p = i < t->m ? tile->a_part[i] : part[i - t->m],
            *e = i < t->m ? tile->a_exponent[i] : exponent[i - t->m];
    const void *row = i < t->m ? m->a[i] : m->b[i - t->m];
    odd += t->a == TENSOR_F16    ? unpack_f16(row, t->k, p, e)
           : t->a == TENSOR_BF16 ? unpack_bf16(row, t->k, p, e)
                                 : unpack_tf32(row, t->k, p, e);
  }
  for (int k = 0; k < t->k; k++)
    for (int j = 0; j < N; j++)
      tile->b_part[k][j] = part[j][k], tile->b_exponent[k][j] = exponent[j][k];
  for (int e = 0; e < elements; e++) {
    int32_t c_part[LANES], c_exponent[LANES];
    if (t->c == TENSOR_F16) {
      uint16_t bits[LANES];
      for (int lane = 0; lane < LANES; lane++) bits[lane] = (uint16_t)c_bits(true, lane, e);
      odd += unpack_f16(bits, LANES, c_part, c_exponent);
    } else {
      odd += unpack_f32(sources.word[e], LANES, c_part, c_exponent);
    }
    for (int lane = 0; lane < LANES; lane++) {
      tile->c_part[row_of(lane, e)][column_of(lane, e)] = c_part[lane];
      tile->c_exponent[row_of(lane, e)][column_of(lane, e)] = c_exponent[lane];
    }
  }
  return !odd;
}

/* sum * 2^exponent in single precision, towards zero: a double holds the sum, and its last bits are
 * those that are cut off. */
static uint32_t rounded(int64_t sum, int exponent) {
  if (!sum) return 0;
  double value = (double)sum, scale;
  uint64_t bits = (uint64_t)(exponent + 1023) << 52, exact;
  if (exponent > -150 && exponent < 120) {
    memcpy(&scale, &bits, sizeof scale);
    value *= scale;
    if (fabs(value) >= 0x1p-126) {
      memcpy(&exact, &value, sizeof exact);
      exact &= ~((UINT64_C(1) << 29) - 1);
      memcpy(&value, &exact, sizeof value);
      float single = (float)value;
      uint32_t result;
      memcpy(&result, &single, sizeof result);
      return result;
    }
  }
  return tensor_round_f32(&rule, sum < 0, (uint64_t)(sum < 0 ? -sum : sum), exponent);
}

static void multiply_tile(const struct tensor_op *t, struct tensor_tile *tile,
                          const struct isa *isa, uint32_t results[][LANES]) {
  bool half = t->c == TENSOR_F16;
  tile->rows = t->m;
  tile->depth = t->k;
  tile->left = rule.fraction_bits - 2 * (t->a == TENSOR_BF16 ? tensor_bf16.places : 10);
  tile->c_left = rule.fraction_bits - (half ? tensor_f16.places : tensor_f32.places);
  isa->add_tile(tile);
  for (int e = 0; e < t->m * N / LANES; e++)
    for (int lane = 0; lane < LANES; lane++) {
      int i = row_of(lane, e), j = column_of(lane, e),
          exponent = tile->largest[i][j] - rule.fraction_bits;
      int64_t sum = (int64_t)tile->sum[i][j] + tile->c_cut[i][j];
      put_d(results, half, lane, e,
            half ? tensor_round_f16(sum < 0, (uint64_t)(sum < 0 ? -sum : sum), exponent)
                 : rounded(sum, exponent));
    }
}

/* The same, a dot product at a time: where some number is infinite or NaN. */
static void multiply_dots(const struct tensor_op *t, const union matrices *m,
                          uint32_t results[][LANES]) {
  bool half = t->c == TENSOR_F16;
  struct tensor_format format = t->a == TENSOR_F16    ? tensor_f16
                                : t->a == TENSOR_BF16 ? tensor_bf16
                                                      : tensor_tf32;
  struct tensor_number a[MAX_M][TILE_DEPTH], b[N][TILE_DEPTH];
  for (int k = 0; k < t->k; k++) {
    for (int i = 0; i < t->m; i++)
      a[i][k] =
          tensor_unpack(format.bytes == 2 ? m->a16[i][k] : m->a32[i][k], format, rule.normalises);
    for (int j = 0; j < N; j++)
      b[j][k] =
          tensor_unpack(format.bytes == 2 ? m->b16[j][k] : m->b32[j][k], format, rule.normalises);
  }
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < t->m * N / LANES; e++)
      put_d(results, half, lane, e,
            tensor_dot(&rule, format, a[row_of(lane, e)], 1, b[column_of(lane, e)], 1, t->k,
                       c_bits(half, lane, e), half));
}

static void multiply_floats(const struct tensor_op *t, const struct isa *isa,
                            uint32_t results[][LANES]) {
  union matrices m;
  static _Thread_local struct tensor_tile tile;
  gather(t, false, &m);
  if (fill_tile(t, &m, &tile))
    multiply_tile(t, &tile, isa, results);
  else
    multiply_dots(t, &m, results);
}

/* ---- integers and doubles ---- */

static void unpack_integers(const unsigned char *from, enum tensor_type type, int count,
                            int16_t *to) {
  for (int i = 0; i < count; i++) {
    int bits = bits_of(type) == 4 ? from[i / 2] >> (i % 2 * 4) & 15 : from[i];
    to[i] = (int16_t)(type == TENSOR_S8 ? (int8_t)bits : type == TENSOR_S4 ? (bits ^ 8) - 8 : bits);
  }
}

static void multiply_integers(const struct tensor_op *t, uint32_t results[][LANES]) {
  union matrices m;
  int16_t a[MAX_M][MAX_K], b[N][MAX_K];
  gather(t, false, &m);
  for (int i = 0; i < t->m; i++) unpack_integers(m.a[i], t->a, t->k, a[i]);
  for (int j = 0; j < N; j++) unpack_integers(m.b[j], t->b, t->k, b[j]);
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < t->m * N / LANES; e++) {
      const int16_t *x = a[row_of(lane, e)], *y = b[column_of(lane, e)];
      int32_t products = 0;
      for (int k = 0; k < t->k; k++) products += x[k] * y[k];
      int64_t sum = (int64_t)(int32_t)sources.word[e][lane] + products;
      if (t->satfinite) sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
      results[e][lane] = (uint32_t)sum;
    }
}

/* NaN as in lanes.h: the second operand, else the third, else the first. */
static double fused(double a, double b, double c) {
  double sum = fma(a, b, c);
  return sum == sum ? sum : quiet(b != b ? b : c != c ? c : a != a ? a : sum);
}

/* Multiply-adds in double precision, from the first product to the last. */
static void multiply_doubles(const struct tensor_op *t, double results[][LANES]) {
  union matrices m;
  gather(t, true, &m);
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < t->m * N / LANES; e++) {
      double sum = sources.wide[e][lane];
      for (int k = 0; k < t->k; k++)
        sum = fused(m.a64[row_of(lane, e)][k], m.b64[column_of(lane, e)][k], sum);
      results[e][lane] = sum;
    }
}

/* A warp-wide operation needs all lanes of the warp. */
static void expect_all(struct warp *warp, const struct op *op, const char *what) {
  uint32_t members[LANES];
  if (warp->mask == warp->exist) return;
  for (int i = 0; i < LANES; i++) members[i] = 0xffffffffu;
  control_members(warp, op, members, what);
}

void cold_tensor_product(char *frame, const struct op *op, struct warp *warp) {
  const struct tensor_op *t = &op->tensor;
  union {
    uint32_t word[8][LANES];
    double wide[8][LANES];
  } results;
  expect_all(warp, op, "mma.sync");
  bring_sources(frame, op, op->count);
  slice_charge(warp, t->m * t->k * TENSOR_INSTRUCTIONS / 16);
  if (op->wide)
    multiply_doubles(t, results.wide);
  else if (t->c == TENSOR_S32)
    multiply_integers(t, results.word);
  else
    multiply_floats(t, warp->worker->launch->isa, results.word);
  for (int i = 0; i < op->count; i++)
    EACH_ACTIVE (lane, warp->mask) {
      if (op->wide)
        SLOT(frame, op, i, double)[lane] = results.wide[i][lane];
      else
        SLOT(frame, op, i, uint32_t)[lane] = results.word[i][lane];
    }
}

/* ---- matrices of 8 x 8 ---- */

/* An access by the first lanes, 8 for each matrix, which have the addresses of its rows. */
void cold_matrix_rows(char *frame, const struct op *op, struct warp *warp) {
  uint32_t mask = warp->mask;
  expect_all(warp, op, op->kind == OP_LOAD ? "ldmatrix" : "stmatrix");
  if (op->lanes < 4) warp->mask &= (1u << (8 * op->lanes)) - 1;
  if (warp->mask) op->body(frame, op, warp);
  warp->mask = mask;
}

/* Elements 2c and 2c + 1 of row r are lane 4r + c's: bits 16 * (2c % 2) of part c of what lane
 * 8 * matrix + r has loaded. */
void cold_matrix_deal(char *frame, const struct op *op, struct warp *warp) {
  int count = op->matrices.count;
  for (int m = 0; m < count; m++)
    EACH_ACTIVE (lane, warp->mask) {
      int r = lane >> 2, c = lane & 3;
      uint32_t d;
      if (op->matrices.transposed) {
        const uint32_t *part = SLOT(frame, op, count + r / 2, uint32_t) + 8 * m;
        int shift = r % 2 * 16;
        d = (part[2 * c] >> shift & 0xffff) | part[2 * c + 1] >> shift << 16;
      } else {
        d = SLOT(frame, op, count + c, uint32_t)[8 * m + r];
      }
      SLOT(frame, op, m, uint32_t)[lane] = d;
    }
}

void cold_matrix_collect(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  for (int m = 0; m < op->matrices.count; m++) {
    const uint32_t *from = SLOT(frame, op, 4 + m, uint32_t);
    for (int r = 0; r < 8; r++)
      for (int c = 0; c < 4; c++) {
        uint32_t d = from[4 * r + c];
        if (op->matrices.transposed) {
          int shift = r % 2 * 16;
          d = (from[8 * c + r / 2] >> shift & 0xffff) | (from[8 * c + 4 + r / 2] >> shift & 0xffff)
                                                            << 16;
        }
        SLOT(frame, op, c, uint32_t)[8 * m + r] = d;
      }
  }
}

/* Transposed. */
void cold_matrix_move(char *frame, const struct op *op, struct warp *warp) {
  uint32_t from[LANES];
  expect_all(warp, op, "movmatrix");
  memcpy(from, SLOT(frame, op, 1, uint32_t), sizeof from);
  EACH_ACTIVE (lane, warp->mask) {
    int r = lane >> 2, c = lane & 3, shift = r % 2 * 16;
    SLOT(frame, op, 0, uint32_t)
    [lane] = (from[8 * c + r / 2] >> shift & 0xffff) | (from[8 * c + 4 + r / 2] >> shift & 0xffff)
                                                           << 16;
  }
}

/* To nearest, ties away from zero. */
void cold_round_tf32(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  const uint32_t *a = SLOT(frame, op, 1, uint32_t);
  uint32_t *d = SLOT(frame, op, 0, uint32_t);
  EACH_LANE {
    uint32_t size = a[i] & 0x7fffffff;
    d[i] = size > 0x7f800000 ? 0x7fffffff : size == 0x7f800000 ? a[i] : (a[i] + 0x1000) & ~0x1fffu;
  }
}
