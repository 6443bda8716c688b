/* race_parts.h: what the checks of reads, stores and atomics share (race.c, race_store.c,
 * race_atomic.c): who is ordered after whom, and the tags of several. exec.c first checks whether
 * all tags of an access are settled (tag_settled); what is here runs when they are not. */
#ifndef KIT_RACE_PARTS_H
#define KIT_RACE_PARTS_H

#include "harness/sim/exec/map.h"
#include "harness/sim/exec/race.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/sync.h"

enum relation { ORDERED, SAME_WARP, SAME_BLOCK, OTHER_BLOCK };
enum deed { READS, WRITES, UPDATES }; /* UPDATES: atomically */

struct race {
  const struct op *op, *other_op; /* other_op NULL: not known */
  int thread, other_thread;       /* in their blocks */
  uint64_t other_block;
  enum deed deed, other_deed;
  enum relation relation;
  uint64_t at;     /* byte offset in the place */
  bool same_value; /* nothing is lost: a warning */
  bool too_early;  /* the other thread read what this store is the first to write */
  bool narrow;     /* one of two atomics has block scope */
  bool pending;    /* the other is an asynchronous copy that nobody has waited for */
  enum gap gap;    /* what is wrong with a flag between them */
};

/* race_report.c: a race in words: who did what where, and the fix that fits this pair. */
void race_note(struct warp *warp, const struct place *place, const struct race *race);
/* Is the launch of a kernel of CUB or Thrust? */
bool race_of_library(const struct launch_state *launch);
/* A thread reads shared memory that no thread of the block has written. */
void race_note_unwritten(struct warp *warp, const struct op *op, uint32_t offset, int thread);
/* Lanes read global memory that nothing has written. offset: the first one's, in the allocation. */
void race_note_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                             uint64_t offset, uint32_t never);

/* stream_race.c: after a canonical run, collects the accesses of the launch from its tags into its
 * work, and reports those that conflict with work that nothing orders before it. */
void stream_race_check(struct launch_state *launch);

/* ---- who is ordered after whom ---- */

/* Tags of the place that are older are of no account. */
static inline access_tag race_history(const struct warp *warp, const struct place *place) {
  return place->allocation ? warp->block->span.history : warp->block->start;
}

/* Charges for the granules that were checked. Those of global memory are free, as which ones are
 * checked depends on the other workers. */
static inline void race_charge(struct warp *warp, const struct place *place, int granules) {
  if (!place->allocation) slice_charge(warp, ELEMENT_INSTRUCTIONS * granules);
}

/* An access that the current one is not ordered after. */
struct other {
  enum relation relation;
  uint64_t block;
  access_tag tag;
  uint32_t access;
};

/* Finds an access in the tags of a granule that the lane is not ordered after; ORDERED if there is
 * none. tags: writes, reads or atomics of the place; NULL: there are none. */
struct other race_find(struct warp *warp, int lane, const struct place *place,
                       const access_tag *tags, uint64_t g);
/* The same for any of the lanes; *lane is the first that is not ordered. */
struct other race_find_of(struct warp *warp, uint32_t lanes, const struct place *place,
                          const access_tag *tags, uint64_t g, int *lane);
/* The block of a tag that is not history. Unknown for tags of other optimistic workers. */
uint64_t race_block_behind(const struct warp *warp, const struct place *place, access_tag tag);

/* The lanes that touch granule k of the memo. */
static inline uint32_t race_granule_lanes(const struct memo *memo, int k) {
  return memo->lanes[k / memo->granules_each];
}
/* The granule at byte offset `at` (from the first lane's address) of what a lane stores. */
void race_stored_granule(const char *frame, const struct op *op, const struct memo *memo, int lane,
                         int64_t at, unsigned char *bytes);
/* Is the thread one of several that have stored the same value to a granule? */
bool race_stored_too(const struct warp *warp, const struct place *place, uint64_t g, uint64_t block,
                     int thread);
/* The key of a flag: its address; in shared memory together with the block. */
uint64_t race_flag_key(const struct warp *warp, const struct place *place, uint64_t at);

/* Have enough races been reported? */
bool race_has_enough(const struct warp *warp);
/* Reports a race at byte `at` of the place. narrow: one of two atomics has block scope. False: the
 * launch is optimistic, and ends, as anything unordered is a conflict. */
bool race_report(struct warp *warp, const struct op *op, const struct place *place, int lane,
                 uint64_t at, const struct other *other, enum deed deed, enum deed other_deed,
                 bool same_value, bool narrow);
/* Records a read of shared memory that nothing has written. If something is stored there before the
 * next barrier, it is a race, which the check of that store reports. */
void race_note_later(struct warp *warp, const struct op *op, uint32_t offset, int thread);

static inline const struct op *race_op(const struct launch_state *launch, uint32_t index) {
  return index < (uint32_t)launch->op_total ? launch->ops[index] : NULL;
}

/* ---- tags of several ---- */

/* Accesses of several threads to one granule that are not ordered among each other: readers,
 * atomics, or stores of one value. A tag has room for one of them; where it matters who all of them
 * were, they are kept here. Canonical mode only. */
struct crowd {
  struct map_key key; /* the kind of tags (shadow->reads, say), the granule */
  struct crowd_member {
    uint64_t block;
    access_tag tag;  /* with TAG_WARPS: of several threads of the block, the latest */
    uint32_t access; /* operation */
  } * members;
  int count, room;
};
struct crowds {
  struct map crowds;
  bool failed; /* memory ran out */
};
void race_close_crowds(struct crowds *crowds);

static inline access_tag race_several(enum relation relation) {
  return relation == SAME_WARP    ? TAG_LANES
         : relation == SAME_BLOCK ? TAG_WARPS
         : relation == ORDERED    ? 0
                                  : TAG_BLOCKS;
}

/* Adds an access to the tag and the crowd of a granule that it is not ordered after. */
access_tag race_add_member(struct warp *warp, const struct place *place, access_tag *tags,
                           uint64_t g, access_tag mine, uint32_t access);
/* Replaces a tag. If another worker of an optimistic launch does, too, the second one retries. */
static inline bool race_replace(const struct warp *warp, access_tag *tag, access_tag old,
                                access_tag next) {
  if (!warp->worker->launch->canonical)
    return __atomic_compare_exchange_n(tag, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  *tag = next;
  return true;
}

#endif
