/* touched.c: marks for the lines that launches touch. */
#include "harness/sim/base/touched.h"

#include <stdlib.h>
#include <string.h>

void touched_begin(struct touched *t, size_t bytes, uint64_t launch) {
  size_t count = touched_lines(bytes);
  if (!t->loaded) {
    t->loaded = calloc(count + 1, 1);
    t->stored = calloc(count + 1, 1);
    if (!t->loaded || !t->stored) touched_release(t);
    t->cleared = launch;
  } else if (launch - t->cleared >= TOUCHED_STAMPS) { /* stamps come again */
    memset(t->loaded, 0, count);
    memset(t->stored, 0, count);
    t->cleared = launch;
  }
  t->launch = launch;
}

void touched_release(struct touched *t) {
  free(t->loaded);
  free(t->stored);
  t->loaded = t->stored = NULL;
}

struct touched_bytes touched_bytes(const struct touched *t, size_t bytes, uint64_t launch) {
  size_t count = touched_lines(bytes), line = (size_t)1 << TOUCHED_SHIFT, lines[3] = {0};
  uint8_t stamp = touched_stamp(launch);
  if (t->launch != launch) return (struct touched_bytes){0};
  if (!t->loaded) return (struct touched_bytes){bytes, bytes, bytes};
  for (size_t i = 0; i < count; i++) {
    int loaded = t->loaded[i] == stamp, stored = t->stored[i] == stamp;
    lines[0] += (size_t)loaded;
    lines[1] += (size_t)stored;
    lines[2] += (size_t)(loaded | stored);
  }
  for (int i = 0; i < 3; i++) lines[i] = lines[i] * line < bytes ? lines[i] * line : bytes;
  return (struct touched_bytes){lines[0], lines[1], lines[2]};
}
