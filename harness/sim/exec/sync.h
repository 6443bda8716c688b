/* sync.h: what orders threads besides barriers: fences together with flags.
 *
 * A thread that executes a fence and then writes a flag - an atomic, or a volatile store - releases
 * all that it did and knew before the fence. A thread that reads the flag - by an atomic, or by a
 * volatile load on whose value a branch depends - takes that over: at once if the flag is just a
 * flag, at its next fence if the flag is a lock that it has taken (PTX ISA, "Release and Acquire
 * Patterns"; without a fence after the read of a flag nothing is promised there either, but CUDA's
 * own samples rest on it). Fences and atomics for a block only (cta) do so within the block.
 *
 * A lock is recognised by how it is used: whoever has changed its value by an exchange or a
 * compare-and-swap puts the old value back.
 *
 * Only launches whose kernels have a fence keep all this, and only in canonical mode.
 */
#ifndef KIT_SYNC_H
#define KIT_SYNC_H

#include "harness/sim/exec/machine.h"

enum scope { SCOPE_BLOCK, SCOPE_DEVICE };

struct thread_sync; /* the state of one thread; allocated for a block when first needed */

/* Why an access is not ordered although the thread has read the other's flag: for advice. */
enum gap {
  GAP_NO_FLAG,
  GAP_NO_RELEASE, /* the other has no fence between its access and its flag */
  GAP_NARROW,     /* a fence or an atomic has block scope only */
  GAP_NO_ACQUIRE, /* no fence after the lock was taken */
};

struct sync *sync_open(struct launch_state *launch);
void sync_close(struct sync *sync);
void sync_end_block(struct block *block);

/* The active lanes execute a fence. */
void sync_fence(struct warp *warp, enum scope scope);
/* A lane's access to a flag. key: race_parts.h. */
struct flag_access {
  uint64_t key, old_value, new_value;
  enum scope scope;
  bool reads, writes, is_update; /* is_update: atomically, so that a chain of releases continues */
  bool takes;                    /* an exchange or compare-and-swap, which may take a lock */
  bool decides;                  /* a branch depends on what it read */
  bool acquires, releases;       /* as if a fence followed it, preceded it */
};
/* Returns the time at which the flag was written; 0 if it was only read. */
access_tag sync_flag(struct warp *warp, int lane, const struct flag_access *access);
/* All threads of the block have synchronised; these lanes of these warps have. */
void sync_barrier(struct block *block);
void sync_meet(struct block *block, uint32_t warps, uint32_t lanes);

/* Is the lane ordered after the tagged access of a block? With TAG_LANES or TAG_WARPS: after those
 * of all threads of the warp or the block. */
bool sync_knows(const struct warp *warp, int lane, uint64_t block, access_tag tag);
enum gap sync_gap(const struct warp *warp, int lane, uint64_t block, access_tag tag);

#endif
