/* jump.c: computes harness/sim/include/kit_curand_jump.h, by which XORWOW skips ahead.
 *
 *   cc -O2 tests/curand/jump.c -o jump && ./jump >harness/sim/include/kit_curand_jump.h
 *
 * One step of Marsaglia's xorshift with five words (Xorshift RNGs, J. Stat. Softw. 8(14), 2003) is
 * a linear map T on 160 bits. Its characteristic polynomial P follows from 320 bits of its output
 * (Berlekamp and Massey). P(T) = 0, so T^n is the polynomial x^n mod P with T in place of x: n
 * steps cost no more than 160, and a table of x^n mod P takes 160 bits a row. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 160, WORDS = BITS / 32, WINDOW = 4, WINDOWS = 64 / WINDOW, SUBSEQUENCE = 67 };

struct poly {
  uint32_t w[WORDS]; /* the coefficient of x^i is bit i % 32 of w[i / 32] */
};

static uint32_t characteristic[WORDS]; /* of T, without its highest term, x^160 */

static int bit(const uint32_t *words, int i) { return words[i / 32] >> i % 32 & 1; }

static void step(uint32_t v[5]) {
  uint32_t t = v[0] ^ v[0] >> 2;
  memmove(v, v + 1, 4 * sizeof *v);
  v[4] = v[3] ^ v[3] << 4 ^ t ^ t << 1;
}

/* Berlekamp and Massey: the shortest recurrence s[n] = sum of c[i] s[n - i] for a sequence of bits.
 * Returns its length. */
static int recurrence(const char *s, int length, char *c) {
  char before[2 * BITS + 1] = {1}, kept[2 * BITS + 1];
  int order = 0, since = 1;
  memset(c, 0, 2 * BITS + 1);
  c[0] = 1;
  for (int n = 0; n < length; n++, since++) {
    int differs = 0;
    for (int i = 0; i <= order; i++) differs ^= c[i] & s[n - i];
    if (!differs) continue;
    memcpy(kept, c, sizeof kept);
    for (int i = 0; i + since <= 2 * BITS; i++) c[i + since] ^= before[i];
    if (2 * order > n) continue;
    order = n + 1 - order;
    memcpy(before, kept, sizeof before);
    since = 0;
  }
  return order;
}

static int find_characteristic(void) {
  char s[2 * BITS], c[2 * BITS + 1];
  uint32_t v[5] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 2 * BITS; i++) step(v), s[i] = v[4] & 1;
  if (recurrence(s, 2 * BITS, c) != BITS) return 0;
  for (int i = 0; i < BITS; i++) characteristic[i / 32] |= (uint32_t)c[BITS - i] << i % 32;
  return 1;
}

static struct poly times(struct poly a, struct poly b) { /* mod P */
  struct poly product = {{0}};
  for (int i = BITS - 1; i >= 0; i--) {
    int carry = bit(product.w, BITS - 1);
    for (int k = WORDS - 1; k >= 0; k--)
      product.w[k] = product.w[k] << 1 ^ (k ? product.w[k - 1] >> 31 : 0) ^
                     (carry ? characteristic[k] : 0) ^ (bit(b.w, i) ? a.w[k] : 0);
  }
  return product;
}

/* The rows of one table: x^(j 16^i base) for each digit j of each place i. base becomes
 * base^(2^64). */
static void print_table(const char *name, const char *unit, struct poly *base) {
  printf("\n/* By %s. */\n", unit);
  printf("KIT_CURAND_TABLE %s[%d][%d][%d] = {\n", name, WINDOWS, 1 << WINDOW, WORDS);
  for (int place = 0; place < WINDOWS; place++) {
    struct poly power = {{1}};
    for (int digit = 0; digit < 1 << WINDOW; digit++) {
      printf(digit ? "\n     {" : "    {{");
      for (int k = 0; k < WORDS; k++) printf("%s0x%08x", k ? ", " : "", (unsigned)power.w[k]);
      printf("}%s", digit == (1 << WINDOW) - 1 ? "},\n" : ",");
      power = times(power, *base);
    }
    *base = power;
  }
  printf("};\n");
}

int main(void) {
  if (!find_characteristic()) return fputs("the sequence has another period\n", stderr), 1;
  printf(
      "/* kit_curand_jump.h: how XORWOW skips ahead: rows of 160 bits, x^n mod the characteristic\n"
      " * polynomial of its linear part, for the digits of n to the base %d. Written by\n"
      " * tests/curand/jump.c, which explains it. */\n"
      "#ifndef KIT_CURAND_JUMP_H\n#define KIT_CURAND_JUMP_H\n\n"
      "enum { KIT_CURAND_WINDOW = %d };\n",
      1 << WINDOW, WINDOW);
  struct poly power = {{2}}, start = {{2}};
  print_table("kit_curand_offset_jumps", "single numbers", &power);
  for (int i = 0; i < SUBSEQUENCE; i++) start = times(start, start);
  print_table("kit_curand_subsequence_jumps", "subsequences, 2^67 numbers each", &start);
  printf("\n#endif\n");
  return ferror(stdout) || fflush(stdout);
}
