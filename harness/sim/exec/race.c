/* race.c: race checks of reads, and the place that an access goes to. */
#include "harness/sim/exec/race.h"

#include "harness/sim/exec/race_parts.h"

struct place race_place(struct warp *warp, const struct memo *memo, uint64_t offset, bool shared) {
  struct block *block = warp->block;
  if (shared)
    return (struct place){.shadow = &block->shadow, .data = block->shared, .offset = offset};
  struct allocation *a = memo->allocation;
  return (struct place){.shadow = &a->shadow, .allocation = a, .data = a->data, .offset = offset};
}

/* The read tag of a granule after one more read: a reader that is ordered before this one is
 * replaced, another one stays, marked as one of several. */
static void tag_read(struct warp *warp, const struct op *op, const struct place *place, uint64_t g,
                     uint32_t lanes) {
  struct worker *worker = warp->worker;
  access_tag *tags = place->shadow->reads;
  bool keeps_all = worker->launch->sync;
  int lane = __builtin_ctz(lanes);
  access_tag mine = worker->now | (uint64_t)(warp->index * LANES + lane);
  for (;;) {
    access_tag old = tags[g], next = mine;
    bool untouched = old < race_history(warp, place), adds_blocks = false;
    if (!untouched) {
      int first = lane;
      struct other other = race_find_of(warp, lanes, place, tags, g, &first);
      if (other.relation != ORDERED && keeps_all) {
        next = race_add_member(warp, place, tags, g, mine, (uint32_t)op->index) |
               race_several(other.relation) | (old & TAG_SEVERAL);
      } else if (other.relation != ORDERED) {
        next = old | race_several(other.relation);
        adds_blocks = next & ~old & TAG_BLOCKS;
        if (next == old) return;
      }
    }
    if (lanes & (lanes - 1)) {
      if (keeps_all)
        EACH_ACTIVE (i, lanes & (lanes - 1)) {
          tags[g] = next;
          next = race_add_member(warp, place, tags, g,
                                 worker->now | (uint64_t)(warp->index * LANES + i),
                                 (uint32_t)op->index) |
                 (next & TAG_SEVERAL);
        }
      next |= TAG_LANES;
    }
    if (!race_replace(warp, &tags[g], old, next)) continue;
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
  race_charge(warp, place, memo->granule_count);
  for (int k = 0; k < memo->granule_count; k++)
    tag_read(warp, op, place,
             (place->offset + (uint64_t)(int64_t)memo->granule[k]) >> memo->granule_shift,
             race_granule_lanes(memo, k));
}

/* A read of a granule by lanes: does it meet a write or an atomic that it is not ordered after?
 * False: the optimistic launch is over. */
static bool check_read(struct warp *warp, const struct op *op, const struct place *place,
                       uint64_t at, uint64_t g, uint32_t lanes) {
  const struct shadow *shadow = place->shadow;
  int lane = __builtin_ctz(lanes);
  struct other other = race_find_of(warp, lanes, place, shadow->writes, g, &lane);
  enum deed deed = WRITES;
  bool same_value = false;
  if (op->polls && other.tag & TAG_VOLATILE) other.relation = ORDERED;
  if (other.relation != ORDERED && warp->worker->launch->canonical)
    same_value = race_stored_too(warp, place, g, warp->block->linear, warp->index * LANES + lane);
  if (other.relation == ORDERED && !op->polls) {
    other = race_find_of(warp, lanes, place, shadow->atomics, g, &lane);
    deed = UPDATES;
  }
  if (other.relation == ORDERED) return true;
  return race_report(warp, op, place, lane, at, &other, READS, deed, same_value, false);
}

uint32_t race_load(struct warp *warp, const struct op *op, const struct memo *memo,
                   const struct place *place) {
  bool done = race_has_enough(warp), tags = place->allocation != NULL && !op->polls;
  uint32_t never = 0;
  int used = 0;
  race_loosen(warp, memo, place, false);
  for (int k = 0; k < memo->granule_count; k++) {
    uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k],
             g = at >> memo->granule_shift;
    const access_tag *atomics = place->shadow->atomics;
    bool written = place->shadow->writes[g] >= race_history(warp, place) ||
                   (atomics && atomics[g] >= race_history(warp, place));
    if (written && done) { /* nothing more is reported */
      used++;
      continue;
    }
    uint32_t lanes = race_granule_lanes(memo, k);
    if (written) {
      used++;
      if (!check_read(warp, op, place, at, g, lanes)) return 0;
    } else if (!place->allocation) {
      if (!warp->block->parted && !access_enough(warp->worker, HAZARD_uninit))
        race_note_later(warp, op, (uint32_t)at, warp->index * LANES + __builtin_ctz(lanes));
      never |= lanes;
    }
    if (tags && !done) tag_read(warp, op, place, g, lanes);
  }
  race_charge(warp, place, used);
  return never;
}
