/* origin.h: where the words of device memory came from: a kernel, the host, or a copy of either.
 *
 * Kept for a grading only (memory.origins), and only for arrays that copies and fills write to:
 * everything else is a kernel's, or was there from the start. A word is 4 bytes; where a copy of
 * odd width begins or ends inside one, the copy counts. Values: see harness/base/transfers.h. */
#ifndef KIT_ORIGIN_H
#define KIT_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/shadow.h"

struct allocation;
struct memory;
struct origins;
struct transfer_runs;

/* Records that a copy from the host wrote these bytes, the first word having this number
 * (ORIGIN_FIRST_IN + number), or that no kernel did (ORIGIN_CARRIED); if memory keeps origins. */
void origin_set(struct memory *memory, struct allocation *to, size_t offset, size_t bytes,
                uint64_t first);
/* The same for a copy within the device; to be called before the bytes are moved. */
void origin_copy(struct memory *memory, struct allocation *to, size_t to_offset,
                 const struct allocation *from, size_t from_offset, size_t bytes);
/* Records that no kernel has written the array's present contents. */
void origin_given(struct memory *memory, struct allocation *a);
/* Appends the origins of these bytes' words. False if memory runs out. */
bool origins_append(struct transfer_runs *list, const struct allocation *a, size_t offset,
                    size_t bytes);
/* The latest tag of a store to or an atomic on a word; 0: none. */
access_tag origin_last_store(const struct allocation *a, size_t word);
/* To be called before race tags are freed: keeps which words kernels have written since. */
void origin_settle(struct allocation *a);

#endif
