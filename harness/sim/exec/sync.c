/* sync.c: tracks what fences together with flags and locks order. */
#include "harness/sim/exec/sync.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/exec/knowledge.h"
#include "harness/sim/exec/map.h"

/* What a thread's fence covers: its own accesses before `fence`, those of its warp before `synced`,
 * those of its block before `interval`, and what it knew; the flag that it then wrote: `flag`. */
struct event {
  access_tag fence, synced, interval, flag;
  const access_tag
      *lanes; /* of its warp, lane by lane, if only some of them synchronised; or NULL */
  const struct fenced
      *fenced; /* by warp: fences of several threads that have synchronised since; or NULL */
};

/* The lanes of a warp that have executed a fence, and the time that it covers. */
struct fenced {
  access_tag limit;
  uint32_t mask, exist;
};

static const uint32_t WHOLE_BLOCK = UINT32_MAX; /* in place of the thread of a releaser */

struct snapshot { /* the last fence of a thread; fence 0: there was none */
  struct event event;
  struct knowledge *known;
};

/* A thread that has released something, and each of its releases. */
struct releaser {
  uint64_t block;
  uint32_t thread; /* or WHOLE_BLOCK */
  struct event *events;
  uint32_t count, room;
  uint32_t next_of_block; /* index + 1 */
};

struct thread_sync {
  struct knowledge *known;
  struct knowledge *near,
      *far; /* read from flags of its block or of any block; becomes known at a fence */
  struct snapshot fence[2]; /* by enum scope: the last one of at least that scope */
  uint32_t releaser;        /* index + 1 */
  struct {
    uint64_t block;
    access_tag flag, fence_near, fence_far;
  } last_read; /* the flag it read last: when it was written, and the writer's fences before it */
};

struct flag {
  struct map_key key; /* flag_access.key */
  struct knowledge *near, *far;
  uint64_t writer_block, holder_block, free_value;
  uint32_t writer, holder;                   /* thread + 1; 0: nobody has written it, or taken it */
  access_tag written, fence_near, fence_far; /* of the writer; 0: none */
  bool unlocked;
};

struct last_releaser {
  struct map_key key; /* block */
  uint32_t index;     /* index + 1 */
};

struct sync {
  struct launch_state *launch;
  struct releaser *releasers;
  uint32_t releaser_count, releaser_room;
  struct map blocks; /* of struct last_releaser */
  struct map flags;
  size_t events;
  struct kept {
    struct kept *next;
    access_tag data[]; /* lanes of a warp, or warps of a block */
  } * kept;            /* what events point to */
  int gave_up;         /* memory or a limit ran out: everything counts as ordered */
};

enum { MAX_EVENTS = 1 << 23 };

struct sync *sync_open(struct launch_state *launch) {
  struct sync *sync = calloc(1, sizeof *sync);
  if (!sync) return NULL;
  sync->launch = launch;
  sync->blocks.item_size = sizeof(struct last_releaser);
  sync->flags.item_size = sizeof(struct flag);
  return sync;
}

void sync_close(struct sync *sync) {
  if (!sync) return;
  for (uint32_t i = 0; i < sync->releaser_count; i++) free(sync->releasers[i].events);
  for (size_t i = 0; i < sync->flags.room; i++) {
    const struct flag *flag = map_at(&sync->flags, i);
    if (!flag) continue;
    knowledge_drop(flag->near);
    knowledge_drop(flag->far);
  }
  while (sync->kept) {
    struct kept *next = sync->kept->next;
    free(sync->kept);
    sync->kept = next;
  }
  free(sync->releasers);
  map_free(&sync->blocks);
  map_free(&sync->flags);
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
  block->releaser = 0;
  block->fences[SCOPE_BLOCK] = block->fences[SCOPE_DEVICE] = false;
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

/* Joins other into *into. */
static void learn(struct sync *sync, struct knowledge **into, struct knowledge *other) {
  if (!other || *into == other) return;
  struct knowledge *joined = knowledge_join(*into, other, &sync->gave_up);
  knowledge_drop(*into);
  *into = joined;
}

/* ---- releasers ---- */

/* *index: the thread's releaser + 1, 0 if it has none yet. */
static struct releaser *releaser_of(struct sync *sync, uint64_t block, uint32_t thread,
                                    uint32_t *index) {
  if (*index) return &sync->releasers[*index - 1];
  if (sync->releaser_count == KNOWLEDGE_SLOTS ||
      !ARRAY_RESERVE(sync->releasers, sync->releaser_room, sync->releaser_count + 1)) {
    sync->gave_up = 1;
    return NULL;
  }
  struct last_releaser *last = map_find(&sync->blocks, block, 0, true);
  if (!last) {
    sync->gave_up = 1;
    return NULL;
  }
  struct releaser *r = &sync->releasers[sync->releaser_count++];
  *r = (struct releaser){.block = block, .thread = thread, .next_of_block = last->index};
  last->index = *index = sync->releaser_count;
  return r;
}

/* Records one more release of the thread. Returns the number of its releases, 0 if it failed. */
static uint32_t add_event(struct sync *sync, struct releaser *r, const struct event *event) {
  if (!r || sync->events == MAX_EVENTS || !ARRAY_RESERVE(r->events, r->room, r->count + 1)) {
    sync->gave_up = 1;
    return 0;
  }
  r->events[r->count++] = *event;
  sync->events++;
  return r->count;
}

/* ---- fences ---- */

/* Memory that lives as long as events; NULL: none left. */
static void *keep(struct sync *sync, size_t bytes) {
  struct kept *kept = malloc(sizeof *kept + bytes);
  if (!kept) {
    sync->gave_up = 1;
    return NULL;
  }
  kept->next = sync->kept;
  sync->kept = kept;
  return kept->data;
}

static const access_tag *keep_lanes(const struct warp *warp, int lane) {
  size_t bytes = sizeof warp->lane_synced[lane];
  access_tag *lanes = keep(warp->worker->launch->sync, bytes);
  if (lanes) memcpy(lanes, warp->lane_synced[lane], bytes);
  return lanes;
}

/* From now on the thread's releases in this scope and narrower ones cover everything up to here. */
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
  warp->block->fences[scope] = true;
  EACH_ACTIVE (lane, warp->mask) {
    struct thread_sync *t = thread_of(warp, lane);
    if (!t) return;
    learn(sync, &t->known, t->near);
    if (scope == SCOPE_DEVICE) learn(sync, &t->known, t->far);
    take_snapshot(warp, lane, t, scope);
  }
}

/* ---- flags ---- */

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
  uint32_t thread = (uint32_t)(warp->index * LANES + lane);
  uint64_t block = warp->block->linear;
  bool mine = flag->holder == thread + 1 && flag->holder_block == block,
       unlocks = mine && access->new_value == flag->free_value;
  bool takes = access->takes && !unlocks && access->new_value != access->old_value;
  worker->now += TAG_TICK; /* a tick of its own for the flag */
  access_tag at = worker->now & ~TAG_LOW;
  struct releaser *r = NULL;
  struct knowledge *near = NULL, *far = NULL;
  if (access->releases) take_snapshot(warp, lane, t, access->scope);
  if (t->fence[SCOPE_BLOCK].event.fence && (r = releaser_of(sync, block, thread, &t->releaser))) {
    if (access->scope == SCOPE_DEVICE && t->fence[SCOPE_DEVICE].event.fence)
      far = release(sync, r, &t->fence[SCOPE_DEVICE], at);
    near = release(sync, r, &t->fence[SCOPE_BLOCK], at);
  }
  bool chained = access->is_update && flag->writer;
  if (chained && flag->writer_block == block) learn(sync, &near, flag->near);
  if (chained && access->scope == SCOPE_DEVICE) learn(sync, &far, flag->far);
  knowledge_drop(flag->near);
  knowledge_drop(flag->far);
  flag->near = near;
  flag->far = far;
  flag->fence_near = t->fence[SCOPE_BLOCK].event.fence;
  flag->fence_far = access->scope == SCOPE_DEVICE ? t->fence[SCOPE_DEVICE].event.fence : 0;
  flag->holder = takes ? thread + 1 : 0;
  if (takes) {
    flag->holder_block = block;
    flag->free_value = access->old_value;
  } else {
    flag->unlocked = unlocks;
  }
  flag->writer = thread + 1;
  flag->writer_block = block;
  flag->written = at;
  worker->now += TAG_TICK;
  return at;
}

access_tag sync_flag(struct warp *warp, int lane, const struct flag_access *access) {
  struct sync *sync = warp->worker->launch->sync;
  struct thread_sync *t = thread_of(warp, lane);
  struct flag *flag = map_find(&sync->flags, access->key, 0, access->writes);
  if (access->writes && !flag) sync->gave_up = 1;
  if (!t || !flag) return 0;
  if (access->reads && flag->writer) read_flag(warp, t, flag, access);
  return access->writes ? write_flag(warp, lane, t, flag, access) : 0;
}

/* ---- meetings ---- */

/* The threads that synchronise: lanes of some warps. */
struct meeting {
  uint32_t warps, lanes;
};

static bool takes_part(struct meeting m, int thread) {
  return m.warps >> (thread / LANES) & 1 && m.lanes >> (thread % LANES) & 1;
}

/* Gives each of the threads the knowledge of all. */
static void share_knowledge(struct block *block, struct meeting m) {
  struct sync *sync = block->worker->launch->sync;
  struct thread_sync *threads = block->threads;
  struct knowledge *all = NULL;
  for (int i = 0; i < block->warp_count * LANES; i++)
    if (takes_part(m, i)) learn(sync, &all, threads[i].known);
  for (int i = 0; i < block->warp_count * LANES; i++)
    if (takes_part(m, i) && threads[i].known != all) {
      knowledge_drop(threads[i].known);
      threads[i].known = knowledge_keep(all);
    }
  knowledge_drop(all);
}

/* Collects what fences of a scope cover that the threads have executed since the block's last
 * barrier. False: there was none. */
static bool gather_fences(struct block *block, struct meeting m, enum scope scope,
                          struct fenced *fenced, struct knowledge **known) {
  struct sync *sync = block->worker->launch->sync;
  bool any = false;
  for (int w = 0; w < block->warp_count; w++)
    EACH_ACTIVE (lane, m.warps >> w & 1 ? m.lanes & block->warps[w].exist : 0) {
      const struct snapshot *at = &block->threads[w * LANES + lane].fence[scope];
      if (at->event.fence <= block->span.interval) continue;
      if (!fenced[w].mask || at->event.fence < fenced[w].limit) fenced[w].limit = at->event.fence;
      fenced[w].mask |= 1u << lane;
      learn(sync, known, at->known);
      any = true;
    }
  for (int w = 0; w < block->warp_count; w++) fenced[w].exist = block->warps[w].exist;
  return any;
}

/* After threads have synchronised, releases by any of them cover what all their fences cover, as
 * where all threads execute __threadfence(), then __syncthreads(), and thread 0 counts. */
static void share_fences(struct block *block, struct meeting m, enum scope scope) {
  struct sync *sync = block->worker->launch->sync;
  struct knowledge *known = NULL;
  struct fenced *fenced = keep(sync, (size_t)block->warp_count * sizeof *fenced);
  if (!fenced) return;
  memset(fenced, 0, (size_t)block->warp_count * sizeof *fenced);
  if (gather_fences(block, m, scope, fenced, &known)) {
    struct releaser *r = releaser_of(sync, block->linear, WHOLE_BLOCK, &block->releaser);
    struct event event = {.interval = block->span.interval, .fenced = fenced};
    uint32_t count = add_event(sync, r, &event);
    struct knowledge *all =
        r ? knowledge_with(known, (uint32_t)(r - sync->releasers), count, &sync->gave_up) : NULL;
    for (int i = 0; i < block->warp_count * LANES; i++) {
      struct snapshot *at = &block->threads[i].fence[scope];
      if (!takes_part(m, i)) continue;
      learn(sync, &at->known, all);
      if (!at->event.fence) at->event.fence = 1; /* covers nothing of its own */
    }
    knowledge_drop(all);
  }
  knowledge_drop(known);
}

void sync_meet(struct block *block, uint32_t warps, uint32_t lanes) {
  struct meeting m = {warps, lanes};
  if (!block->threads) return;
  share_knowledge(block, m);
  bool device = block->fences[SCOPE_DEVICE], any = block->fences[SCOPE_BLOCK] || device;
  if (any) share_fences(block, m, SCOPE_BLOCK);
  if (device) share_fences(block, m, SCOPE_DEVICE);
}

void sync_barrier(struct block *block) {
  sync_meet(block, 0xffffffffu, 0xffffffffu);
  block->fences[SCOPE_BLOCK] = block->fences[SCOPE_DEVICE] = false;
}

/* ---- questions ---- */

static access_tag latest(access_tag a, access_tag b) { return a > b ? a : b; }

/* The time up to which an event covers accesses of the thread of a tag, or of the several threads
 * that it stands for. */
static access_tag limit_of(const struct event *e, uint32_t releaser, access_tag tag, int warps) {
  uint32_t thread = (uint32_t)tag_thread(tag), warp = thread / LANES;
  access_tag limit = e->interval;
  if (e->fenced && tag & TAG_WARPS) { /* of all of them only the latest access is known */
    access_tag last = 0;
    for (int w = 0; w < warps; w++) {
      if (e->fenced[w].exist & ~e->fenced[w].mask) return limit;
      last = latest(last, e->fenced[w].limit);
    }
    return latest(limit, last);
  }
  if (e->fenced) {
    const struct fenced *f = &e->fenced[warp];
    bool all = tag & TAG_LANES ? !(f->exist & ~f->mask) : f->mask >> thread % LANES & 1;
    return all ? latest(limit, f->limit) : limit;
  }
  if (tag & TAG_WARPS || warp != releaser / LANES) return limit;
  limit = latest(limit, e->synced);
  if (tag & TAG_LANES) return limit;
  if (e->lanes) limit = latest(limit, e->lanes[thread % LANES]);
  return thread == releaser ? latest(limit, e->fence) : limit;
}

/* Do the first `known` releases cover the tag? A later one covers all that earlier ones do, except
 * for those of a block whose threads have synchronised: there each covers its own part. */
static bool covers(const struct releaser *r, uint32_t known, access_tag tag, int warps) {
  uint32_t last = r->thread == WHOLE_BLOCK ? known : 1;
  for (uint32_t i = 0; i < last; i++)
    if (tag < limit_of(&r->events[known - 1 - i], r->thread, tag, warps)) return true;
  return false;
}

bool sync_knows(const struct warp *warp, int lane, uint64_t block, access_tag tag) {
  struct sync *sync = warp->worker->launch->sync;
  if (sync->gave_up) return true;
  if (!warp->block->threads) return false;
  const struct knowledge *known = warp->block->threads[warp->index * LANES + lane].known;
  const struct last_releaser *last = known ? map_find(&sync->blocks, block, 0, false) : NULL;
  int warps = warp->block->warp_count;
  for (uint32_t i = last ? last->index : 0; i; i = sync->releasers[i - 1].next_of_block) {
    const struct releaser *r = &sync->releasers[i - 1];
    uint32_t count = knowledge_count(known, i - 1);
    if (!count) continue;
    if (covers(r, count, tag, warps)) return true;
    if (r->events[count - 1].flag == (tag & ~TAG_LOW)) return true; /* the very flag it has read */
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
