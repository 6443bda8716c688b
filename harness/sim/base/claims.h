/* claims.h: what stands in place of race tags for arrays that a launch only stores to, as most
 * write their results.
 *
 * Each granule is claimed by the first store to it: one byte, not a tag of eight. A second store to
 * it may be a race, or the same thread's; so may anything else that is done with the array. A claim
 * does not tell which: then the presumption that there would be none was wrong (memory.presumed),
 * and the launch runs again with tags.
 *
 * When the launch is over, what it has written counts as initialised. Its claims stay, with the
 * time of the launch, for those who ask who wrote a word, until a later launch uses the array: then
 * they become tags.
 */
#ifndef KIT_CLAIMS_H
#define KIT_CLAIMS_H

#include "harness/sim/base/memory.h"

enum { CLAIMED = 0xf };

/* A launch touches the array for the first time: nothing is claimed. False: no memory. */
bool claims_begin(struct allocation *a, int granule_shift);
/* Have workers claimed exactly as many granules as they counted? Two that claim one at the same
 * time may not notice each other. */
bool claims_are_sound(const struct allocation *a, uint64_t counted);
/* The launch has ended well. */
void claims_settle(struct allocation *a, access_tag when);
/* Makes write tags of them; the array has some for the same granules. */
void claims_leave_tags(struct allocation *a);
/* When a launch claimed a word; 0: none did. */
static inline access_tag claims_of_word(const struct allocation *a, size_t word) {
  size_t per_word = (size_t)4 >> a->claim_shift, first = word * per_word;
  if (!a->claimed_at) return 0;
  for (size_t g = first; g < first + per_word && g < a->claim_count; g++)
    if (a->claims[g]) return a->claimed_at;
  return 0;
}

#endif
