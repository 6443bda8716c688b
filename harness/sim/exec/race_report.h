/* race_report.h: a race in words: who did what where, and the fix that fits this pair. */
#ifndef KIT_RACE_REPORT_H
#define KIT_RACE_REPORT_H

#include "harness/sim/exec/race.h"
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
  enum gap gap;    /* what is wrong with a flag between them */
};

void race_note(struct warp *warp, const struct place *place, const struct race *race);
/* A thread reads shared memory that no thread of the block has written. */
void race_note_unwritten(struct warp *warp, const struct op *op, uint32_t offset, int thread);
/* Lanes read global memory that nothing has written. offset: of the first lane, in
 * the allocation. */
void race_note_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                             uint64_t offset, uint32_t never);

/* stream_race.c: races between a launch and other work that nothing orders before it. */

/* After a canonical run: collects the accesses of the launch from its tags into its work, and
 * reports those that conflict with unordered work. */
void stream_race_check(struct launch_state *launch);

#endif
