/* content.h: what an array holds, as one number.
 *
 * Arrays that hold the same bytes, of which the same are initialised, have the same number; others
 * have another one but for one in 2^64. It is worked out when somebody asks and kept until the
 * array changes (allocation.changes).
 */
#ifndef KIT_CONTENT_H
#define KIT_CONTENT_H

#include "harness/sim/base/memory.h"

uint64_t content_number(struct allocation *allocation);
/* The array has just been made to hold what had this number. */
void content_is(struct allocation *allocation, uint64_t number);
uint64_t content_of_bytes(const unsigned char *bytes, size_t count);

#endif
