/* race.h: data races and uninitialised reads, from shadow memory.
 *
 * One rule for shared and global memory: two accesses to overlapping bytes by two threads, at least
 * one of them a write, not both atomic in a scope that covers both threads, with nothing that
 * orders them, are a race (PTX ISA, "Data Races"). Ordered are accesses of one thread; accesses
 * before a barrier with those after it, in its block; accesses before a __syncwarp with those after
 * it, of the lanes of its mask; what flags order (sync.h); and launches. Lanes of a warp are
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

/* The same for one granule, unless its row is the last one. Returns its row. */
static inline uint64_t race_loosen_at(const struct warp *warp, const struct memo *memo,
                                      const struct place *place, int64_t delta, bool stores,
                                      uint64_t last) {
  const struct shadow *shadow = place->shadow;
  uint64_t row = (place->offset + (uint64_t)delta) >> (memo->granule_shift + ROW_SHIFT);
  if (row == last) return row;
  if (shadow->rows[row].first >= warp->block->span.history) shadow_loosen(shadow, row);
  if (stores) shadow->rows[row].loose = warp->worker->now;
  return row;
}

/* Before tags of single granules are looked at, or set by a store: shadow_loosen on their rows. */
static inline void race_loosen(const struct warp *warp, const struct memo *memo,
                               const struct place *place, bool stores) {
  uint64_t last = UINT64_MAX;
  if (!place->shadow->rows || warp->worker->launch->canonical) return;
  if (memo->layout == AFFINE_ROWS && memo->granule_shift == 2) { /* a part is in two at most */
    for (int p = 0; p < AFFINE_PARTS; p++) {
      last = race_loosen_at(warp, memo, place, memo->part[p], stores, last);
      last = race_loosen_at(warp, memo, place, memo->part[p] + (PART - 1) * 4, stores, last);
    }
    return;
  }
  for (int k = 0; k < memo->granule_count; k++)
    last = race_loosen_at(warp, memo, place, memo->granule[k], stores, last);
}

/* Checks a load whose tags are not all settled. Reports and returns the lanes that read shared
 * memory that nothing has written; sets the read tags of global memory. */
uint32_t race_load(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place);
/* Leaves the tags of a read. */
void race_tag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place);
/* Checks a store: reports races, sets its tags. frame: has its values, to see what changes. */
void race_store(struct warp *warp, const struct op *op, const struct memo *memo,
                const struct place *place, const char *frame);
/* One lane of an atomic, which is checked before memory changes: the value that it reads and the
 * one that it stores. */
struct atomic_access {
  int lane;
  uint64_t old_value, new_value;
};
void race_atomic(struct warp *warp, const struct op *op, const struct memo *memo,
                 const struct place *place, const struct atomic_access *access);

/* A volatile or acquiring load: acquires what the flags that it reads release. */
void race_flag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                    const struct place *place);

/* Reports and returns the lanes that read global memory that nothing has written. */
uint32_t race_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset);
/* Marks the bytes that a store writes as initialised. */
void race_mark_written(const struct worker *worker, struct allocation *allocation,
                       const struct op *op, const struct memo *memo, uint64_t offset);
/* At a barrier and at a block's end: reports what was read, but not written before or since. */
void race_settle_unwritten(struct block *block);

#endif
