/* race_parts.c: what all race checks share: how two accesses are ordered, tags and crowds. */
#include "harness/sim/exec/race_parts.h"

#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/sim/exec/mbarrier.h"
#include "harness/sim/exec/schedule.h"

/* ---- crowds ---- */

/* The crowd at a granule, or NULL; an empty one if add. Crowds move when one is added. */
static struct crowd *find_crowd(const struct launch_state *launch, const access_tag *tags,
                                uint64_t granule, bool add) {
  struct crowds *crowds = launch->crowds;
  struct crowd *crowd = map_find(&crowds->crowds, (uintptr_t)tags, granule, add);
  crowds->failed |= add && !crowd;
  return crowd;
}

static void join_crowd(struct crowds *crowds, struct crowd *crowd, uint64_t block, access_tag tag,
                       uint32_t access) {
  /* So many threads are kept one by one; then one member stands for all of a block's threads. */
  enum { SINGLE_MEMBERS = 64, LOOK_BACK = 8 };
  bool crowded = crowd->count >= SINGLE_MEMBERS;
  int last = crowded ? crowd->count - LOOK_BACK : 0;
  for (int i = crowd->count - 1; i >= last; i--) {
    struct crowd_member *m = &crowd->members[i];
    bool same = tag_thread(m->tag) == tag_thread(tag) && !(m->tag & TAG_WARPS);
    if (m->block != block || (!same && !crowded)) continue;
    m->tag = same ? tag : tag | TAG_WARPS;
    m->access = access;
    return;
  }
  if (ARRAY_RESERVE(crowd->members, crowd->room, crowd->count + 1))
    crowd->members[crowd->count++] = (struct crowd_member){block, tag, access};
  else
    crowds->failed = true;
}

void race_close_crowds(struct crowds *crowds) {
  for (size_t i = 0; i < crowds->crowds.room; i++) {
    const struct crowd *crowd = map_at(&crowds->crowds, i);
    if (crowd) free(crowd->members);
  }
  map_free(&crowds->crowds);
}

/* ---- who is ordered after whom ---- */

uint64_t race_block_behind(const struct warp *warp, const struct place *place, access_tag tag) {
  const struct block *block = warp->block;
  if (!place->allocation) return block->linear;
  if (tag >= block->span.turn && ((tag ^ warp->worker->now) & TAG_WORKER) == 0)
    return block->linear;
  return warp->worker->launch->canonical ? schedule_block_at(warp->worker->launch, tag)
                                         : block->linear + 1;
}

/* The time up to which named barriers order the warp after the tag's; TAG_WARPS: after all. */
static access_tag named_limit(const struct warp *warp, access_tag tag) {
  const access_tag *synced = warp->block->named->synced[warp->index];
  if (!(tag & TAG_WARPS)) return synced[tag_thread(tag) / LANES];
  access_tag limit = warp->worker->now;
  for (int w = 0; w < warp->block->warp_count; w++)
    if (synced[w] < limit) limit = synced[w];
  return limit;
}

/* How the lane is ordered after one access of a block (with TAG_LANES etc.: after several). */
static enum relation relate(const struct warp *warp, int lane, uint64_t block, access_tag tag) {
  const struct block *own = warp->block;
  if (tag & TAG_PENDING) return tag_thread(tag) / LANES == warp->index ? SAME_WARP : SAME_BLOCK;
  if (warp->worker->launch->sync && sync_knows(warp, lane, block, tag)) return ORDERED;
  if (block != own->linear || tag & TAG_BLOCKS) return OTHER_BLOCK;
  if (tag < own->span.interval) return ORDERED;
  if (own->mbarriers && mbarrier_knows(warp, tag)) return ORDERED;
  if (own->named && tag < named_limit(warp, tag)) return ORDERED;
  if (tag & TAG_WARPS) return SAME_BLOCK;
  if (tag_thread(tag) / LANES != warp->index) return SAME_BLOCK;
  if (tag_thread(tag) % LANES == lane && !(tag & TAG_LANES)) return ORDERED;
  /* With TAG_LANES, the lane of the tag is the first of several and stands for all. */
  access_tag synced =
      warp->lane_synced ? warp->lane_synced[lane][tag_thread(tag) % LANES] : warp->synced;
  return tag < synced ? ORDERED : SAME_WARP;
}

/* The operations that left the tags; NULL if they are not kept. */
static uint32_t *names_of(const struct shadow *shadow, const access_tag *tags) {
  return tags == shadow->writes  ? shadow->writers
         : tags == shadow->reads ? shadow->readers
                                 : shadow->updaters;
}

struct other race_find(struct warp *warp, int lane, const struct place *place,
                       const access_tag *tags, uint64_t g) {
  const struct launch_state *launch = warp->worker->launch;
  const uint32_t *names = names_of(place->shadow, tags);
  access_tag tag = tags ? tags[g] : 0;
  struct other other = {ORDERED, 0, tag, tags && names ? names[g] : UINT32_MAX};
  if (tag < race_history(warp, place)) return other;
  const struct crowd *crowd =
      tag & TAG_SEVERAL && launch->canonical ? find_crowd(launch, tags, g, false) : NULL;
  if (!crowd || !crowd->count) {
    other.block = race_block_behind(warp, place, tag);
    other.relation = relate(warp, lane, other.block, tag);
    return other;
  }
  for (int i = crowd->count - 1; i >= 0 && other.relation == ORDERED; i--) {
    const struct crowd_member *m = &crowd->members[i];
    other = (struct other){relate(warp, lane, m->block, m->tag), m->block, m->tag, m->access};
  }
  return other;
}

/* Is a tag obviously of an access of the warp itself, before its last __syncwarp? */
static bool is_synced_tag(const struct warp *warp, const struct place *place, access_tag tag) {
  const struct launch_state *launch = warp->worker->launch;
  bool alone = !(tag & (TAG_WARPS | TAG_BLOCKS | TAG_PENDING)) &&
               (!launch->canonical || !(tag & TAG_SEVERAL)); /* no crowd */
  return alone && !launch->sync && !warp->lane_synced && tag < warp->synced &&
         tag_thread(tag) / LANES == warp->index && !place->allocation;
}

struct other race_find_of(struct warp *warp, uint32_t lanes, const struct place *place,
                          const access_tag *tags, uint64_t g, int *lane) {
  struct other other = {ORDERED, 0, 0, 0};
  if (!tags || tags[g] < race_history(warp, place) || is_synced_tag(warp, place, tags[g]))
    return other;
  /* Whom one thread of another warp is ordered before does not depend on the lane. */
  if (!warp->worker->launch->sync && !(tags[g] & TAG_SEVERAL) &&
      tag_thread(tags[g]) / LANES != warp->index)
    lanes &= -lanes;
  for (uint32_t left = lanes; left && other.relation == ORDERED; left &= left - 1) {
    *lane = __builtin_ctz(left);
    other = race_find(warp, *lane, place, tags, g);
  }
  return other;
}

bool race_report(struct warp *warp, const struct op *op, const struct place *place, int lane,
                 uint64_t at, const struct other *other, enum deed deed, enum deed other_deed,
                 bool same_value, bool narrow) {
  struct launch_state *launch = warp->worker->launch;
  if (!launch->canonical) {
    atomic_store_explicit(&launch->raced, true, memory_order_relaxed);
    atomic_store_explicit(&launch->conflict, true, memory_order_relaxed);
    warp->stop = true;
    return false;
  }
  struct race race = {
      .op = race_op(launch, (uint32_t)op->index), /* op may be a copy on the stack */
      .other_op = race_op(launch, other->access),
      .thread = warp->index * LANES + lane,
      .other_thread = tag_thread(other->tag),
      .other_block = other->block,
      .deed = deed,
      .other_deed = other_deed,
      .relation = other->relation,
      .at = at,
      .same_value = same_value,
      .narrow = narrow,
      .pending = other->tag & TAG_PENDING};
  race.too_early = !place->allocation && deed == WRITES && other_deed == READS &&
                   place->shadow->writes[at >> launch->shared_shift] < warp->block->start;
  if (launch->sync) race.gap = sync_gap(warp, lane, other->block, other->tag);
  race_note(warp, place, &race);
  return true;
}

bool race_has_enough(const struct warp *warp) {
  return warp->block->parted || access_enough(warp->worker, HAZARD_race);
}

access_tag race_add_member(struct warp *warp, const struct place *place, access_tag *tags,
                           uint64_t g, access_tag mine, uint32_t access) {
  struct launch_state *launch = warp->worker->launch;
  const uint32_t *names = names_of(place->shadow, tags);
  access_tag old = tags[g];
  struct crowd *crowd = find_crowd(launch, tags, g, true);
  if (!crowd) return mine;
  if (!crowd->count || !(old & TAG_SEVERAL)) {
    crowd->count = 0;
    join_crowd(launch->crowds, crowd, race_block_behind(warp, place, old), old & ~TAG_SEVERAL,
               names ? names[g] : UINT32_MAX);
  }
  join_crowd(launch->crowds, crowd, warp->block->linear, mine & ~TAG_SEVERAL, access);
  return mine;
}

/* ---- what an access does ---- */

void race_stored_granule(const char *frame, const struct op *op, const struct memo *memo, int lane,
                         int64_t at, unsigned char *bytes) {
  size_t from = (size_t)(at - memo->delta[lane]), size = (size_t)1 << memo->granule_shift;
  for (size_t i = 0; i < size; i++, from++)
    bytes[i] = (unsigned char)
        frame[op->slot[1 + from / op->size] + (size_t)lane * (op->wide ? 8 : 4) + from % op->size];
}

bool race_stored_too(const struct warp *warp, const struct place *place, uint64_t g, uint64_t block,
                     int thread) {
  const struct launch_state *launch = warp->worker->launch;
  const access_tag *tags = place->shadow->writes;
  if (tags[g] & TAG_VOLATILE || !(tags[g] & TAG_SEVERAL)) return false;
  const struct crowd *crowd = find_crowd(launch, tags, g, false);
  for (int i = 0; crowd && i < crowd->count; i++) {
    const struct crowd_member *m = &crowd->members[i];
    if (m->block == block && (m->tag & TAG_WARPS || tag_thread(m->tag) == thread)) return true;
  }
  return false;
}

uint64_t race_flag_key(const struct warp *warp, const struct place *place, uint64_t at) {
  if (place->allocation) return place->allocation->address + (at & ~UINT64_C(3));
  return (SHARED_WINDOW | warp->block->linear << 20) + (at & ~UINT64_C(3));
}
