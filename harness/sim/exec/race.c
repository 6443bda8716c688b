/* race.c: see race.h. exec.c asks first whether all tags of an access are settled (tag_settled); what
 * is here runs when they are not. */
#include "race.h"

#include <stdio.h>
#include <string.h>

#include "cold.h"
#include "crowd.h"
#include "race_report.h"
#include "schedule.h"

struct place race_place(struct warp *warp, const struct memo *memo, uint64_t offset, bool shared) {
  struct block *block = warp->block;
  if (shared)
    return (struct place){.shadow = &block->shadow, .data = block->shared, .offset = offset};
  struct allocation *a = memo->allocation;
  return (struct place){.shadow = &a->shadow, .allocation = a, .data = a->data, .offset = offset};
}

/* ---- who is ordered after whom ---- */

static access_tag history(const struct warp *warp, const struct place *place) {
  return place->allocation ? warp->block->span.history : warp->block->start;
}

/* The block behind a tag that is not history. Optimistic workers do not know each other's. */
static uint64_t block_behind(const struct warp *warp, const struct place *place, access_tag tag) {
  const struct block *block = warp->block;
  if (!place->allocation) return block->linear;
  if (tag >= block->span.turn && ((tag ^ warp->worker->now) & TAG_WORKER) == 0)
    return block->linear;
  return warp->worker->launch->canonical ? schedule_block_at(warp->worker->launch, tag)
                                         : block->linear + 1;
}

/* Up to here the lane is ordered after the lane of the tag (TAG_LANES: the first of several, who stands for
 * those that were with it). */
static access_tag synced_with(const struct warp *warp, int lane, access_tag tag) {
  return warp->lane_synced ? warp->lane_synced[lane][tag_thread(tag) % LANES] : warp->synced;
}

/* Up to here the warp is ordered after the one of the tag, by barriers with names; TAG_WARPS: after all. */
static access_tag named_limit(const struct warp *warp, access_tag tag) {
  const access_tag *synced = warp->block->named->synced[warp->index];
  if (!(tag & TAG_WARPS)) return synced[tag_thread(tag) / LANES];
  access_tag limit = warp->worker->now;
  for (int w = 0; w < warp->block->warp_count; w++)
    if (synced[w] < limit) limit = synced[w];
  return limit;
}

/* How the lane stands to one access of a block (or, with TAG_LANES and so on, to that of several). */
static enum relation relate(const struct warp *warp, int lane, uint64_t block, access_tag tag) {
  const struct block *own = warp->block;
  bool knows = warp->worker->launch->sync && sync_knows(warp, lane, block, tag);
  if (knows) return ORDERED;
  if (block != own->linear || tag & TAG_BLOCKS) return OTHER_BLOCK;
  if (tag < own->span.interval) return ORDERED;
  if (own->named && tag < named_limit(warp, tag)) return ORDERED;
  if (tag & TAG_WARPS) return SAME_BLOCK;
  if (tag_thread(tag) / LANES != warp->index) return SAME_BLOCK;
  if (tag_thread(tag) % LANES == lane && !(tag & TAG_LANES)) return ORDERED;
  return tag < synced_with(warp, lane, tag) ? ORDERED : SAME_WARP;
}

struct other {
  enum relation relation;
  uint64_t block;
  access_tag tag;
  uint32_t access;
};

/* The operations behind tags; NULL if they are not kept. */
static uint32_t *names_of(const struct shadow *shadow, const access_tag *tags) {
  return tags == shadow->writes  ? shadow->writers
         : tags == shadow->reads ? shadow->readers
                                 : shadow->updaters;
}

/* An access behind the tags of a granule that the lane is not ordered after; ORDERED if there is none.
 * tags: writes, reads or atomics of the place; NULL: there are none. */
static struct other find_unordered(struct warp *warp, int lane, const struct place *place,
                                   const access_tag *tags, uint64_t g) {
  const struct launch_state *launch = warp->worker->launch;
  const uint32_t *names = names_of(place->shadow, tags);
  access_tag tag = tags ? tags[g] : 0;
  struct other other = {ORDERED, 0, tag, tags && names ? names[g] : UINT32_MAX};
  if (tag < history(warp, place)) return other;
  const struct crowd *crowd =
      tag & TAG_SEVERAL && launch->canonical ? crowd_find(launch->crowds, tags, g, false) : NULL;
  if (!crowd || !crowd->count) {
    other.block = block_behind(warp, place, tag);
    other.relation = relate(warp, lane, other.block, tag);
    return other;
  }
  for (int i = crowd->count - 1; i >= 0 && other.relation == ORDERED; i--) {
    const struct crowd_member *m = &crowd->members[i];
    other = (struct other){relate(warp, lane, m->block, m->tag), m->block, m->tag, m->access};
  }
  return other;
}

static bool lane_covers(const struct op *op, const struct memo *memo, int lane, int64_t at) {
  return at >= memo->delta[lane] && at < memo->delta[lane] + op->size * op->count;
}

/* The lanes that touch a granule of the memo. */
static uint32_t granule_lanes(const struct op *op, const struct memo *memo, int k) {
  if (memo->granule_lane[k] != LANES) return 1u << memo->granule_lane[k];
  uint32_t lanes = 0;
  for (uint32_t left = memo->mask; left; left &= left - 1)
    if (lane_covers(op, memo, __builtin_ctz(left), memo->granule[k])) lanes |= left & (0 - left);
  return lanes;
}

/* The same for any of the lanes; *lane is the first that is not ordered. */
static struct other find_unordered_of(struct warp *warp, uint32_t lanes, const struct place *place,
                                      const access_tag *tags, uint64_t g, int *lane) {
  struct other other = {ORDERED, 0, 0, 0};
  if (!tags || tags[g] < history(warp, place)) return other;
  for (uint32_t left = lanes; left && other.relation == ORDERED; left &= left - 1) {
    *lane = __builtin_ctz(left);
    other = find_unordered(warp, *lane, place, tags, g);
  }
  return other;
}

/* In an optimistic launch anything that is not ordered ends it. */
static bool gives_up(struct warp *warp) {
  struct launch_state *launch = warp->worker->launch;
  if (launch->canonical) return false;
  atomic_store_explicit(&launch->conflict, true, memory_order_relaxed);
  warp->stop = true;
  return true;
}

static const struct op *op_at(const struct launch_state *launch, uint32_t index) {
  return index < (uint32_t)launch->op_total ? launch->ops[index] : NULL;
}

static void note(struct warp *warp, const struct op *op, const struct place *place, int lane,
                 uint64_t at, const struct other *other, enum deed deed, enum deed other_deed,
                 bool same_value, bool narrow) {
  struct launch_state *launch = warp->worker->launch;
  struct race race = {.op = op_at(launch, (uint32_t)op->index), /* op may be a copy on the stack */
                      .other_op = op_at(launch, other->access),
                      .thread = warp->index * LANES + lane,
                      .other_thread = tag_thread(other->tag),
                      .other_block = other->block,
                      .deed = deed,
                      .other_deed = other_deed,
                      .relation = other->relation,
                      .at = at,
                      .same_value = same_value,
                      .narrow = narrow};
  race.too_early = !place->allocation && deed == WRITES && other_deed == READS &&
                   place->shadow->writes[at >> launch->shared_shift] < warp->block->start;
  if (launch->sync) race.gap = sync_gap(warp, lane, other->block, other->tag);
  race_note(warp, place, &race);
}

static bool enough(const struct warp *warp) {
  return warp->block->parted || access_enough(warp->worker, HAZARD_race);
}

/* ---- tags of several ---- */

static access_tag several(enum relation relation) {
  return relation == SAME_WARP    ? TAG_LANES
         : relation == SAME_BLOCK ? TAG_WARPS
         : relation == ORDERED    ? 0
                                  : TAG_BLOCKS;
}

/* The tag and what crowd there is at a granule get one more member, who is not ordered after them. */
static access_tag add_member(struct warp *warp, const struct place *place, access_tag *tags,
                             uint64_t g, access_tag mine, uint32_t access) {
  struct launch_state *launch = warp->worker->launch;
  const uint32_t *names = names_of(place->shadow, tags);
  access_tag old = tags[g];
  struct crowd *crowd = crowd_find(launch->crowds, tags, g, true);
  if (!crowd) return mine;
  if (!crowd->count || !(old & TAG_SEVERAL)) {
    crowd->count = 0;
    crowd_join(launch->crowds, crowd, block_behind(warp, place, old), old & ~TAG_SEVERAL,
               names ? names[g] : UINT32_MAX);
  }
  crowd_join(launch->crowds, crowd, warp->block->linear, mine & ~TAG_SEVERAL, access);
  return mine;
}

/* Replaces a tag. In an optimistic launch another worker may do so at the same time: who comes second
 * looks again. */
static bool replace(const struct warp *warp, access_tag *tag, access_tag old, access_tag next) {
  if (!warp->worker->launch->canonical)
    return __atomic_compare_exchange_n(tag, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  *tag = next;
  return true;
}

/* ---- reads ---- */

/* The read tag of a granule after one more read: who is ordered before the reader is forgotten, another
 * stays, marked as one of several. */
static void tag_read(struct warp *warp, const struct op *op, const struct place *place, uint64_t g,
                     uint32_t lanes) {
  struct worker *worker = warp->worker;
  access_tag *tags = place->shadow->reads;
  bool keeps_all = worker->launch->sync;
  int lane = __builtin_ctz(lanes);
  access_tag mine = worker->now | (uint64_t)(warp->index * LANES + lane);
  for (;;) {
    access_tag old = tags[g], next = mine;
    bool untouched = old < history(warp, place), adds_blocks = false;
    if (!untouched) {
      int first = lane;
      struct other other = find_unordered_of(warp, lanes, place, tags, g, &first);
      if (other.relation != ORDERED && keeps_all) {
        next = add_member(warp, place, tags, g, mine, (uint32_t)op->index) |
               several(other.relation) | (old & TAG_SEVERAL);
      } else if (other.relation != ORDERED) {
        next = old | several(other.relation);
        adds_blocks = next & ~old & TAG_BLOCKS;
        if (next == old) return;
      }
    }
    if (lanes & (lanes - 1)) {
      if (keeps_all)
        for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
          tags[g] = next;
          next = add_member(warp, place, tags, g,
                            worker->now | (uint64_t)(warp->index * LANES + __builtin_ctz(left)),
                            (uint32_t)op->index) |
                 (next & TAG_SEVERAL);
        }
      next |= TAG_LANES;
    }
    if (!replace(warp, &tags[g], old, next)) continue;
    if (place->allocation) {
      tag_counts(worker, place->allocation)->read += untouched;
      tag_counts(worker, place->allocation)->shared += adds_blocks;
    }
    if (place->shadow->readers && (untouched || !(next & TAG_SEVERAL) || keeps_all))
      place->shadow->readers[g] = (uint32_t)op->index;
    return;
  }
}

void race_tag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place) {
  for (int k = 0; k < memo->granule_count; k++)
    tag_read(warp, op, place,
             (place->offset + (uint64_t)(int64_t)memo->granule[k]) >> memo->granule_shift,
             granule_lanes(op, memo, k));
}

/* An element that nobody has written: if somebody still does before the barrier, it is a race, and
 * the store will say so. */
static void note_unwritten(struct warp *warp, const struct op *op, uint32_t offset, int thread) {
  struct block *block = warp->block;
  if (!warp->worker->launch->canonical)
    race_note_unwritten(warp, op, offset, thread);
  else if (block->unwritten_count < MOST_UNWRITTEN) /* beyond that, they are no news */
    block->unwritten[block->unwritten_count++] =
        (struct unwritten){op_at(warp->worker->launch, (uint32_t)op->index), offset, thread};
}

void race_settle_unwritten(struct block *block) {
  for (int i = 0; i < block->unwritten_count; i++) {
    const struct unwritten *u = &block->unwritten[i];
    uint32_t g = u->offset >> block->worker->launch->shared_shift;
    access_tag wrote = block->shadow.writes[g], updated = block->shadow.atomics[g],
               tag = wrote > updated ? wrote : updated;
    bool raced = tag >= block->span.interval && tag_thread(tag) != u->thread;
    if (!raced) race_note_unwritten(&block->warps[u->thread / LANES], u->op, u->offset, u->thread);
  }
  block->unwritten_count = 0;
}

/* Is a thread among those who have stored the value that a granule holds, all the same one? */
static bool stored_it_too(const struct warp *warp, const struct place *place, uint64_t g,
                          uint64_t block, int thread) {
  const struct launch_state *launch = warp->worker->launch;
  const access_tag *tags = place->shadow->writes;
  if (tags[g] & TAG_VOLATILE || !(tags[g] & TAG_SEVERAL)) return false;
  const struct crowd *crowd = crowd_find(launch->crowds, tags, g, false);
  for (int i = 0; crowd && i < crowd->count; i++) {
    const struct crowd_member *m = &crowd->members[i];
    if (m->block == block && (m->tag & TAG_WARPS || tag_thread(m->tag) == thread)) return true;
  }
  return false;
}

/* A read of a granule by lanes: does it meet a write or an atomic that it is not ordered after? False:
 * the optimistic launch is over. */
static bool check_read(struct warp *warp, const struct op *op, const struct place *place,
                       uint64_t at, uint64_t g, uint32_t lanes) {
  const struct shadow *shadow = place->shadow;
  int lane = __builtin_ctz(lanes);
  struct other other = find_unordered_of(warp, lanes, place, shadow->writes, g, &lane);
  enum deed deed = WRITES;
  bool same_value = false;
  if (op->polls && other.tag & TAG_VOLATILE) other.relation = ORDERED;
  if (other.relation != ORDERED && warp->worker->launch->canonical)
    same_value = stored_it_too(warp, place, g, warp->block->linear, warp->index * LANES + lane);
  if (other.relation == ORDERED && !op->polls) {
    other = find_unordered_of(warp, lanes, place, shadow->atomics, g, &lane);
    deed = UPDATES;
  }
  if (other.relation == ORDERED) return true;
  if (gives_up(warp)) return false;
  note(warp, op, place, lane, at, &other, READS, deed, same_value, false);
  return true;
}

uint32_t race_load(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place) {
  bool done = enough(warp), tags = place->allocation != NULL && !op->polls;
  uint32_t never = 0;
  for (int k = 0; k < memo->granule_count; k++) {
    uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k],
             g = at >> memo->granule_shift;
    const access_tag *atomics = place->shadow->atomics;
    uint32_t lanes = granule_lanes(op, memo, k);
    if (place->shadow->writes[g] >= history(warp, place) ||
        (atomics && atomics[g] >= history(warp, place))) {
      if (!done && !check_read(warp, op, place, at, g, lanes)) return 0;
    } else if (!place->allocation) {
      if (!warp->block->parted && !access_enough(warp->worker, HAZARD_uninit))
        note_unwritten(warp, op, (uint32_t)at, warp->index * LANES + __builtin_ctz(lanes));
      never |= lanes;
    }
    if (tags && !done) tag_read(warp, op, place, g, lanes);
  }
  return never;
}

/* ---- writes ---- */

/* The granule at byte offset `at` (from the first lane's address) of what a lane stores. */
static void stored_granule(const char *frame, const struct op *op, const struct memo *memo,
                           int lane, int64_t at, unsigned char *bytes) {
  size_t from = (size_t)(at - memo->delta[lane]), size = (size_t)1 << memo->granule_shift;
  for (size_t i = 0; i < size; i++, from++)
    bytes[i] = (unsigned char)
        frame[op->slot[1 + from / op->size] + (size_t)lane * (op->wide ? 8 : 4) + from % op->size];
}

/* Lanes of one instruction store to the same granule: the second of a pair whose values differ, or -1. */
static int differing_lane(const char *frame, const struct op *op, const struct memo *memo,
                          uint32_t lanes, int64_t at, int *first) {
  unsigned char value[4], other[4];
  *first = __builtin_ctz(lanes);
  stored_granule(frame, op, memo, *first, at, value);
  for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
    int i = __builtin_ctz(left);
    stored_granule(frame, op, memo, i, at, other);
    if (memcmp(value, other, (size_t)1 << memo->granule_shift) != 0) return i;
  }
  return -1;
}

/* A flag is known by its address; shared memory has one for each block. */
static uint64_t flag_key(const struct warp *warp, const struct place *place, uint64_t at) {
  if (place->allocation) return place->allocation->address + (at & ~UINT64_C(3));
  return (SHARED_WINDOW | warp->block->linear << 20) + (at & ~UINT64_C(3));
}

bool race_array_is_clean(struct block *block, int index) {
  const struct launch_state *launch = block->worker->launch;
  const struct shared_array *array = &launch->arrays[index];
  access_tag now = block->span.interval, span = now - block->start;
  if (block->unclean[index] == now) return false;
  uint32_t from = array->start >> launch->shared_shift,
           to = (array->start + array->size) >> launch->shared_shift;
  uint32_t outside = 0;
  for (uint32_t g = from; g < to && !outside; g += 64)
    for (uint32_t i = g; i < g + 64 && i < to; i++) {
      access_tag w = block->shadow.writes[i], u = block->shadow.atomics[i];
      outside |= (w > u ? w : u) - block->start >= span;
    }
  if (outside)
    block->unclean[index] = now;
  else
    block->clean[index] = now;
  return !outside;
}

static bool leaves_value(const struct warp *warp, const struct op *op, const struct memo *memo,
                         const struct place *place, const char *frame, int k, int lane) {
  uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k];
  unsigned char value[4];
  if (!place->allocation && /* what was never written has no value that could be the same */
      place->shadow->writes[at >> memo->granule_shift] < warp->block->start &&
      place->shadow->atomics[at >> memo->granule_shift] < warp->block->start)
    return false;
  stored_granule(frame, op, memo, lane, memo->granule[k], value);
  return memcmp(place->data + at, value, (size_t)1 << memo->granule_shift) == 0;
}

/* Does the store of a lane meet a write or a read that it is not ordered after? Notes it; *same: what it
 * meets is a store of the same value, with the relation given. False: the optimistic launch is over. */
static bool check_write(struct warp *warp, const struct op *op, const struct memo *memo,
                        const struct place *place, const char *frame, int k, uint32_t lanes,
                        enum relation *same) {
  uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k], g = at >> memo->granule_shift;
  int lane = __builtin_ctz(lanes);
  struct other other = find_unordered_of(warp, lanes, place, place->shadow->writes, g, &lane);
  if (other.relation != ORDERED) {
    if (gives_up(warp)) return false;
    bool same_value = leaves_value(warp, op, memo, place, frame, k, lane);
    note(warp, op, place, lane, at, &other, WRITES, WRITES, same_value, false);
    if (!same_value) return true;
    *same = other.relation;
  }
  struct other update = find_unordered_of(warp, lanes, place, place->shadow->atomics, g, &lane);
  if (update.relation != ORDERED) {
    if (gives_up(warp)) return false;
    note(warp, op, place, lane, at, &update, WRITES, UPDATES, false, false);
    return true;
  }
  struct other reader = find_unordered_of(warp, lanes, place, place->shadow->reads, g, &lane);
  if (reader.relation == ORDERED) return true;
  if (gives_up(warp)) return false;
  bool one_of_them =
      *same != ORDERED &&
      ((reader.block == other.block && tag_thread(reader.tag) == tag_thread(other.tag)) ||
       stored_it_too(warp, place, g, reader.block, tag_thread(reader.tag)));
  if (!one_of_them) note(warp, op, place, lane, at, &reader, WRITES, READS, false, false);
  return true;
}

static void note_collision(struct warp *warp, const struct op *op, const struct place *place,
                           uint64_t at, int lane, int other_lane) {
  struct other other = {SAME_WARP, warp->block->linear,
                        (access_tag)(warp->index * LANES + other_lane), (uint32_t)op->index};
  note(warp, op, place, lane, at, &other, WRITES, WRITES, false, false);
}

void race_store(struct warp *warp, const struct op *op, const struct memo *memo,
                const struct place *place, const char *frame) {
  struct worker *worker = warp->worker;
  struct launch_state *launch = worker->launch;
  bool checks = !enough(warp);
  for (int k = 0; k < memo->granule_count; k++) {
    uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k],
             g = at >> memo->granule_shift;
    uint32_t lanes = granule_lanes(op, memo, k);
    int lane = __builtin_ctz(lanes);
    enum relation same = ORDERED;
    if (checks && lanes & (lanes - 1)) {
      int differs = differing_lane(frame, op, memo, lanes, memo->granule[k], &lane);
      if (differs >= 0) {
        if (gives_up(warp)) return;
        note_collision(warp, op, place, at, differs, lane);
      }
    }
    if (!place->shadow->writes)
      continue; /* only collisions within the instruction are looked for */
    if (checks && !check_write(warp, op, memo, place, frame, k, lanes, &same)) return;
    access_tag *tags = place->shadow->writes, old = tags[g];
    access_tag tag =
        worker->now | (uint64_t)(warp->index * LANES + lane) | (op->is_volatile ? TAG_VOLATILE : 0);
    bool crowds = launch->canonical && checks;
    if (same != ORDERED && crowds)
      tag = add_member(warp, place, tags, g, tag, (uint32_t)op->index) | several(same) |
            (old & TAG_SEVERAL);
    if (lanes & (lanes - 1)) {
      for (uint32_t left = lanes & (lanes - 1); left && crowds; left &= left - 1) {
        tags[g] = tag;
        add_member(warp, place, tags, g,
                   worker->now | (uint64_t)(warp->index * LANES + __builtin_ctz(left)),
                   (uint32_t)op->index);
        tag |= TAG_LANES;
      }
      tag |= TAG_LANES;
    }
    if (op->is_volatile && launch->sync) {
      uint64_t value = 0;
      stored_granule(frame, op, memo, lane, memo->granule[k], (unsigned char *)&value);
      access_tag flagged =
          sync_flag(warp, lane,
                    &(struct flag_access){.key = flag_key(warp, place, at),
                                          .new_value = value,
                                          .scope = op->narrow ? SCOPE_BLOCK : SCOPE_DEVICE,
                                          .writes = true,
                                          .releases = op->releases});
      if (flagged) tag = flagged | (tag & TAG_LOW);
    }
    if (place->allocation)
      tag_counts(worker, place->allocation)->written += old < history(warp, place);
    tags[g] = tag;
    if (place->shadow->writers) place->shadow->writers[g] = (uint32_t)op->index;
  }
}

/* ---- atomics ---- */

/* Is nothing wrong with an atomic at a granule that has only seen atomics since it was last settled, in
 * the usual scope, in a launch that keeps no crowds? *next: its tag. */
static bool plain_atomic(const struct warp *warp, const struct place *place, uint64_t g,
                         access_tag mine, access_tag *next) {
  const struct block *block = warp->block;
  const struct shadow *shadow = place->shadow;
  access_tag u = shadow->atomics[g];
  struct span span = block->span;
  if (!place->allocation) span.history = span.turn = block->start;
  if (warp->worker->launch->sync || mine & TAG_BLOCK_SCOPE || u & TAG_BLOCK_SCOPE ||
      !tag_settled(shadow->writes[g], &span, mine) || !tag_settled(shadow->reads[g], &span, mine))
    return false;
  if (!place->allocation && u < span.history && shadow->writes[g] < span.history)
    return false; /* never written */
  *next = mine;
  if (u < span.history) return true;
  if (u & TAG_BLOCKS || block_behind(warp, place, u) != block->linear) {
    *next |= TAG_BLOCKS;
    return true;
  }
  if (u < span.interval) return true;
  *next |= u & TAG_SEVERAL;
  if (tag_thread(u) != tag_thread(mine))
    *next |= tag_thread(u) / LANES == warp->index ? TAG_LANES : TAG_WARPS;
  return true;
}

/* *meets: how the lane stands to the atomics before it. */
static bool check_atomic(struct warp *warp, const struct op *op, const struct place *place,
                         uint64_t at, uint64_t g, int lane, bool changes, enum relation *meets) {
  const struct shadow *shadow = place->shadow;
  struct other update = find_unordered(warp, lane, place, shadow->atomics, g), other;
  bool narrow = op->narrow || shadow->atomics[g] & TAG_BLOCK_SCOPE;
  enum deed deed = WRITES;
  *meets = update.relation;
  other = find_unordered(warp, lane, place, shadow->writes, g);
  if (other.tag & TAG_VOLATILE && !changes) other.relation = ORDERED; /* it polls a flag */
  if (other.relation == ORDERED && changes) {
    other = find_unordered(warp, lane, place, shadow->reads, g);
    deed = READS;
  }
  bool apart =
      update.relation == OTHER_BLOCK || (update.relation != ORDERED && update.tag & TAG_BLOCKS);
  if (other.relation == ORDERED && narrow && apart) {
    other = update;
    deed = UPDATES;
  }
  if (other.relation == ORDERED) return true;
  if (gives_up(warp)) return false;
  note(warp, op, place, lane, at, &other, UPDATES, deed, false, deed == UPDATES);
  return true;
}

/* The tag of an atomic on a granule. One whose result decides something has seen all updates before it:
 * who comes after it comes after them. */
static void tag_atomic(struct warp *warp, const struct op *op, const struct place *place,
                       uint64_t g, access_tag mine, enum relation meets) {
  struct worker *worker = warp->worker;
  access_tag *tags = place->shadow->atomics;
  for (;;) {
    access_tag old = tags[g], next = mine;
    bool untouched = old < history(warp, place);
    if (!untouched) next |= old & TAG_BLOCK_SCOPE;
    if (!untouched && meets != ORDERED && !op->polls) {
      next |= several(meets) | (old & TAG_SEVERAL);
      if (worker->launch->sync) add_member(warp, place, tags, g, mine, (uint32_t)op->index);
    }
    if (!replace(warp, &tags[g], old, next)) continue;
    if (place->allocation) {
      tag_counts(worker, place->allocation)->written += untouched;
      tag_counts(worker, place->allocation)->shared += next & ~old & TAG_BLOCKS ? 1 : 0;
    }
    return;
  }
}

void race_atomic(struct warp *warp, const struct op *op, const struct memo *memo,
                 const struct place *place, const struct atomic_access *access) {
  struct launch_state *launch = warp->worker->launch;
  int lane = access->lane;
  access_tag mine = warp->worker->now | (uint64_t)(warp->index * LANES + lane) |
                    (op->narrow ? TAG_BLOCK_SCOPE : 0);
  bool changes = !op->polls || access->old_value != access->new_value, checks = !enough(warp);
  uint64_t first = place->offset + (uint64_t)memo->delta[lane];
  if (launch->sync) {
    bool takes = op->code != ATOMIC_ADD && op->code != ATOMIC_INC && op->code != ATOMIC_DEC;
    access_tag flagged =
        sync_flag(warp, lane,
                  &(struct flag_access){.key = flag_key(warp, place, first),
                                        .old_value = access->old_value,
                                        .new_value = access->new_value,
                                        .scope = op->narrow ? SCOPE_BLOCK : SCOPE_DEVICE,
                                        .reads = true,
                                        .writes = changes,
                                        .is_update = true,
                                        .takes = takes,
                                        .decides = op->polls,
                                        .acquires = op->acquires,
                                        .releases = op->releases});
    if (flagged) mine = flagged | (mine & TAG_LOW);
  }
  for (uint64_t at = first; at < first + op->size; at += UINT64_C(1) << memo->granule_shift) {
    uint64_t g = at >> memo->granule_shift;
    enum relation meets = ORDERED;
    access_tag *tags = place->shadow->atomics, next, old = tags[g];
    if (plain_atomic(warp, place, g, mine, &next) && !op->polls) {
      bool untouched = old < history(warp, place), shares = !untouched && next & ~old & TAG_BLOCKS;
      if (replace(warp, &tags[g], old, next)) {
        if (place->allocation) {
          tag_counts(warp->worker, place->allocation)->written += untouched;
          tag_counts(warp->worker, place->allocation)->shared += shares;
        }
        if (place->shadow->updaters) place->shadow->updaters[g] = (uint32_t)op->index;
        continue;
      }
    }
    if (!place->allocation && old < warp->block->start &&
        place->shadow->writes[g] < warp->block->start && op->code != ATOMIC_EXCH && checks)
      note_unwritten(warp, op, (uint32_t)at, warp->index * LANES + lane);
    if (checks && !check_atomic(warp, op, place, at, g, lane, changes, &meets)) return;
    if (!changes && old >= history(warp, place)) continue;
    tag_atomic(warp, op, place, g, mine, meets);
    if (place->shadow->updaters) place->shadow->updaters[g] = (uint32_t)op->index;
  }
}

void race_flag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                    const struct place *place) {
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    uint64_t at = place->offset + (uint64_t)memo->delta[lane];
    sync_flag(warp, lane,
              &(struct flag_access){.key = flag_key(warp, place, at),
                                    .scope = op->narrow ? SCOPE_BLOCK : SCOPE_DEVICE,
                                    .reads = true,
                                    .decides = op->polls,
                                    .acquires = op->acquires});
  }
}

/* ---- global memory: what nothing has written ---- */

uint32_t race_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset) {
  const struct allocation *a = memo->allocation;
  int bytes = op->size * op->count;
  uint32_t never = 0;
  if (access_enough(warp->worker, HAZARD_uninit)) return 0;
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    uint64_t at = offset + (uint64_t)memo->delta[i];
    bool fine = true;
    if (bytes == 4) {
      fine = a->initialised[at / 4] == 0xf;
    } else if (bytes > 4) {
      for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++)
        fine = fine && a->initialised[word] == 0xf;
    } else {
      unsigned need = ((1u << bytes) - 1) << (at & 3);
      fine = (a->initialised[at / 4] & need) == need;
    }
    if (!fine) never |= 1u << i;
  }
  if (never) race_note_never_written(warp, op, memo, offset, never);
  return never;
}

void race_mark_written(const struct worker *worker, struct allocation *a, const struct op *op,
                       const struct memo *memo, uint64_t offset) {
  int bytes = op->size * op->count;
  if (a->all_initialised) return;
  if (access_enough(worker, HAZARD_uninit)) { /* nobody looks any more */
    memory_mark_initialised(a, 0, a->size);
    return;
  }
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    uint64_t at = offset + (uint64_t)memo->delta[__builtin_ctz(left)];
    if (bytes == 4)
      a->initialised[at / 4] = 0xf;
    else if (bytes > 4)
      memset(a->initialised + at / 4, 0xf, (size_t)bytes / 4);
    else
      __atomic_fetch_or(&a->initialised[at / 4], (uint8_t)(((1u << bytes) - 1) << (at & 3)),
                        __ATOMIC_RELAXED);
  }
}
