/* elements.c: see elements.h. */
#include "harness/problems/elements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void elements_fill(float *values, size_t count, uint64_t seed) {
  uint64_t state = seed;
  for (size_t i = 0; i < count; i++) {
    long odd = (long)(random_next(&state) >> 40) | 1;
    values[i] = (float)(odd - (1L << 23)) * 0x1p-23f;
  }
}

static bool is_right(float expected, float got, int ulps) {
  if (got == expected) return true;
  float unit = nextafterf(fabsf(expected), INFINITY) - fabsf(expected);
  return fabsf(got - expected) <= (float)ulps * unit; /* no NaN is */
}

/* Of n elements: the wrong ones. */
struct wrong_elements {
  long first, last, count, unwritten, zero;
};

/* Is every wrong element what is expected `by` elements further on? */
static bool is_shifted(const struct wrong_elements *wrong, const float *expected, const float *got,
                       long n, int ulps, long by) {
  long looked_at = 0;
  for (long i = wrong->first; i <= wrong->last; i++) {
    if (is_right(expected[i], got[i], ulps) || i + by < 0 || i + by >= n) continue;
    if (!is_right(expected[i + by], got[i], ulps)) return false;
    looked_at++;
  }
  return looked_at > 1;
}

static enum explains describe(const struct wrong_elements *wrong, const float *expected,
                              const float *got, long n, int ulps, char *text, size_t size) {
  *text = '\0';
  if (wrong->count > 1 && wrong->zero == wrong->count) {
    if (wrong->count == n || wrong->count != wrong->last - wrong->first + 1)
      snprintf(text, size, ": every wrong element is 0");
    else if (wrong->last == n - 1)
      snprintf(text, size, ": all from element %ld on are 0", wrong->first);
    else
      snprintf(text, size, ": elements %ld to %ld are 0", wrong->first, wrong->last);
    return EXPLAINS_NOTHING;
  }
  for (long by = -64; by <= 64; by++) {
    if (by == 0 || !is_shifted(wrong, expected, got, n, ulps, by)) continue;
    snprintf(text, size, ": each is what belongs %ld place%s %s", labs(by),
             labs(by) == 1 ? "" : "s", by > 0 ? "further on" : "before it");
    return EXPLAINS_STRAYS;
  }
  if (wrong->count > 1 && wrong->first > 0 && wrong->last == n - 1 &&
      wrong->count == n - wrong->first)
    snprintf(text, size, ": all from element %ld on", wrong->first);
  return EXPLAINS_NOTHING;
}

bool elements_check(const char *name, const float *expected, const float *got, long n, int ulps,
                    struct finding *finding) {
  struct wrong_elements wrong = {0};
  for (long i = 0; i < n; i++) {
    if (is_right(expected[i], got[i], ulps)) continue;
    if (wrong.count++ == 0) wrong.first = i;
    wrong.last = i;
    wrong.unwritten += isnan(got[i]);
    wrong.zero += got[i] == 0;
  }
  if (wrong.count == 0) return true;
  char pattern[120];
  finding->explains = describe(&wrong, expected, got, n, ulps, pattern, sizeof pattern);
  finding->array = name;
  finding->unwritten = wrong.unwritten == wrong.count;
  snprintf(finding->text, sizeof finding->text,
           "%s[%ld]: expected %.6g, got %.6g (%ld of %ld elements wrong%s)", name, wrong.first,
           (double)expected[wrong.first], shown(got[wrong.first]), wrong.count, n, pattern);
  return false;
}
