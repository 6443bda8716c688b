/* race.h: data races and uninitialised reads, from shadow memory.
 *
 * One rule for shared and global memory: two accesses to overlapping bytes by two threads, at least
 * one of them a write, not both atomic in a scope that covers both threads, with nothing that
 * orders them, are a race (PTX ISA, "Data Races"). Ordered are accesses of one thread; accesses
 * before a barrier with those behind it, in its block; accesses before a __syncwarp with those
 * behind it, of the lanes of its mask; what flags order (sync.h); and launches. Lanes of a warp are
 * threads like all others. A volatile access counts as a plain one, save for a flag: a volatile
 * load on whose value a branch depends does not race with volatile stores and atomics.
 *
 * A store of the value that is there already is a warning: nothing is lost.
 */
#ifndef KIT_RACE_H
#define KIT_RACE_H

#include "harness/sim/exec/access.h"

/* Where an access goes: an allocation, or shared memory. */
struct place {
  const struct shadow *shadow;
  struct allocation *allocation; /* NULL: shared memory */
  unsigned char *data;           /* its first byte */
  uint64_t offset;               /* of the first lane of the access */
};
struct place race_place(struct warp *warp, const struct memo *memo, uint64_t offset, bool shared);

/* A load whose tags are not all settled. Lanes that read shared memory that nobody has written are
 * noted, and returned; the read tags of global memory are set. */
uint32_t race_load(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place);
/* Leaves the tags of a read. */
void race_tag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place);
/* A store: notes races, leaves its tags. frame: the values, which tell whether it
 * changes anything. */
void race_store(struct warp *warp, const struct op *op, const struct memo *memo,
                const struct place *place, const char *frame);
/* One lane of an atomic, before memory changes: what it reads and what it leaves there. */
struct atomic_access {
  int lane;
  uint64_t old_value, new_value;
};
void race_atomic(struct warp *warp, const struct op *op, const struct memo *memo,
                 const struct place *place, const struct atomic_access *access);

/* A volatile load, or one that acquires: takes over what the flags that it reads release. */
void race_flag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                    const struct place *place);

/* Has every element of a shared array been written in this block, and none since the last barrier?
 * Then its loads need no check. Looked at once in each interval. */
bool race_array_is_clean(struct block *block, int array);

/* Global memory: lanes that read bytes which nothing has written. Notes them. */
uint32_t race_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset);
/* A store has written its bytes of an allocation. */
void race_mark_written(const struct worker *worker, struct allocation *allocation,
                       const struct op *op, const struct memo *memo, uint64_t offset);
/* At a barrier and at the end of a block: what was read without having been written, and was not
 * written afterwards either. */
void race_settle_unwritten(struct block *block);

#endif
