/* shadow.h: shadow memory: who touched each granule of memory last, and the questions about it that
 * exec.c asks on every access. What a conflict means is in race.c.
 *
 * A granule (1, 2 or 4 bytes, as small as the kernel's smallest access) has a tag for the last
 * write, one for the last read and, where there are atomics, one for the last of those:
 *
 *     63                    22       16      10         0
 *     | clock                | worker | flags | thread  |
 *
 * The clock of a device never goes back: it ticks when a block begins or goes on after another one,
 * at every barrier and __syncwarp, around fences and flags. So a tag says when by comparison alone,
 * and old tags need no clearing: what lies below the beginning of a launch (or of a block, for
 * shared memory) is history. With TAG_LANES, TAG_WARPS or TAG_BLOCKS the access was made by
 * several, of whom the thread is one.
 *
 * Consecutive lanes that store to consecutive granules leave, in an optimistic launch, one tag for
 * every ROW_GRANULES of them. So the last write to a granule is the later one of its own tag and of
 * its row's: shadow_last_write. Before single granules of a row are looked at or written to, they
 * get tags of their own (shadow_loosen), and the row is loose from then on.
 *
 * One tag for 32 bits of state and time, and a comparison in place of a vector clock, are the idea
 * of HiRace (Jacobson, Burtscher, Gopalakrishnan, SC24). What flags order is kept apart (sync.h).
 */
#ifndef KIT_SHADOW_H
#define KIT_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t access_tag;

#define TAG_THREAD UINT64_C(0x3ff)
#define TAG_LANES (UINT64_C(1) << 10)       /* several lanes of a warp */
#define TAG_WARPS (UINT64_C(1) << 11)       /* several warps of a block */
#define TAG_BLOCKS (UINT64_C(1) << 12)      /* several blocks */
#define TAG_PENDING (UINT64_C(1) << 13)     /* by an asynchronous copy that is not waited for */
#define TAG_BLOCK_SCOPE (UINT64_C(1) << 14) /* by an atomic of block scope */
#define TAG_VOLATILE (UINT64_C(1) << 15)    /* by a volatile store */
#define TAG_SEVERAL (TAG_LANES | TAG_WARPS | TAG_BLOCKS)
#define TAG_WORKER (UINT64_C(63) << 16)
enum { TAG_WORKER_SHIFT = 16, TAG_CLOCK_SHIFT = 22 };
#define TAG_TICK (UINT64_C(1) << TAG_CLOCK_SHIFT)
#define TAG_LOW (TAG_TICK - 1)

static inline int tag_thread(access_tag tag) { return (int)(tag & TAG_THREAD); }

enum { ROW_SHIFT = 3, ROW_GRANULES = 1 << ROW_SHIFT }; /* granules */

struct row_tags {
  access_tag first; /* of the row's first granule; the others' have the threads that follow */
  access_tag loose; /* since when there have been writes to single granules */
};

/* The tags of an allocation or of a block's shared memory. writers, readers and updaters name the
 * operations behind them, for reports. NULL: atomics where there are none; the names where a launch
 * with findings is run again anyway. */
struct shadow {
  access_tag *writes, *reads, *atomics;
  uint32_t *writers, *readers, *updaters;
  struct row_tags *rows; /* NULL: of shared memory, or no launch was optimistic so far */
  size_t count;          /* granules */
};

/* The tag of the last write to a granule. */
static inline access_tag shadow_last_write(const struct shadow *shadow, size_t granule) {
  access_tag own = shadow->writes[granule],
             row = shadow->rows ? shadow->rows[granule >> ROW_SHIFT].first : 0;
  if (row) row += granule & (ROW_GRANULES - 1);
  return own > row ? own : row;
}

/* Gives the granules of a row the row's tag where it is later than their own. */
static inline void shadow_loosen(const struct shadow *shadow, size_t row) {
  for (size_t g = row << ROW_SHIFT; g < (row + 1) << ROW_SHIFT && g < shadow->count; g++)
    shadow->writes[g] = shadow_last_write(shadow, g);
}

/* Times to compare a tag with, for one block at this moment. */
struct span {
  access_tag history;  /* earlier tags are history: no race is possible */
  access_tag turn;     /* from here on, a tag with this worker is of this block */
  access_tag interval; /* this block's earlier tags are from before its last barrier */
};

/* Is an access of this thread (own: worker and thread of a tag) obviously ordered after the tagged
 * one: history, from before the block's last barrier, or its own? */
static inline bool tag_settled(access_tag tag, const struct span *span, access_tag own) {
  bool mine = tag >= span->turn,
       before = tag < span->interval && ((tag ^ own) & (TAG_WORKER | TAG_BLOCKS)) == 0,
       same = ((tag ^ own) & TAG_LOW) == 0;
  return (tag < span->history) | (mine & (before | same));
}

/* Does a read tag already stand for several readers, so that one more changes nothing? */
static inline bool tag_is_crowded(access_tag tag, const struct span *span, access_tag own) {
  bool mine = (tag >= span->interval) & (((tag ^ own) & TAG_WORKER) == 0);
  return (((tag & TAG_BLOCKS) != 0) & (tag >= span->history)) | (mine & ((tag & TAG_WARPS) != 0));
}

#endif
