/* operands.c: what instructions are tried on; see arithmetic.h. Integers and bits only: the same
 * values come out on every machine. */
#include <stdlib.h>

#include "tests/arithmetic/arithmetic.h"

/* ---- edges ---- */

#define E(...) \
  { __VA_ARGS__ }
/* The first CORE_FLOATS are combined where there are three operands. */
enum { CORE_FLOATS = 30 };
static const uint32_t edges32[] = E(
    /* zeros, ones, denormals, the smallest and largest numbers, infinities, NaNs */
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0x7fffffff, 0xffc12345, 0x7f812345, 0xffbfffff,
    /* next to one, ties of sums and products, two and a half, an odd 24 bits */
    0x3f7fffff, 0x3f800001, 0xbf800001, 0x33800000, 0x33800001, 0xb3000000, 0x40200000, 0x4b7fffff,
    0x3f000000, 0x1f800000,
    /* halves, and the last floats that have them */
    0xbf000000, 0x3effffff, 0xbeffffff, 0x3fc00000, 0xbfc00000, 0xc0200000, 0x40600000, 0x4affffff,
    0x4b000001, 0x4b800000, 0x4b800001,
    /* the ends of the integers' ranges */
    0x42fe0000, 0x42ff0000, 0x43000000, 0xc3000000, 0xc3008000, 0x437f8000, 0x43800000, 0x46fffe00,
    0x46ffff00, 0x47000000, 0xc7000000, 0xc7000100, 0x477fff00, 0x47800000, 0x4effffff, 0x4f000000,
    0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001,
    0x5f7fffff, 0x5f800000,
    /* where functions turn: pi and its parts, the last finite 2^x, 2^126, the largest / 4 */
    0x40490fdb, 0xc0490fdb, 0x3fc90fdb, 0x40c90fdb, 0x461c4000, 0x42ffffff, 0xc2fc0000, 0xc3150000,
    0xc3160000, 0x7e800000, 0x7e800001, 0x7f000000, 0x40000000, 0x40800000, 0x3f800080, 0x00400000);
static const uint64_t edges64[] =
    E(0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 1, 0x8000000000000001,
      0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000,
      0x0010000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
      0xfff0000000000000, 0x7ff8000000000000, 0x7fffffffffffffff, 0xfff8000012345678,
      0x7ff0000012345678, 0xfff7ffffffffffff, 0x3fefffffffffffff, 0x3ff0000000000001,
      0xbff0000000000001, 0x3ca0000000000000, 0x3ca0000000000001, 0xbc90000000000000,
      0x4004000000000000, 0x433fffffffffffff, 0x3fe0000000000000, 0x1ff0000000000000,
      /* halves */
      0xbfe0000000000000, 0x3fdfffffffffffff, 0xbfdfffffffffffff, 0x3ff8000000000000,
      0xbff8000000000000, 0xc004000000000000, 0x400c000000000000, 0x432fffffffffffff,
      0x4330000000000001, 0x4340000000000000,
      /* the ends of the integers' ranges, and a half more */
      0x40dfffc000000000, 0x40dfffe000000000, 0x40e0000000000000, 0xc0e0001000000000,
      0x40efffe000000000, 0x40effff000000000, 0x41dfffffffc00000, 0x41dfffffffe00000,
      0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
      0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000, 0x43dfffffffffffff,
      0x43e0000000000000, 0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff,
      0x43f0000000000000,
      /* between two floats, at the ends of their range, among their denormals */
      0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x3ff000000fffffff,
      0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff, 0x47f0000000000000,
      0x3810000000000000, 0x380fffffe0000000, 0x380ffffff0000000, 0x36a0000000000000,
      0x3690000000000000, 0x3690000000000001, 0xb690000000000000, 0x36b8000000000000);
/* f16 and bf16 */
static const uint32_t edges16[2][40] =
    E(E(0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
        0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7fff, 0xfe12, 0x7c12, 0xfdff, 0x3bff, 0x3c01,
        0xbc01, 0x1000, 0x1001, 0x9000, 0x4100, 0x67ff, 0x3800, 0x1c00, 0xb800, 0x37ff, 0x3e00,
        0xc100, 0x4300, 0x5800, 0x57f8, 0x7800, 0x4248, 0x5bf8),
      E(0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081,
        0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7fff, 0xffc1, 0x7f81, 0xffbf, 0x3f7f, 0x3f81,
        0xbf81, 0x3b80, 0x3b81, 0xbb80, 0x4020, 0x42ff, 0x3f00, 0x1f80, 0xbf00, 0x3eff, 0x3fc0,
        0xc020, 0x4060, 0x4300, 0x42fe, 0x4f00, 0x4049, 0x5f00));
static const uint64_t integer_edges[] =
    E(0, 1, 2, 3, 7, 10, 31, 32, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff,
      0x800000, 0xffffff, 0x1000000, 0x1000001, 0x2000003, 0x7fffffff, 0x80000000, 0x80000001,
      0xffffffff, 0x100000000, 0x12345678, 0x89abcdef01234567, 0x5555555555555555,
      0xaaaaaaaaaaaaaaaa, 0x20000000000001, 0x7fffffffffffffff, 0x8000000000000000,
      0x8000000000000001, 0x8000008000000000, 0xffffffffffffffff, 0xfffffffffffffffe,
      0xfffffffffffffff6, 0xffffffffffffff80, 0xffffffffffffff7f, 0xffffffffffff8000,
      0xffffffff80000000, 0xffffffffff800000);
static const uint64_t shift_counts[] =
    E(0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0xffffffff);

static int edge_count(const char *type, int sources) {
  if (type[0] == 'n') return ROWS_OF(shift_counts);
  if (type[0] == 'p') return ROWS_OF(shift_counts) - 2; /* up to 255: beyond, PTX leaves it open */
  if (is_half(type) && sources == 1) return 1 << 16;    /* all that there are */
  if (is_half(type)) return sources > 2 ? CORE_FLOATS : ROWS_OF(edges16[0]);
  if (!is_float(type)) return sources > 3 ? 16 : ROWS_OF(integer_edges);
  if (sources > 2) return CORE_FLOATS;
  return type[1] == '3' ? ROWS_OF(edges32) : ROWS_OF(edges64);
}

static uint64_t edge(const char *type, int i, int choices) {
  if (type[0] == 'n' || type[0] == 'p') return shift_counts[i];
  if (is_pair(type)) {
    char single[8] = "";
    memcpy(single, type, strlen(type) - 2);
    return edge(single, i, choices) | edge(single, (i * 7 + 3) % choices, choices) << 16;
  }
  if (is_half(type)) return choices == 1 << 16 ? (unsigned)i : edges16[type[0] == 'b'][i];
  if (!is_float(type)) return integer_edges[i];
  return type[1] == '3' ? edges32[i] : edges64[i];
}

/* ---- random values ---- */

static uint64_t next(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint64_t random_integer(uint64_t *state) {
  uint64_t bits = next(state), how = next(state);
  switch (how & 3) {
    case 0:
      return bits;
    case 1: /* any length, any sign */
      return (how & 4 ? ~UINT64_C(0) : 0) ^ bits >> (how >> 3 & 63);
    case 2: /* few bits, wherever: ties of conversions */
      return (bits & 0xff0000ff) << (how >> 3 & 63) ^ (how & 4 ? ~UINT64_C(0) : 0);
    default:
      return bits & next(state) & next(state);
  }
}

/* A floating-point number of so many bits of fraction and exponent: any bits; of middling size;
 * with a short fraction, so that sums, products and conversions are often ties; or near `other`. */
static uint64_t random_float(uint64_t *state, int fraction, int exponent, uint64_t other) {
  uint64_t bits = next(state), how = next(state), bias = (UINT64_C(1) << (exponent - 1)) - 1;
  uint64_t sign = bits >> 63 << (fraction + exponent), f = bits & ((UINT64_C(1) << fraction) - 1);
  switch (how & 7) {
    case 0:
    case 1:
      return cut(bits, 1 + fraction + exponent);
    case 2:
    case 3:
    case 4: /* 2^-16 to 2^16 */
      return sign | (bias - 16 + (how >> 3 & 31)) << fraction | f;
    case 5: /* halves of a float's last bit in a double, halves of integers */
      f &= ~((UINT64_C(1) << (how >> 8) % (unsigned)fraction) - 1);
      return sign | (bias - 16 + (how >> 3 & 63)) << fraction | f;
    case 6:
      f &= UINT64_C(0xf) << (fraction - 4);
      return sign | (bias - 32 + (how >> 3 & 63)) << fraction | f;
    default: /* the same but for some low bits, a few exponents away, the sign */
      return (other ^ bits >> 63 << (fraction + exponent)) +
             (f >> (how >> 3) % (unsigned)fraction) + ((how >> 12 & 3) << fraction);
  }
}

static uint64_t random_operand(const char *type, uint64_t *state, uint64_t other) {
  if (type[0] == 'n') return next(state) % 80;
  if (type[0] == 'p') return next(state) % 72;
  if (is_pair(type)) {
    char single[8] = "";
    memcpy(single, type, strlen(type) - 2);
    uint64_t low = random_operand(single, state, other & 0xffff);
    return cut(low, 16) | random_operand(single, state, other >> 16) << 16;
  }
  if (is_half(type)) {
    int fraction = half_fraction(type);
    return random_float(state, fraction, 15 - fraction, other);
  }
  if (!is_float(type)) return random_integer(state);
  return type[1] == '3' ? random_float(state, 23, 8, other) : random_float(state, 52, 11, other);
}

/* ---- tuples ---- */

uint64_t *operands_make(const struct instruction *in, int *count) {
  int edges = 1;
  for (int k = 0; k < in->sources; k++) edges *= edge_count(in->row.types[1 + k], in->sources);
  *count = edges + RANDOM_TUPLES;
  uint64_t *operands = must_allocate((size_t)in->sources * (size_t)*count * sizeof *operands);
  uint64_t state = 0; /* of the name: instructions may come and go */
  for (const char *c = in->row.opcode; *c; c++) state = state * 31 + (unsigned char)*c;
  for (int i = 0; i < *count; i++) {
    uint64_t other = 0;
    for (int k = 0, rest = i; k < in->sources; k++) {
      const char *type = in->row.types[1 + k];
      int choices = edge_count(type, in->sources);
      uint64_t value =
          i < edges ? edge(type, rest % choices, choices) : random_operand(type, &state, other);
      rest /= choices;
      other = value;
      int bits = type_bits(type);
      if (bits < 64) value = cut(value, bits) | next(&state) << bits; /* what nobody may look at */
      operands[(size_t)k * (size_t)*count + (size_t)i] = value;
    }
  }
  return operands;
}

static int register_bits(const char *type) { return type_bits(type) == 8 ? 32 : type_bits(type); }

void operands_tuple(const struct instruction *in, const uint64_t *operands, int count, int i,
                    uint64_t v[SOURCES]) {
  for (int k = 0; k < SOURCES; k++)
    v[k] = k < in->sources ? cut(operands[(size_t)k * (size_t)count + (size_t)i],
                                 register_bits(in->row.types[1 + k]))
                           : 0;
}

uint64_t answer_cut(const struct instruction *in, uint64_t bits) {
  return cut(bits, register_bits(in->row.types[0]));
}
