/* jump_mt19937.c: computes harness/sim/runtime/curand_mt19937_jump.h, by which MT19937 goes on by
 * 2^2048 numbers, as far as cuRAND's subsequences of it are apart.
 *
 *   cc -O2 tests/curand/jump_mt19937.c -o jump && ./jump >harness/sim/runtime/curand_mt19937_jump.h
 *
 * A step of the twister (M. Matsumoto, T. Nishimura, ACM TOMACS 8(1), 1998) is a linear map T on
 * 19937 bits. Its characteristic polynomial P follows from one bit of so many words and as many
 * again (Berlekamp and Massey), and T^n is x^n mod P with T in place of x (H. Haramoto, M.
 * Matsumoto, T. Nishimura, F. Panneton, P. L'Ecuyer: Efficient jump ahead for F2-linear random
 * number generators, INFORMS J. Computing 20(3), 2008). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 19937, N = 624, M = 397, DOUBLINGS = 2048, WORDS = (BITS + 64) / 64 + 1 };

static uint64_t p[2 * WORDS]; /* P: the coefficient of x^i is bit i % 64 of p[i / 64] */

static int bit(const uint64_t *words, int i) { return words[i / 64] >> i % 64 & 1; }

/* to ^= from << shift, of as many words */
static void add_shifted(uint64_t *to, const uint64_t *from, int words, int shift) {
  for (int i = words - 1; i >= 0; i--) {
    uint64_t low = from[i] << shift % 64, high = shift % 64 ? from[i] >> (64 - shift % 64) : 0;
    if (high) to[i + shift / 64 + 1] ^= high;
    if (low) to[i + shift / 64] ^= low;
  }
}

/* The lowest bits of the words, 2 BITS of them. */
static void draw(char *s) {
  static uint32_t x[N + 2 * BITS];
  x[0] = 4357;
  for (unsigned i = 1; i < N; i++) x[i] = 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + i;
  for (int i = 0; i < 2 * BITS; i++) {
    uint32_t y = (x[i] & 0x80000000u) | (x[i + 1] & 0x7fffffffu);
    x[i + N] = x[i + M] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    s[i] = x[i + N] & 1;
  }
}

/* Berlekamp and Massey: c[i] such that s[n] is the sum of c[i] s[n - i]. Returns how many. */
static int recurrence(const char *s, int length, uint64_t *c) {
  static uint64_t before[2 * WORDS + 2], kept[2 * WORDS + 2], window[2 * WORDS + 2];
  int order = 0, since = 1;
  c[0] = before[0] = 1;
  for (int n = 0; n < length; n++, since++) { /* window: bit i is s[n - i] */
    uint64_t differs = 0;
    for (int i = WORDS - 1; i > 0; i--) window[i] = window[i] << 1 | window[i - 1] >> 63;
    window[0] = window[0] << 1 | (unsigned char)s[n];
    for (int i = 0; i < WORDS; i++) differs ^= c[i] & window[i];
    if (!__builtin_parityll(differs)) continue;
    memcpy(kept, c, sizeof kept);
    add_shifted(c, before, WORDS - since / 64, since);
    if (2 * order > n) continue;
    order = n + 1 - order;
    memcpy(before, kept, sizeof before);
    since = 0;
  }
  return order;
}

/* a = a a mod P: over bits, a square has its coefficients at twice the places. */
static void square(uint64_t *a) {
  static uint64_t wide[2 * WORDS + 2];
  memset(wide, 0, sizeof wide);
  for (int i = 0; i < BITS; i++)
    if (bit(a, i)) wide[2 * i / 64] |= 1ull << 2 * i % 64;
  for (int i = 2 * BITS - 2; i >= BITS; i--)
    if (bit(wide, i)) add_shifted(wide, p, WORDS, i - BITS);
  memcpy(a, wide, WORDS * sizeof *a);
}

int main(void) {
  static char s[2 * BITS];
  static uint64_t c[2 * WORDS + 2], power[WORDS] = {2};
  draw(s);
  if (recurrence(s, 2 * BITS, c) != BITS) return fputs("the period is another one\n", stderr), 1;
  for (int i = 0; i <= BITS; i++) p[i / 64] |= (uint64_t)bit(c, BITS - i) << i % 64;
  for (int i = 0; i < DOUBLINGS; i++) square(power);
  printf(
      "/* curand_mt19937_jump.h: x^(2^%d) mod the characteristic polynomial of MT19937, the\n"
      " * coefficient of x^i in bit i %% 32 of word i / 32. Written by "
      "tests/curand/jump_mt19937.c,\n"
      " * which explains it. */\n"
      "static const uint32_t curand_mt19937_jump[%d] = {",
      DOUBLINGS, N);
  for (int i = 0; i < N; i++)
    printf("%s0x%08x,", i % 8 ? " " : "\n    ", (unsigned)(power[i / 2] >> (i % 2 ? 32 : 0)));
  printf("\n};\n");
  return ferror(stdout) || fflush(stdout);
}
