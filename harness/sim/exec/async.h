/* async.h: asynchronous copies from global to shared memory (PTX ISA, "cp.async").
 *
 * The bytes are there at once; what is kept is that nobody may rely on it yet. Until the thread
 * that issued the copy has waited for it, the granules that it writes have a tag that is later than
 * all others and that nothing is ordered after, the thread itself neither (TAG_PENDING). After the
 * wait they are a store by that thread, which barriers order as any other.
 */
#ifndef KIT_ASYNC_H
#define KIT_ASYNC_H

#include "harness/sim/exec/machine.h"

/* The active lanes have stored op->size * op->count bytes each to shared memory, which are copies
 * that they have issued. */
void async_issue(struct warp *warp, const struct op *op, const uint64_t *address);
/* Closes a group of what the active lanes have issued since the last one. */
void async_commit(struct warp *warp);
enum { ASYNC_ALL = -1 };
/* The active lanes wait for all but the last `groups` of their groups; ASYNC_ALL: for everything.
 */
void async_wait(struct warp *warp, int64_t groups);
/* What the active lanes have issued so far will be complete with the phase at hand of an mbarrier
 * in shared memory: each lane's address. */
void async_track(struct warp *warp, const uint64_t *address);
/* A thread of the block has seen that phases of the mbarrier up to this one are over. */
void async_phase_over(struct block *block, uint64_t address, uint64_t phase);
/* The warp starts, or will never run again: nothing is pending. */
void async_reset(struct warp *warp);

#endif
