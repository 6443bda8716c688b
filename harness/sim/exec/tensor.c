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

/* A dot product at a time: where some number is infinite or NaN. */
static void multiply_dots(struct tensor_tile *t) {
  struct tensor_number a[MAX_M][TILE_DEPTH], b[N][TILE_DEPTH];
  const union matrices *m = t->a;
  for (int k = 0; k < t->depth; k++) {
    for (int i = 0; i < t->rows; i++)
      a[i][k] = tensor_unpack(t->format.bytes == 2 ? m->a16[i][k] : m->a32[i][k], t->format,
                              rule.normalises);
    for (int j = 0; j < N; j++)
      b[j][k] = tensor_unpack(t->format.bytes == 2 ? m->b16[j][k] : m->b32[j][k], t->format,
                              rule.normalises);
  }
  for (int i = 0; i < t->rows; i++)
    for (int j = 0; j < N; j++)
      t->d[i][j] = tensor_dot(&rule, t->format, a[i], 1, b[j], 1, t->depth, t->c[i][j], t->half);
}

/* Elements of C or D between rows and what lanes have: two of a row each, 8 rows apart. */
static void take_rows(struct tensor_tile *t) {
  for (int i = 0; i < t->rows; i++)
    for (int pair = 0; pair < 4; pair++) {
      int lane = i % 8 * 4 + pair, r = i / 8;
      uint32_t low = sources.word[t->half ? r : 2 * r][lane], high = low >> 16;
      if (!t->half) high = sources.word[2 * r + 1][lane];
      t->c[i][2 * pair] = t->half ? low & 0xffff : low;
      t->c[i][2 * pair + 1] = high;
    }
}
static void give_rows(const struct tensor_tile *t, uint32_t results[][LANES]) {
  for (int i = 0; i < t->rows; i++)
    for (int pair = 0; pair < 4; pair++) {
      int lane = i % 8 * 4 + pair, r = i / 8;
      uint32_t low = t->d[i][2 * pair], high = t->d[i][2 * pair + 1];
      results[t->half ? r : 2 * r][lane] = t->half ? low | high << 16 : low;
      if (!t->half) results[2 * r + 1][lane] = high;
    }
}

static void multiply_floats(const struct tensor_op *op, const struct isa *isa,
                            uint32_t results[][LANES]) {
  union matrices m;
  struct tensor_tile tile = {.rule = &rule,
                             .format = op->a == TENSOR_F16    ? tensor_f16
                                       : op->a == TENSOR_BF16 ? tensor_bf16
                                                              : tensor_tf32,
                             .rows = op->m,
                             .depth = op->k,
                             .half = op->c == TENSOR_F16,
                             .a = m.a,
                             .b = m.b};
  gather(op, false, &m);
  take_rows(&tile);
  if (!isa->multiply_tile(&tile)) multiply_dots(&tile);
  give_rows(&tile, results);
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
static void multiply_doubles(const struct tensor_op *t, const struct isa *isa,
                             double results[][LANES]) {
  union matrices m;
  double sums[MAX_M][N];
  int elements = t->m * N / LANES;
  gather(t, true, &m);
  for (int e = 0; e < elements; e++)
    for (int lane = 0; lane < LANES; lane++)
      sums[row_of(lane, e)][column_of(lane, e)] = sources.wide[e][lane];
  bool numbers = isa->multiply_doubles(m.a64[0], m.b64[0], t->m, t->k, sums[0]);
  for (int e = 0; e < elements; e++)
    for (int lane = 0; lane < LANES; lane++) {
      int row = row_of(lane, e), column = column_of(lane, e);
      double sum = numbers ? sums[row][column] : sources.wide[e][lane];
      for (int k = 0; !numbers && k < t->k; k++) sum = fused(m.a64[row][k], m.b64[column][k], sum);
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
    multiply_doubles(t, warp->worker->launch->isa, results.wide);
  else if (t->c == TENSOR_S32)
    multiply_integers(t, results.word);
  else
    multiply_floats(t, warp->worker->launch->isa, results.word);
  for (int i = 0; i < op->count; i++) {
    if (!op->wide && warp->mask == 0xffffffffu) {
      memcpy(frame + op->slot[i], results.word[i], SLOT32);
      continue;
    }
    EACH_ACTIVE (lane, warp->mask) {
      if (op->wide)
        SLOT(frame, op, i, double)[lane] = results.wide[i][lane];
      else
        SLOT(frame, op, i, uint32_t)[lane] = results.word[i][lane];
    }
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

/* To nearest, ties away from zero; infinities and NaNs are cut off. */
void cold_round_tf32(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  const uint32_t *a = SLOT(frame, op, 1, uint32_t);
  uint32_t *d = SLOT(frame, op, 0, uint32_t);
  EACH_LANE {
    uint32_t finite = (a[i] & 0x7f800000) != 0x7f800000;
    d[i] = (a[i] + (finite ? 0x1000 : 0)) & ~0x1fffu;
  }
}

/* Where the element of a lane 4g + i lies: row + g, column + i * step. */
void cold_wmma_address(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  const uint64_t *base = SLOT(frame, op, 1, uint64_t);
  const uint32_t *stride = SLOT(frame, op, 2, uint32_t);
  uint64_t *d = SLOT(frame, op, 0, uint64_t);
  for (int lane = 0; lane < LANES; lane++) {
    uint64_t row = (uint64_t)(op->place.row + lane / 4),
             column = (uint64_t)(op->place.column + lane % 4 * op->place.step);
    uint64_t at = op->place.by_row ? row * stride[lane] + column : column * stride[lane] + row;
    d[lane] = base[lane] + at * op->place.bytes;
  }
}
