/* claims.c: see claims.h. */
#include "harness/sim/base/claims.h"

#include <stdlib.h>
#include <string.h>

static size_t granules(const struct allocation *a, int shift) { return (a->size >> shift) + 1; }

bool claims_begin(struct allocation *a, int shift) {
  a->claim_shift = shift;
  a->claimed_at = 0;
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
  const uint64_t ones = UINT64_C(0x0101010101010101); /* bit 0 of each of 8 claims */
  uint64_t claimed = 0, eight;
  size_t g = 0;
  for (; g + sizeof eight <= a->claim_count; g += sizeof eight) {
    memcpy(&eight, a->claims + g, sizeof eight);
    claimed += ((eight & ones) * ones) >> 56;
  }
  for (; g < a->claim_count; g++) claimed += a->claims[g] & 1;
  return claimed == counted;
}

/* Every granule but the one behind the end, which a last odd byte shares. */
static bool claimed_all(const struct allocation *a) {
  size_t count = a->size >> a->claim_shift;
  return a->size % ((size_t)1 << a->claim_shift) == 0 && (!count || !memchr(a->claims, 0, count));
}

/* What is claimed is initialised: bytes of the words. */
static void initialise(struct allocation *a) {
  int shift = a->claim_shift;
  if (a->all_initialised) return;
  if (claimed_all(a)) {
    a->all_initialised = true;
    return;
  }
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

void claims_settle(struct allocation *a, access_tag when) {
  initialise(a);
  a->claimed_at = when;
}

void claims_leave_tags(struct allocation *a) {
  const struct shadow *shadow = &a->shadow;
  for (size_t g = 0; g < shadow->count && g < a->claim_count; g++)
    if (a->claims[g]) shadow->writes[g] = a->claimed_at;
}
