/* sync.c: fences, flags and locks; see sync.h. */
#include "sync.h"

#include <stdlib.h>
#include <string.h>

#include "knowledge.h"

/* What a fence of a thread covers: its own accesses below `fence`, those of its warp below `synced`, of
 * its block below `interval`, and what it knew. A flag that it wrote then, at `flag`, too. */
struct event {
  access_tag fence, synced, interval, flag;
  const access_tag *lanes; /* of its warp, one by one, where some of them alone have met; or NULL */
};

struct snapshot { /* the last fence of a thread; fence 0: there was none */
  struct event event;
  struct knowledge *known;
};

/* A thread that has released something, and each of its releases. */
struct releaser {
  uint64_t block;
  int thread;
  struct event *events;
  uint32_t count, room;
  uint32_t next_of_block; /* index + 1 */
};

struct thread_sync {
  struct knowledge *known;
  struct knowledge *near, *far; /* read from flags, of its block's threads or of any; known at a fence */
  struct snapshot fence[2];     /* by enum scope: the last that is at least so wide */
  uint32_t releaser;            /* index + 1 */
  struct {
    uint64_t block;
    access_tag flag, fence_near, fence_far;
  } last_read; /* whose flag it read last: when that was written, and the fences before it */
};

struct flag {
  uint64_t key; /* 0: free entry */
  struct knowledge *near, *far;
  uint64_t writer_block, holder_block, free_value;
  int writer, holder; /* holder -1: nobody has taken it */
  access_tag written, fence_near, fence_far; /* of the writer; 0: it has executed none */
  bool unlocked;
};

struct sync {
  struct launch_state *launch;
  struct releaser *releasers;
  uint32_t releaser_count, releaser_room;
  struct { /* by block: index + 1 of its last releaser */
    uint64_t block;
    uint32_t first;
  } *blocks;
  size_t block_count, block_room; /* open addressing; room a power of two */
  struct flag *flags;
  size_t flag_count, flag_room;
  size_t events;
  struct kept {
    struct kept *next;
    access_tag lanes[LANES];
  } * kept; /* what events point to */
  int gave_up; /* memory ran out, or more happened than is kept: everything counts as ordered */
};

enum { MOST_EVENTS = 1 << 23 };

static size_t mix(uint64_t key, size_t room) {
  return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
}

struct sync *sync_open(struct launch_state *launch) {
  struct sync *sync = calloc(1, sizeof *sync);
  if (sync) sync->launch = launch;
  return sync;
}

void sync_close(struct sync *sync) {
  if (!sync) return;
  for (uint32_t i = 0; i < sync->releaser_count; i++) free(sync->releasers[i].events);
  for (size_t i = 0; i < sync->flag_room; i++) {
    knowledge_drop(sync->flags[i].near);
    knowledge_drop(sync->flags[i].far);
  }
  while (sync->kept) {
    struct kept *next = sync->kept->next;
    free(sync->kept);
    sync->kept = next;
  }
  free(sync->releasers);
  free(sync->blocks);
  free(sync->flags);
  free(sync);
}

void sync_end_block(struct block *block) {
  const struct launch_state *launch = block->worker->launch;
  for (int i = 0; block->threads && i < launch->threads_per_block; i++) {
    struct thread_sync *t = &block->threads[i];
    knowledge_drop(t->known);
    knowledge_drop(t->near);
    knowledge_drop(t->far);
    knowledge_drop(t->fence[0].known);
    knowledge_drop(t->fence[1].known);
  }
  free(block->threads);
  block->threads = NULL;
}

static struct thread_sync *thread_of(struct warp *warp, int lane) {
  struct block *block = warp->block;
  const struct launch_state *launch = warp->worker->launch;
  if (!block->threads) {
    size_t threads = (size_t)(launch->threads_per_block + LANES - 1) / LANES * LANES;
    block->threads = calloc(threads, sizeof *block->threads);
    if (!block->threads) launch->sync->gave_up = 1;
  }
  return block->threads ? &block->threads[warp->index * LANES + lane] : NULL;
}

/* *into becomes the join of both. */
static void learn(struct sync *sync, struct knowledge **into, struct knowledge *other) {
  if (!other || *into == other) return;
  struct knowledge *joined = knowledge_join(*into, other, &sync->gave_up);
  knowledge_drop(*into);
  *into = joined;
}

/* ---- releasers ---- */

static uint32_t *block_entry(struct sync *sync, uint64_t block, bool add) {
  if (add && sync->block_count * 2 >= sync->block_room) {
    size_t old_room = sync->block_room, room = old_room ? old_room * 2 : 1024;
    void *old = sync->blocks;
    struct {
      uint64_t block;
      uint32_t first;
    } *entries = old;
    sync->blocks = calloc(room, sizeof *sync->blocks);
    if (!sync->blocks) {
      sync->blocks = old;
      sync->gave_up = 1;
      return NULL;
    }
    sync->block_room = room;
    for (size_t i = 0; i < old_room; i++) {
      if (!entries[i].first) continue;
      size_t at = mix(entries[i].block + 1, room);
      while (sync->blocks[at].first) at = (at + 1) & (room - 1);
      sync->blocks[at].block = entries[i].block;
      sync->blocks[at].first = entries[i].first;
    }
    free(old);
  }
  if (!sync->block_room) return NULL;
  size_t at = mix(block + 1, sync->block_room);
  while (sync->blocks[at].first && sync->blocks[at].block != block)
    at = (at + 1) & (sync->block_room - 1);
  if (!sync->blocks[at].first && add) {
    sync->blocks[at].block = block;
    sync->block_count++;
  }
  return sync->blocks[at].first || add ? &sync->blocks[at].first : NULL;
}

static struct releaser *releaser_of(struct warp *warp, int lane, struct thread_sync *t) {
  struct sync *sync = warp->worker->launch->sync;
  if (t->releaser) return &sync->releasers[t->releaser - 1];
  if (sync->releaser_count == KNOWLEDGE_SLOTS) {
    sync->gave_up = 1;
    return NULL;
  }
  if (sync->releaser_count == sync->releaser_room) {
    uint32_t room = sync->releaser_room ? sync->releaser_room * 2 : 256;
    struct releaser *more = realloc(sync->releasers, room * sizeof *more);
    if (!more) {
      sync->gave_up = 1;
      return NULL;
    }
    sync->releasers = more;
    sync->releaser_room = room;
  }
  uint32_t *first = block_entry(sync, warp->block->linear, true);
  if (!first) return NULL;
  struct releaser *r = &sync->releasers[sync->releaser_count++];
  *r = (struct releaser){.block = warp->block->linear,
                         .thread = warp->index * LANES + lane,
                         .next_of_block = *first};
  *first = t->releaser = sync->releaser_count;
  return r;
}

/* Records one more release of the thread; the number of its releases, 0 if nothing more is recorded. */
static uint32_t add_event(struct sync *sync, struct releaser *r, const struct event *event) {
  if (!r || sync->events == MOST_EVENTS) {
    sync->gave_up = 1;
    return 0;
  }
  if (r->count == r->room) {
    uint32_t room = r->room ? r->room * 2 : 2;
    struct event *more = realloc(r->events, room * sizeof *more);
    if (!more) {
      sync->gave_up = 1;
      return 0;
    }
    r->events = more;
    r->room = room;
  }
  r->events[r->count++] = *event;
  sync->events++;
  return r->count;
}

/* ---- fences ---- */

static const access_tag *keep_lanes(const struct warp *warp, int lane) {
  struct sync *sync = warp->worker->launch->sync;
  struct kept *kept = malloc(sizeof *kept);
  if (!kept) {
    sync->gave_up = 1;
    return NULL;
  }
  memcpy(kept->lanes, warp->lane_synced[lane], sizeof kept->lanes);
  kept->next = sync->kept;
  sync->kept = kept;
  return kept->lanes;
}

/* From now on the thread's releases in this scope and in narrower ones cover all that lies before. */
static void take_snapshot(struct warp *warp, int lane, struct thread_sync *t, enum scope scope) {
  const access_tag *lanes = warp->lane_synced ? keep_lanes(warp, lane) : NULL;
  for (int s = SCOPE_BLOCK; s <= (int)scope; s++) {
    struct snapshot *at = &t->fence[s];
    at->event = (struct event){.fence = warp->worker->now & ~TAG_LOW,
                               .synced = warp->synced,
                               .interval = warp->block->span.interval,
                               .lanes = lanes};
    knowledge_drop(at->known);
    at->known = knowledge_keep(t->known);
  }
}

void sync_fence(struct warp *warp, enum scope scope) {
  struct worker *worker = warp->worker;
  struct sync *sync = worker->launch->sync;
  worker->now += TAG_TICK;
  for (uint32_t left = warp->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    struct thread_sync *t = thread_of(warp, lane);
    if (!t) return;
    learn(sync, &t->known, t->near);
    if (scope == SCOPE_DEVICE) learn(sync, &t->known, t->far);
    take_snapshot(warp, lane, t, scope);
  }
}

/* ---- flags ---- */

static struct flag *find_flag(struct sync *sync, uint64_t key, bool add) {
  if (add && sync->flag_count * 2 >= sync->flag_room) {
    size_t old_room = sync->flag_room, room = old_room ? old_room * 2 : 256;
    struct flag *old = sync->flags, *flags = calloc(room, sizeof *flags);
    if (!flags) {
      sync->gave_up = 1;
      return NULL;
    }
    for (size_t i = 0; i < old_room; i++) {
      if (!old[i].key) continue;
      size_t at = mix(old[i].key, room);
      while (flags[at].key) at = (at + 1) & (room - 1);
      flags[at] = old[i];
    }
    free(old);
    sync->flags = flags;
    sync->flag_room = room;
  }
  if (!sync->flag_room) return NULL;
  size_t at = mix(key, sync->flag_room);
  while (sync->flags[at].key && sync->flags[at].key != key) at = (at + 1) & (sync->flag_room - 1);
  if (!sync->flags[at].key) {
    if (!add) return NULL;
    sync->flags[at].key = key;
    sync->flags[at].holder = -1;
    sync->flags[at].writer = -1;
    sync->flag_count++;
  }
  return &sync->flags[at];
}

static void read_flag(struct warp *warp, struct thread_sync *t, const struct flag *flag,
                      const struct flag_access *access) {
  struct sync *sync = warp->worker->launch->sync;
  bool own_block = flag->writer_block == warp->block->linear;
  struct knowledge *near = own_block ? flag->near : NULL,
                   *far = access->scope == SCOPE_DEVICE ? flag->far : NULL;
  t->last_read.block = flag->writer_block;
  t->last_read.flag = flag->written;
  t->last_read.fence_near = flag->fence_near;
  t->last_read.fence_far = access->scope == SCOPE_DEVICE ? flag->fence_far : 0;
  learn(sync, &t->near, near);
  learn(sync, &t->far, near);
  learn(sync, &t->far, far);
  if (!access->acquires && !(access->decides && !flag->unlocked)) return;
  learn(sync, &t->known, near);
  learn(sync, &t->known, far);
}

/* What a release publishes in a scope: what its last fence covers. */
static struct knowledge *release(struct sync *sync, struct releaser *r,
                                 const struct snapshot *fence, access_tag at) {
  struct event event = fence->event;
  event.flag = at;
  uint32_t count = add_event(sync, r, &event);
  return knowledge_with(fence->known, (uint32_t)(r - sync->releasers), count, &sync->gave_up);
}

static access_tag write_flag(struct warp *warp, int lane, struct thread_sync *t, struct flag *flag,
                       const struct flag_access *access) {
  struct worker *worker = warp->worker;
  struct sync *sync = worker->launch->sync;
  int thread = warp->index * LANES + lane;
  uint64_t block = warp->block->linear;
  bool mine = flag->holder == thread && flag->holder_block == block,
       unlocks = mine && access->new_value == flag->free_value;
  bool takes = access->takes && !unlocks && access->new_value != access->old_value;
  worker->now += TAG_TICK; /* the flag's own time: nothing else of this thread happens in it */
  access_tag at = worker->now & ~TAG_LOW;
  struct releaser *r = NULL;
  struct knowledge *near = NULL, *far = NULL;
  if (access->releases) take_snapshot(warp, lane, t, access->scope);
  if (t->fence[SCOPE_BLOCK].event.fence && (r = releaser_of(warp, lane, t))) {
    if (access->scope == SCOPE_DEVICE && t->fence[SCOPE_DEVICE].event.fence)
      far = release(sync, r, &t->fence[SCOPE_DEVICE], at);
    near = release(sync, r, &t->fence[SCOPE_BLOCK], at);
  }
  bool chained = access->is_update && flag->writer >= 0;
  if (chained && flag->writer_block == block) learn(sync, &near, flag->near);
  if (chained && access->scope == SCOPE_DEVICE) learn(sync, &far, flag->far);
  knowledge_drop(flag->near);
  knowledge_drop(flag->far);
  flag->near = near;
  flag->far = far;
  flag->fence_near = t->fence[SCOPE_BLOCK].event.fence;
  flag->fence_far = access->scope == SCOPE_DEVICE ? t->fence[SCOPE_DEVICE].event.fence : 0;
  if (!takes) flag->unlocked = unlocks;
  if (takes) {
    flag->holder = thread;
    flag->holder_block = block;
    flag->free_value = access->old_value;
  } else {
    flag->holder = -1;
  }
  flag->writer = thread;
  flag->writer_block = block;
  flag->written = at;
  worker->now += TAG_TICK;
  return at;
}

access_tag sync_flag(struct warp *warp, int lane, const struct flag_access *access) {
  struct sync *sync = warp->worker->launch->sync;
  struct thread_sync *t = thread_of(warp, lane);
  struct flag *flag = find_flag(sync, access->key, access->writes);
  if (!t || !flag) return 0;
  if (access->reads && flag->writer >= 0) read_flag(warp, t, flag, access);
  return access->writes ? write_flag(warp, lane, t, flag, access) : 0;
}

/* ---- meetings ---- */

static void share(struct sync *sync, struct thread_sync *threads, uint64_t first, uint64_t count,
                  uint32_t mask) {
  struct knowledge *all = NULL;
  for (uint64_t i = first; i < first + count; i++)
    if (mask >> (i % LANES) & 1) learn(sync, &all, threads[i].known);
  for (uint64_t i = first; i < first + count; i++)
    if (mask >> (i % LANES) & 1 && threads[i].known != all) {
      knowledge_drop(threads[i].known);
      threads[i].known = knowledge_keep(all);
    }
  knowledge_drop(all);
}

void sync_barrier(struct block *block) {
  const struct launch_state *launch = block->worker->launch;
  if (block->threads)
    share(launch->sync, block->threads, 0, (uint64_t)launch->threads_per_block, 0xffffffffu);
}

void sync_warp(struct warp *warp, uint32_t mask) {
  if (warp->block->threads)
    share(warp->worker->launch->sync, warp->block->threads, (uint64_t)warp->index * LANES, LANES,
          mask);
}

/* ---- questions ---- */

static bool covers(const struct event *e, int releaser, int thread, access_tag tag) {
  access_tag limit = e->interval;
  if (tag & TAG_WARPS) return tag < limit;
  bool one_warp = thread / LANES == releaser / LANES;
  if (one_warp && e->synced > limit) limit = e->synced;
  if (one_warp && e->lanes && !(tag & TAG_LANES) && e->lanes[thread % LANES] > limit)
    limit = e->lanes[thread % LANES];
  if (thread == releaser && !(tag & TAG_LANES) && e->fence > limit) limit = e->fence;
  return tag < limit;
}

/* Is the tag that of a flag, which was written by one of the first `known` releases? */
static bool is_flag_of(const struct releaser *r, uint32_t known, access_tag tag) {
  uint32_t low = 0, high = known;
  access_tag at = tag & ~TAG_LOW;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (r->events[middle].flag < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < known && r->events[low].flag == at;
}

bool sync_knows(const struct warp *warp, int lane, uint64_t block, access_tag tag) {
  struct sync *sync = warp->worker->launch->sync;
  if (sync->gave_up) return true;
  if (!warp->block->threads) return false;
  const struct knowledge *known = warp->block->threads[warp->index * LANES + lane].known;
  const uint32_t *first = known ? block_entry(sync, block, false) : NULL;
  int thread = tag_thread(tag);
  for (uint32_t i = first ? *first : 0; i; i = sync->releasers[i - 1].next_of_block) {
    const struct releaser *r = &sync->releasers[i - 1];
    uint32_t count = knowledge_count(known, i - 1);
    if (!count) continue;
    if (covers(&r->events[count - 1], r->thread, thread, tag)) return true;
    if (r->thread == thread && !(tag & TAG_SEVERAL) && is_flag_of(r, count, tag)) return true;
  }
  return false;
}

enum gap sync_gap(const struct warp *warp, int lane, uint64_t block, access_tag tag) {
  if (!warp->block->threads) return GAP_NO_FLAG;
  const struct thread_sync *t = &warp->block->threads[warp->index * LANES + lane];
  if (!t->last_read.flag || t->last_read.block != block || tag >= t->last_read.flag)
    return GAP_NO_FLAG;
  if (tag >= t->last_read.fence_near) return GAP_NO_RELEASE;
  if (block != warp->block->linear && tag >= t->last_read.fence_far) return GAP_NARROW;
  return GAP_NO_ACQUIRE;
}
