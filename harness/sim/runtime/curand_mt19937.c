/* curand_mt19937.c: MT19937 for cuRAND's host API (M. Matsumoto, T. Nishimura: Mersenne Twister,
 * ACM TOMACS 8(1), 1998): 8192 subsequences, 2^2048 numbers apart, which give eight numbers each in
 * turn. A value takes one number.
 *
 * A subsequence gives the 624 numbers of a block in 78 turns, as eight threads would make them: the
 * first turn has eight numbers here and there in the block, and each seven turns after it have the
 * next 56 of the others, seven in a row to a thread. Its spacing, order and values are those of
 * NVIDIA's library (tests/curand/README.md). */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/curand_pseudo.h"
#include "harness/sim/runtime/curand_values.h"

#include "harness/sim/runtime/curand_mt19937_jump.h"

enum {
  SUBSEQUENCES = 8192,
  LANES = 8,
  N = 624, /* words of the recurrence */
  M = 397,
  TURNS = N / LANES,
  BITS = 19937,
  WINDOW = 6 /* coefficients of the jump taken at a time */
};

enum { LENGTH = BITS + N + WINDOW };

struct twisters {
  unsigned started;                 /* subsequences that have a block */
  uint32_t initial[N];              /* what the last of them started from */
  uint32_t blocks[SUBSEQUENCES][N]; /* the words of the block whose turn it is, before tempering */
  uint32_t sums[1 << WINDOW][LENGTH];
};

static uint32_t twist(uint32_t first, uint32_t second, uint32_t middle) {
  uint32_t y = (first & 0x80000000u) | (second & 0x7fffffffu);
  return middle ^ y >> 1 ^ (0x9908b0dfu & -(y & 1));
}

static void next_block(uint32_t x[N]) {
  for (int i = 0; i < N; i++) x[i] = twist(x[i], x[(i + 1) % N], x[(i + M) % N]);
}

static unsigned jump_bits(int from) {
  unsigned bits = 0;
  for (int i = from; i < from + WINDOW && i < N * 32; i++)
    bits |= (curand_mt19937_jump[i / 32] >> i % 32 & 1) << (i - from);
  return bits;
}

/* x goes on by 2^2048 numbers: it becomes the sum of those x at i whose coefficient is 1. Sums of
 * up to WINDOW neighbours are there for all places. */
static void jump(uint32_t x[N], uint32_t (*sums)[LENGTH]) {
  uint32_t *words = sums[1];
  memcpy(words, x, N * sizeof *x);
  for (int i = N; i < LENGTH; i++)
    words[i] = twist(words[i - N], words[i - N + 1], words[i - N + M]);
  for (int set = 2; set < 1 << WINDOW; set++) {
    int high = 31 - __builtin_clz((unsigned)set), rest = set & ~(1 << high);
    for (int i = 0; i + high < LENGTH; i++)
      sums[set][i] = words[i + high] ^ (rest ? sums[rest][i] : 0);
  }
  memset(x, 0, N * sizeof *x);
  for (int i = 0; i < BITS; i += WINDOW) {
    unsigned set = jump_bits(i);
    if (!set) continue;
    for (int k = 0; k < N; k++) x[k] ^= sums[set][i + k];
  }
}

bool curand_start_mt19937(struct curand_sequence *sequence) {
  struct twisters *twisters = sequence->state;
  if (!twisters) twisters = sequence->state = malloc(sizeof *twisters);
  if (!twisters) return false;
  uint32_t *x = twisters->initial;
  x[0] = (uint32_t)sequence->seed;
  for (unsigned i = 1; i < N; i++) x[i] = 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + i;
  memcpy(twisters->blocks[0], x, sizeof twisters->initial);
  twisters->started = 1;
  sequence->offset = 0;
  return true;
}

/* Where in its block a subsequence's number of a turn is. */
static unsigned place_in_block(unsigned turn, unsigned lane) {
  static const unsigned first_turn[LANES] = {0, 113, 170, 283, 340, 397, 510, 567};
  if (turn == 0) return first_turn[lane];
  unsigned place = (turn - 1) / 7 * 56 + (turn - 1) % 7 + 7 * lane;
  for (unsigned i = 0; i < LANES && first_turn[i] <= place; i++) place++;
  return place;
}

static uint32_t temper(uint32_t y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

/* A uniform number is the middle of its interval, and a float a rounded double, unlike those of
 * other generators. */
static union curand_made make_value(enum curand_kind kind, uint32_t x) {
  union curand_made made = curand_make_value(kind, x, false);
  double middle = x * 0x1p-32 + 0x1p-33;
  if (kind == CURAND_UNIFORM) made.single[0] = (float)middle;
  if (kind == CURAND_UNIFORM_DOUBLE) made.twice[0] = middle;
  return made;
}

size_t curand_next_of_mt19937(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                              size_t n) {
  struct twisters *twisters = sequence->state;
  uint64_t place = sequence->offset;
  unsigned lane = place % LANES, subsequence = place / LANES % SUBSEQUENCES;
  unsigned turn = (unsigned)(place / LANES / SUBSEQUENCES % TURNS);
  uint32_t *block = twisters->blocks[subsequence];
  if (subsequence == twisters->started) {
    jump(twisters->initial, twisters->sums);
    memcpy(block, twisters->initial, sizeof twisters->initial);
    twisters->started++;
  }
  if (turn == 0 && lane == 0) next_block(block);
  union curand_made made = make_value(kind, temper(block[place_in_block(turn, lane)]));
  sequence->offset++;
  return curand_put_unit(kind, &made, out, 0, n ? 1 : 0);
}
