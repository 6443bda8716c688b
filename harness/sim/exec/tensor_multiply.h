/* tensor_multiply.h: multiplies a tile of finite numbers (tensor_tile.h) or of doubles, eight
 * columns at once.
 * Part of exec.c. */

enum { TILE_NOTHING = -(1 << 20) }; /* the exponent of a zero */

typedef int32_t tile_row __attribute__((vector_size(TILE_COLUMNS * 4)));
typedef float tile_floats __attribute__((vector_size(TILE_COLUMNS * 4)));
typedef int64_t tile_longs __attribute__((vector_size(TILE_COLUMNS * 8)));
typedef double tile_doubles __attribute__((vector_size(TILE_COLUMNS * 8)));

/* Numbers as parts, of which each is part * 2^(exponent - places of the format). Returns how many
 * are infinite or NaN. */
#define TILE_UNPACK(name, type, exponent_bits, places, unread)                           \
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
TILE_UNPACK(unpack_f16, uint16_t, 5, 10, 0)
TILE_UNPACK(unpack_bf16, uint16_t, 8, 7, 0)
TILE_UNPACK(unpack_tf32, uint32_t, 8, 10, 13)
TILE_UNPACK(unpack_f32, uint32_t, 8, 23, 0)
TILE_UNPACK(unpack_wide_f16, uint32_t, 5, 10, 0)

static int unpack(const struct tensor_format *format, const void *from, int count, int32_t *part,
                  int32_t *exponent) {
  return format->bytes == 4           ? unpack_tf32(from, count, part, exponent)
         : format->exponent_bits == 5 ? unpack_f16(from, count, part, exponent)
                                      : unpack_bf16(from, count, part, exponent);
}

/* part << left >> by, towards zero, where by may be large. */
#define TILE_CUT(part, left, by)                                  \
  ({                                                              \
    tile_row sign_ = (part) >> 31, by_ = (by), far_ = by_ > 31;   \
    tile_row size_ = (((part) ^ sign_) - sign_) << (left);        \
    (((size_ >> ((by_ & ~far_) | (far_ & 31))) ^ sign_) - sign_); \
  })

/* Rounds sums * 2^exponent (of their last place) to single precision, towards zero: doubles hold
 * them, and their last bits are those that are cut off. False: some result is subnormal. */
static inline bool round_row(const tile_doubles *exact, const tile_row *last, uint32_t *d) {
  tile_doubles sums = *exact;
  tile_row exponent = *last;
  tile_longs bits = (__builtin_convertvector(exponent, tile_longs) + 1023) << 52;
  sums *= (tile_doubles)bits;
  bits = (tile_longs)sums;
  tile_longs size = bits & INT64_MAX, small = (size < (INT64_C(897) << 52)) & (size != 0);
  bits &= ~((INT64_C(1) << 29) - 1);
  tile_floats rounded = __builtin_convertvector((tile_doubles)bits, tile_floats);
  memcpy(d, &rounded, sizeof rounded);
  int64_t any = 0;
  for (int j = 0; j < TILE_COLUMNS; j++) any |= small[j];
  return !any;
}

/* False: some number is infinite or NaN. */
static bool multiply_tile(struct tensor_tile *t) {
  int32_t a_part[TILE_ROWS * TILE_DEPTH], a_exponent[TILE_ROWS * TILE_DEPTH];
  int32_t b_part[TILE_DEPTH * TILE_COLUMNS], b_exponent[TILE_DEPTH * TILE_COLUMNS];
  int32_t c_part[TILE_ROWS * TILE_COLUMNS], c_exponent[TILE_ROWS * TILE_COLUMNS];
  uint32_t b_bits[TILE_DEPTH * TILE_COLUMNS];
  int stride = 32 / t->format.bytes, depth = t->depth, places = t->rule->fraction_bits,
      left = places - 2 * t->format.places,
      c_left = places - (t->half ? tensor_f16.places : tensor_f32.places);
  int odd = depth == stride ? unpack(&t->format, t->a, t->rows * stride, a_part, a_exponent) : 0;
  for (int i = 0; depth != stride && i < t->rows; i++)
    odd += unpack(&t->format, (const char *)t->a + i * 32, depth, a_part + i * stride,
                  a_exponent + i * stride);
  for (int k = 0; k < depth; k++)
    for (int j = 0; j < TILE_COLUMNS; j++)
      if (t->format.bytes == 2)
        ((uint16_t *)b_bits)[k * TILE_COLUMNS + j] = ((const uint16_t *)t->b)[j * stride + k];
      else
        b_bits[k * TILE_COLUMNS + j] = ((const uint32_t *)t->b)[j * stride + k];
  odd += unpack(&t->format, b_bits, depth * TILE_COLUMNS, b_part, b_exponent);
  odd +=
      (t->half ? unpack_wide_f16 : unpack_f32)(t->c[0], t->rows * TILE_COLUMNS, c_part, c_exponent);
  if (odd) return false;
  for (int i = 0; i < t->rows; i++) {
    tile_row part[TILE_DEPTH], exponent[TILE_DEPTH], c, e, sum = {0}, largest;
    memcpy(&e, c_exponent + i * TILE_COLUMNS, sizeof e);
    tile_row high = e > t->rule->lowest;
    largest = (e & high) | (t->rule->lowest & ~high);
    for (int k = 0; k < depth; k++) {
      memcpy(&c, b_part + k * TILE_COLUMNS, sizeof c);
      part[k] = c * a_part[i * stride + k];
      memcpy(&c, b_exponent + k * TILE_COLUMNS, sizeof c);
      exponent[k] = c + a_exponent[i * stride + k];
      tile_row more = exponent[k] > largest;
      largest = (exponent[k] & more) | (largest & ~more);
    }
    for (int k = 0; k < depth; k++) sum += TILE_CUT(part[k], left, largest - exponent[k]);
    memcpy(&c, c_part + i * TILE_COLUMNS, sizeof c);
    c = TILE_CUT(c, c_left, largest - e);
    tile_doubles sums =
        __builtin_convertvector(sum, tile_doubles) + __builtin_convertvector(c, tile_doubles);
    tile_row last_places = largest - places;
    if (!t->half && round_row(&sums, &last_places, t->d[i])) continue;
    for (int j = 0; j < TILE_COLUMNS; j++) {
      int64_t exact = (int64_t)sum[j] + c[j];
      uint64_t size = (uint64_t)(exact < 0 ? -exact : exact);
      t->d[i][j] = t->half ? tensor_round_f16(exact < 0, size, last_places[j])
                           : tensor_round_f32(t->rule, exact < 0, size, last_places[j]);
    }
  }
  return true;
}

/* sums (rows x TILE_COLUMNS) += a (rows of TILE_DEPTH) * b (columns of TILE_DEPTH), by
 * multiply-adds from the first product to the last. False: some sum is NaN, of which the bits are
 * not settled. */
static bool multiply_doubles(const double *a, const double *b, int rows, int depth, double *sums) {
  double across[TILE_DEPTH][TILE_COLUMNS];
  int odd = 0;
  for (int k = 0; k < depth; k++)
    for (int j = 0; j < TILE_COLUMNS; j++) across[k][j] = b[j * TILE_DEPTH + k];
  for (int i = 0; i < rows; i++) {
    double row[TILE_COLUMNS];
    memcpy(row, sums + i * TILE_COLUMNS, sizeof row);
    for (int k = 0; k < depth; k++)
      for (int j = 0; j < TILE_COLUMNS; j++)
        row[j] = __builtin_fma(a[i * TILE_DEPTH + k], across[k][j], row[j]);
    for (int j = 0; j < TILE_COLUMNS; j++) odd |= row[j] != row[j];
    memcpy(sums + i * TILE_COLUMNS, row, sizeof row);
  }
  return !odd;
}
