/* tensor.c: matrices in the registers of a warp: mma, and how 8 x 8 matrices are dealt out to lanes
 * (ldmatrix, stmatrix, movmatrix). What an H100 computes is in tensor_rule.h; where elements lie,
 * in tensor_layout.h. All lanes of the warp take part, whichever are active. */
#include <math.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/tensor_layout.h"
#include "harness/sim/exec/tensor_rule.h"

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

/* ---- products ---- */

static int bits_of(enum tensor_type type) {
  static const uint8_t bits[] = {16, 16, 32, 32, 64, 32, 8, 8, 4, 4};
  return bits[type];
}

/* Elements of A and B as bits of 32, row by row; C's are the sources themselves. */
struct matrices {
  uint32_t a[MAX_M][MAX_K], b[MAX_K][N];
};

static void gather(const struct tensor_op *t, int c_registers, struct matrices *to) {
  int bits = bits_of(t->a), per = 32 / bits, a_registers = t->m * t->k / per / LANES,
      b_registers = t->k * N / per / LANES;
  uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  for (int lane = 0; lane < LANES; lane++) {
    for (int r = 0; r < a_registers; r++)
      for (int part = 0; part < per; part++) {
        struct tensor_place at = tensor_place_a(t->m, per, lane, r, part);
        to->a[at.row][at.column] = sources.word[c_registers + r][lane] >> (part * bits) & mask;
      }
    for (int r = 0; r < b_registers; r++)
      for (int part = 0; part < per; part++) {
        struct tensor_place at = tensor_place_b(per, lane, r, part);
        to->b[at.row][at.column] =
            sources.word[c_registers + a_registers + r][lane] >> (part * bits) & mask;
      }
  }
}

static const struct tensor_rule rule = TENSOR_RULE_H100;

static void multiply_floats(const struct tensor_op *t, uint32_t results[][LANES]) {
  bool half = t->c == TENSOR_F16;
  struct tensor_format format = t->a == TENSOR_F16    ? tensor_f16
                                : t->a == TENSOR_BF16 ? tensor_bf16
                                                      : tensor_tf32;
  int c_elements = t->m * N / LANES;
  struct matrices m;
  gather(t, half ? c_elements / 2 : c_elements, &m);
  struct tensor_number a[MAX_M][16], b[16][N];
  for (int k = 0; k < t->k; k++) {
    for (int i = 0; i < t->m; i++) a[i][k] = tensor_unpack(m.a[i][k], format, rule.normalises);
    for (int j = 0; j < N; j++) b[k][j] = tensor_unpack(m.b[k][j], format, rule.normalises);
  }
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < c_elements; e++) {
      struct tensor_place at = tensor_place_c(lane, e);
      int r = half ? e / 2 : e, shift = half ? e % 2 * 16 : 0;
      uint32_t c = sources.word[r][lane] >> shift & (half ? 0xffff : UINT32_MAX);
      uint32_t d = tensor_dot(&rule, format, a[at.row], 1, &b[0][at.column], N, t->k, c, half);
      results[r][lane] = shift ? results[r][lane] | d << shift : d;
    }
}

static int32_t integer(uint32_t bits, enum tensor_type type) {
  int shift = 32 - bits_of(type);
  return type == TENSOR_U8 || type == TENSOR_U4 ? (int32_t)bits : (int32_t)(bits << shift) >> shift;
}

static void multiply_integers(const struct tensor_op *t, uint32_t results[][LANES]) {
  int c_registers = t->m * N / LANES;
  struct matrices m;
  gather(t, c_registers, &m);
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < c_registers; e++) {
      struct tensor_place at = tensor_place_c(lane, e);
      int64_t sum = (int32_t)sources.word[e][lane];
      for (int k = 0; k < t->k; k++)
        sum += (int64_t)integer(m.a[at.row][k], t->a) * integer(m.b[k][at.column], t->b);
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
  int c_registers = t->m * N / LANES, a_registers = t->m * t->k / LANES,
      b_registers = t->k * N / LANES;
  double a[MAX_M][16], b[16][N];
  for (int lane = 0; lane < LANES; lane++) {
    for (int r = 0; r < a_registers; r++) {
      struct tensor_place at = tensor_place_a(t->m, 1, lane, r, 0);
      a[at.row][at.column] = sources.wide[c_registers + r][lane];
    }
    for (int r = 0; r < b_registers; r++) {
      struct tensor_place at = tensor_place_b(1, lane, r, 0);
      b[at.row][at.column] = sources.wide[c_registers + a_registers + r][lane];
    }
  }
  for (int lane = 0; lane < LANES; lane++)
    for (int e = 0; e < c_registers; e++) {
      struct tensor_place at = tensor_place_c(lane, e);
      double sum = sources.wide[e][lane];
      for (int k = 0; k < t->k; k++) sum = fused(a[at.row][k], b[k][at.column], sum);
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
    multiply_floats(t, results.word);
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
