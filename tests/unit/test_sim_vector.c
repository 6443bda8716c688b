/* test_sim_vector.c: vectors (exec/vector.h). Multiply-adds round as fmaf() does, also where a sum
 * in double precision lies between two floats. */
#include "harness/sim/exec/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#if VECTOR_FMA
static uint32_t state = 1;
static uint32_t random_bits(void) {
  state = state * 1664525 + 1013904223;
  return state ^ state >> 16;
}

static float of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void check(const float *a, const float *b, const float *c) {
  _Alignas(16) float sums[32];
  vector_fma32(sums, a, b, c);
  for (int i = 0; i < 32; i++) {
    float right = fmaf(a[i], b[i], c[i]);
    if (memcmp(&sums[i], &right, sizeof right) != 0 && !(sums[i] != sums[i] && right != right))
      fail_msg("%a * %a + %a: %a, not %a", (double)a[i], (double)b[i], (double)c[i],
               (double)sums[i], (double)right);
  }
}

/* A product that reaches just over, or just short of, the middle between c and the next float. */
static void middles(void **unused) {
  (void)unused;
  _Alignas(16) float a[32], b[32], c[32];
  for (int round = 0; round < 20000; round++) {
    for (int i = 0; i < 32; i++) {
      int e = (int)(random_bits() % 200) - 100;
      c[i] = ldexpf(1 + (float)(random_bits() & 0x7fffff) / 0x1p23f, e);
      /* (1 + x) (1 - x) = 1 - x * x, times half a unit in c's last place */
      float x = ldexpf(1, -(int)(random_bits() % 23) - 1);
      a[i] = ldexpf(1 + x, e - 24);
      b[i] = random_bits() & 1 ? 1 - x : 1 / (1 - x);
      if (random_bits() & 1) c[i] = -c[i];
    }
    check(a, b, c);
  }
}

static void any_bits(void **unused) {
  (void)unused;
  _Alignas(16) float a[32], b[32], c[32];
  for (int round = 0; round < 20000; round++) {
    for (int i = 0; i < 32; i++) {
      a[i] = of_bits(random_bits());
      b[i] = of_bits(random_bits());
      c[i] = random_bits() & 1 ? of_bits(random_bits()) : -a[i] * b[i];
    }
    check(a, b, c);
  }
}

/* The same for sums below the least normal float, whose last place is 2^-149. */
static void tiny_sums(void **unused) {
  (void)unused;
  _Alignas(16) float a[32], b[32], c[32];
  for (int round = 0; round < 20000; round++) {
    for (int i = 0; i < 32; i++) {
      float x = ldexpf(1, -(int)(random_bits() % 23) - 1);
      a[i] = ldexpf(1 + x, -100);
      b[i] = ldexpf(1 - x, -50);
      c[i] = of_bits(random_bits() & 0x807fffff);
    }
    check(a, b, c);
  }
}
#endif

/* Tags that ascend do; with one of them changed they do not. */
static void ascending_tags(void **unused) {
  (void)unused;
  static const uint64_t starts[] = {0, 5, (UINT64_C(1) << 32) - 16, UINT64_MAX - 40};
  uint64_t tags[33];
  for (int s = 0; s < 4; s++)
    for (int count = 8; count <= 32; count += 8) {
      for (int i = 0; i < 33; i++) tags[i] = starts[s] + (uint64_t)i;
      tags[count] = 7; /* which is not one of them */
      assert_true(vector_tags_ascend(tags, count, starts[s]));
      assert_false(vector_tags_ascend(tags, count, starts[s] + 1));
      for (int i = 0; i < count; i++) {
        tags[i] ^= UINT64_C(1) << (i * 2);
        assert_false(vector_tags_ascend(tags, count, starts[s]));
        tags[i] ^= UINT64_C(1) << (i * 2);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ascending_tags),
#if VECTOR_FMA
    cmocka_unit_test(middles),
    cmocka_unit_test(any_bits),
    cmocka_unit_test(tiny_sums),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
