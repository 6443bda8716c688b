/* xorwow.c: XORWOW's step as a matrix over bits, and its powers. A matrix has a row for each bit of
 * the state's 160: what becomes of it. */
#include "harness/sim/base/xorwow.h"

#include <pthread.h>
#include <string.h>

#include <kit_curand_xorwow.h>

enum { BITS = 160, WORDS = 5, SUBSEQUENCE = 67 /* of 2^67 numbers */ };

bool xorwow_is_matrices(const char *name, size_t bytes) {
  return bytes == sizeof(struct kit_xorwow_matrices) && strstr(name, "kit_xorwow_matrices");
}

/* The matrix after itself. */
static void square(unsigned matrix[BITS][WORDS]) {
  unsigned product[BITS][WORDS];
  memcpy(product, matrix, sizeof product);
  for (int i = 0; i < BITS; i++) kit_xorwow_move(product[i], (const unsigned(*)[WORDS])matrix);
  memcpy(matrix, product, sizeof product);
}

/* The powers by 4^k of the one given. */
static void fill_powers(unsigned powers[KIT_XORWOW_POWERS][BITS][WORDS],
                        unsigned first[BITS][WORDS]) {
  for (int k = 0; k < KIT_XORWOW_POWERS; k++) {
    memcpy(powers[k], first, sizeof powers[k]);
    square(first);
    square(first);
  }
}

void xorwow_fill(void *to) {
  struct kit_xorwow_matrices *matrices = to;
  unsigned step[BITS][WORDS] = {{0}};
  for (int i = 0; i < BITS; i++) {
    step[i][i / 32] = 1u << i % 32;
    kit_xorwow_step(step[i]);
  }
  unsigned subsequence[BITS][WORDS];
  memcpy(subsequence, step, sizeof subsequence);
  for (int i = 0; i < SUBSEQUENCE; i++) square(subsequence);
  fill_powers(matrices->numbers, step);
  fill_powers(matrices->subsequences, subsequence);
}

static struct kit_xorwow_matrices of_host;

static void fill_host(void) { xorwow_fill(&of_host); }

const struct kit_xorwow_matrices *kit_xorwow_find_matrices(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_host);
  return &of_host;
}
