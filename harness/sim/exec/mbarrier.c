/* mbarrier.c: what mbarriers order. */
#include "harness/sim/exec/mbarrier.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

/* Of an mbarrier, by thread: the time before which its accesses are ordered before the end of the
 * phase at hand, and of the last one that is over. */
struct order {
  uint64_t offset;
  access_tag *joined, *over;
};
struct mbarriers {
  struct order *orders;
  int count, room, threads;
  access_tag *known; /* [warp][thread]: earlier accesses are ordered before what the warp does */
};

static void merge(access_tag *into, const access_tag *from, int count) {
  for (int i = 0; i < count; i++) into[i] = from[i] > into[i] ? from[i] : into[i];
}

static struct mbarriers *mbarriers_of(struct block *block) {
  if (block->mbarriers) return block->mbarriers;
  struct mbarriers *all = calloc(1, sizeof *all);
  if (!all) return NULL;
  all->threads = block->warp_count * LANES;
  all->known = calloc((size_t)(block->warp_count * all->threads), sizeof *all->known);
  if (!all->known) {
    free(all);
    return NULL;
  }
  return block->mbarriers = all;
}

static struct order *find_order(struct mbarriers *all, uint64_t offset) {
  for (int i = 0; i < all->count; i++)
    if (all->orders[i].offset == offset) return &all->orders[i];
  return NULL;
}

/* The one of this offset, a new one if need be; NULL: no memory. */
static struct order *order_of(struct mbarriers *all, uint64_t offset) {
  struct order *order = find_order(all, offset);
  if (order || !ARRAY_RESERVE(all->orders, all->room, all->count + 1)) return order;
  access_tag *tags = calloc((size_t)all->threads, 2 * sizeof *tags);
  if (!tags) return NULL;
  order = &all->orders[all->count++];
  *order = (struct order){offset, tags, tags + all->threads};
  return order;
}

void mbarrier_arrive(struct warp *warp, uint64_t offset, uint32_t lanes, bool ends) {
  struct worker *worker = warp->worker;
  struct mbarriers *all = mbarriers_of(warp->block);
  struct order *order = all ? order_of(all, offset) : NULL;
  if (!order) {
    worker->out_of_memory = true;
    return;
  }
  worker->now += TAG_TICK;
  access_tag now = worker->now & ~TAG_LOW, *own = order->joined + warp->index * LANES;
  merge(order->joined, all->known + warp->index * all->threads, all->threads);
  for (int j = 0; j < LANES; j++) {
    access_tag known = lanes >> j & 1 ? now : warp->synced;
    if (warp->lane_synced && !(lanes >> j & 1))
      EACH_ACTIVE (i, lanes)
        if (warp->lane_synced[i][j] > known) known = warp->lane_synced[i][j];
    if (known > own[j]) own[j] = known;
  }
  if (ends) memcpy(order->over, order->joined, (size_t)all->threads * sizeof *order->over);
}

void mbarrier_pass(struct warp *warp, uint64_t offset) {
  struct mbarriers *all = warp->block->mbarriers;
  const struct order *order = all ? find_order(all, offset) : NULL;
  if (order) merge(all->known + warp->index * all->threads, order->over, all->threads);
}

void mbarrier_share(struct block *block, uint32_t arrived, uint32_t waited) {
  struct mbarriers *all = block->mbarriers;
  if (!all) return;
  EACH_ACTIVE (w, waited)
    EACH_ACTIVE (v, arrived)
      merge(all->known + w * all->threads, all->known + v * all->threads, all->threads);
}

bool mbarrier_knows(const struct warp *warp, access_tag tag) {
  const struct mbarriers *all = warp->block->mbarriers;
  if (!all) return false;
  const access_tag *known = all->known + warp->index * all->threads;
  int first = tag_thread(tag), count = 1;
  if (tag & TAG_WARPS) {
    first = 0;
    count = warp->worker->launch->threads_per_block;
  } else if (tag & TAG_LANES) {
    first -= first % LANES;
    count = LANES;
  }
  for (int i = first; i < first + count; i++)
    if (tag >= known[i]) return false;
  return true;
}

void mbarrier_reset(struct block *block) {
  struct mbarriers *all = block->mbarriers;
  if (!all) return;
  for (int i = 0; i < all->count; i++) free(all->orders[i].joined);
  free(all->orders);
  free(all->known);
  free(all);
  block->mbarriers = NULL;
}
