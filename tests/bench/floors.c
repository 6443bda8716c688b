/* floors.c: see floors.h. A row of 32 floats is what a warp's lanes have in one register. */
#include "tests/bench/floors.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32 };

#if defined __x86_64__ && !defined __clang__
#define EVERY_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define EVERY_PROCESSOR
#endif

/* What the kernels count: warp accesses by where in a line they begin. */
static uint64_t counted[2][128];

static void check(size_t first, size_t end, size_t size) {
  if (first <= end && end <= size) return;
  fprintf(stderr, "bench: a floor leaves its matrix\n");
  exit(2);
}

/* sums += a[k] * (row k of b), for all k below count; row k begins at b + k * pitch. */
EVERY_PROCESSOR static void add_rows(float *restrict sums, const float *restrict a,
                                     const float *restrict b, size_t pitch, int count) {
  float own[LANES];
  memcpy(own, sums, sizeof own);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < LANES; i++)
      own[i] = __builtin_fmaf(a[k], b[(size_t)k * pitch + (size_t)i], own[i]);
  memcpy(sums, own, sizeof own);
}

/* The same, with the check and the counts of each of the two loads. */
EVERY_PROCESSOR static void add_checked_rows(float *restrict sums, const float *a, size_t a_at,
                                             const float *b, size_t b_at, size_t pitch, int count,
                                             size_t size) {
  float own[LANES];
  memcpy(own, sums, sizeof own);
  for (int k = 0; k < count; k++, a_at++, b_at += pitch) {
    check(a_at, a_at + 1, size);
    check(b_at, b_at + LANES, size);
    counted[0][a_at * 4 % 128]++;
    counted[1][b_at * 4 % 128]++;
    for (int i = 0; i < LANES; i++) own[i] = __builtin_fmaf(a[a_at], b[b_at + (size_t)i], own[i]);
  }
  memcpy(sums, own, sizeof own);
}

void floor_tiled(int n, const float *a, const float *b, float *c) {
  static float tile_a[LANES][LANES], tile_b[LANES][LANES], sums[LANES][LANES];
  size_t pitch = (size_t)n, size = pitch * pitch;
  for (size_t y = 0; y < pitch; y += LANES)
    for (size_t x = 0; x < pitch; x += LANES) {
      memset(sums, 0, sizeof sums);
      for (size_t k = 0; k < pitch; k += LANES) {
        for (size_t w = 0; w < LANES; w++) {
          size_t from_a = (y + w) * pitch + k, from_b = (k + w) * pitch + x;
          check(from_a, from_a + LANES, size);
          check(from_b, from_b + LANES, size);
          counted[0][from_a * 4 % 128]++;
          counted[1][from_b * 4 % 128]++;
          memcpy(tile_a[w], a + from_a, sizeof tile_a[w]);
          memcpy(tile_b[w], b + from_b, sizeof tile_b[w]);
        }
        for (int w = 0; w < LANES; w++) add_rows(sums[w], tile_a[w], tile_b[0], LANES, LANES);
      }
      for (size_t w = 0; w < LANES; w++) memcpy(c + (y + w) * pitch + x, sums[w], sizeof sums[w]);
    }
}

void floor_naive(int n, const float *a, const float *b, float *c) {
  size_t pitch = (size_t)n;
  for (size_t y = 0; y < pitch; y++)
    for (size_t x = 0; x < pitch; x += LANES) {
      float sums[LANES] = {0};
      add_checked_rows(sums, a, y * pitch, b, x, pitch, n, pitch * pitch);
      memcpy(c + y * pitch + x, sums, sizeof sums);
    }
}
