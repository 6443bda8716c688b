/* async.c: keeps track of asynchronous copies that nobody has waited for. */
#include "harness/sim/exec/async.h"

#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/sim/exec/mbarrier.h"

struct copy {
  uint32_t at; /* in shared memory */
  uint16_t bytes, lane;
  uint32_t group;
  /* that it is bound to, if tracked */
  bool tracked;
  uint32_t phase;
  uint64_t barrier;
  access_tag when;
};

struct async {
  struct copy *copies;
  int count, room;
  uint32_t group[LANES]; /* the open group of each lane */
};

static access_tag pending_tag(const struct warp *warp, int lane) {
  return ((access_tag)INT64_MAX & ~TAG_LOW) | TAG_PENDING |
         (access_tag)(warp->index * LANES + lane);
}

/* Gives the granules of a copy the tag of a store at a time; 0: of no time at all. */
static void settle(struct warp *warp, const struct copy *copy, access_tag when) {
  struct block *block = warp->block;
  int shift = warp->worker->launch->shared_shift;
  access_tag pending = pending_tag(warp, copy->lane);
  for (uint32_t g = copy->at >> shift; g < (copy->at + copy->bytes) >> shift; g++)
    if (block->shadow.writes[g] == pending)
      block->shadow.writes[g] = when ? when | tag_thread(pending) : 0;
}

/* Shared arrays are no longer known to have been written before the last barrier. */
static void unclean(struct block *block) {
  for (int i = 0; i < block->worker->launch->array_count; i++) {
    block->clean[i] = 0;
    block->unclean[i] = block->span.interval;
  }
}

void async_issue(struct warp *warp, const struct op *op, const uint64_t *address) {
  struct worker *worker = warp->worker;
  struct block *block = warp->block;
  const struct launch_state *launch = worker->launch;
  uint32_t bytes = (uint32_t)op->size * op->count;
  if (!warp->async) warp->async = calloc(1, sizeof *warp->async);
  struct async *async = warp->async;
  if (!async || !ARRAY_RESERVE(async->copies, async->room, async->count + LANES)) {
    worker->out_of_memory = true;
    return;
  }
  EACH_ACTIVE (lane, warp->mask) {
    uint64_t at = address[lane] + (uint64_t)op->access.offset;
    if (at > launch->shared_span || bytes > launch->shared_span - at) continue; /* reported */
    access_tag own = worker->now | (access_tag)(warp->index * LANES + lane);
    bool stored = false;
    for (uint64_t g = at >> launch->shared_shift; g < (at + bytes) >> launch->shared_shift; g++) {
      if ((block->shadow.writes[g] & ~TAG_SEVERAL) != own) continue;
      block->shadow.writes[g] = pending_tag(warp, lane);
      stored = true;
    }
    if (stored)
      async->copies[async->count++] = (struct copy){.at = (uint32_t)at,
                                                    .bytes = (uint16_t)bytes,
                                                    .lane = (uint16_t)lane,
                                                    .group = async->group[lane]};
  }
}

void async_commit(struct warp *warp) {
  if (warp->async)
    EACH_ACTIVE (lane, warp->mask) warp->async->group[lane]++;
}

void async_wait(struct warp *warp, int64_t groups) {
  struct async *async = warp->async;
  int kept = 0, count = async ? async->count : 0;
  if (!count) return;
  for (int i = 0; i < count; i++) {
    struct copy *copy = &async->copies[i];
    bool waits = warp->mask >> copy->lane & 1 &&
                 (groups == ASYNC_ALL || copy->group + groups < async->group[copy->lane]);
    if (waits)
      settle(warp, copy, warp->worker->now);
    else
      async->copies[kept++] = *copy;
  }
  async->count = kept;
  if (kept < count) unclean(warp->block);
}

void async_track(struct warp *warp, const uint64_t *address) {
  struct async *async = warp->async;
  for (int i = 0; async && i < async->count; i++) {
    struct copy *copy = &async->copies[i];
    if (!(warp->mask >> copy->lane & 1) || copy->tracked) continue;
    uint64_t state = 0;
    copy->barrier = address[copy->lane];
    copy->tracked = mbarrier_state(warp, copy->barrier, &state);
    copy->phase = mbarrier_phase(state);
    copy->when = warp->worker->now & ~TAG_LOW;
  }
}

void async_phase_over(struct block *block, uint64_t address, uint64_t phase) {
  for (int w = 0; w < block->warp_count; w++) {
    struct warp *warp = &block->warps[w];
    struct async *async = warp->async;
    int kept = 0, count = async ? async->count : 0;
    for (int i = 0; i < count; i++) {
      struct copy *copy = &async->copies[i];
      if (copy->tracked && copy->barrier == address && copy->phase <= phase)
        settle(warp, copy, copy->when | (warp->worker->now & TAG_WORKER));
      else
        async->copies[kept++] = *copy;
    }
    if (!count) continue;
    async->count = kept;
    if (kept < count) unclean(block);
  }
}

void async_reset(struct warp *warp) {
  struct async *async = warp->async;
  if (!async) return;
  for (int i = 0; i < async->count; i++) settle(warp, &async->copies[i], 0);
  free(async->copies);
  free(async);
  warp->async = NULL;
}
