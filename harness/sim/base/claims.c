/* claims.c: see claims.h. */
#include "harness/sim/base/claims.h"

#include <stdlib.h>
#include <string.h>

static size_t granules(const struct allocation *a, int shift) { return (a->size >> shift) + 1; }

bool claims_begin(struct allocation *a, int shift) {
  size_t count = granules(a, shift);
  if (a->claim_count != count) {
    free(a->claims);
    a->claims = calloc(count, 1);
    a->claim_count = a->claims ? count : 0;
  } else {
    memset(a->claims, 0, count);
  }
  return a->claims != NULL;
}

bool claims_are_sound(const struct allocation *a, uint64_t counted) {
  uint64_t claimed = 0;
  for (size_t g = 0; g < a->claim_count; g++) claimed += a->claims[g] != 0;
  return claimed == counted;
}

/* What is claimed is initialised: bytes of the words. */
static void initialise(struct allocation *a, int shift) {
  if (a->all_initialised) return;
  size_t words = (a->size + 3) / 4;
  if (shift == 2) {
    for (size_t word = 0; word < words; word++) a->initialised[word] |= a->claims[word];
    return;
  }
  int bytes = 1 << shift, per_word = 4 >> shift;
  for (size_t g = 0; g < a->claim_count; g++)
    if (a->claims[g] && g / (size_t)per_word < words)
      a->initialised[g / (size_t)per_word] |=
          (uint8_t)(((1 << bytes) - 1) << (g % (size_t)per_word * (size_t)bytes));
}

static void leave_tags(struct allocation *a, access_tag tag) {
  const struct shadow *shadow = &a->shadow;
  for (size_t first = 0; first < shadow->count; first += ROW_GRANULES) {
    size_t end = first + ROW_GRANULES < shadow->count ? first + ROW_GRANULES : shadow->count,
           set = 0;
    for (size_t g = first; g < end; g++) set += a->claims[g] != 0;
    if (set == ROW_GRANULES)
      shadow->rows[first >> ROW_SHIFT].first = tag;
    else
      for (size_t g = first; set && g < end; g++)
        if (a->claims[g]) shadow->writes[g] = tag;
  }
}

void claims_settle(struct allocation *a, int shift, access_tag tag) {
  initialise(a, shift);
  if (tag) leave_tags(a, tag);
}
