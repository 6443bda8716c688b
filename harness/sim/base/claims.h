/* claims.h: what stands in place of race tags for arrays that a launch only stores to, as most
 * write their results.
 *
 * Each granule is claimed by the first store to it: one byte, not a tag of eight. A second store to
 * it may be a race, or the same thread's; so may anything else that is done with the array. A claim
 * does not tell which: then the presumption that there would be none was wrong (memory.presumed),
 * and the launch runs again with tags.
 *
 * When the launch is over, its claims become tags, for those who ask later who wrote a word, and
 * what it has written counts as initialised.
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
/* The launch has ended well. tag: for what it has written; 0: nobody needs tags. */
void claims_settle(struct allocation *a, int granule_shift, access_tag tag);

#endif
