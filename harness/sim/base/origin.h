/* origin.h: where the words of device memory came from: a kernel, the host, or a copy of either.
 *
 * Kept for a grading only (memory.origins), and only for arrays that copies and fills write to:
 * everything else is a kernel's, or was there from the start. A word is 4 bytes; where a copy of
 * odd width begins or ends inside one, the copy counts. Values are those of
 * harness/base/transfers.h. */
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

/* Bytes were put there by a copy from the host, whose first word has this number (ORIGIN_FIRST_IN +
 * number), or by no kernel (ORIGIN_CARRIED). Does nothing unless memory keeps origins. */
void origin_set(struct memory *memory, struct allocation *to, size_t offset, size_t bytes,
                uint64_t first);
/* ... by a copy within the device, whose bytes are still in their place. */
void origin_copy(struct memory *memory, struct allocation *to, size_t to_offset,
                 const struct allocation *from, size_t from_offset, size_t bytes);
/* All that is in the array now was put there by no kernel. */
void origin_given(struct memory *memory, struct allocation *a);
/* Appends those of the words of these bytes. False if memory runs out. */
bool origins_append(struct transfer_runs *list, const struct allocation *a, size_t offset,
                    size_t bytes);
/* The latest tag of a store or an atomic on a word; 0: there is none. */
access_tag origin_last_store(const struct allocation *a, size_t word);
/* Before race tags are forgotten: they say what kernels wrote since. */
void origin_settle(struct allocation *a);
void origins_free(struct origins *origins);

#endif
