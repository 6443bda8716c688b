/* race_atomic.c: race checks of atomics, and of loads that read flags. */
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/race_parts.h"

/* The fast path: an atomic of ordinary scope on a granule that has seen only atomics since it was
 * last settled, in a launch without crowds, cannot race. *next: its tag. */
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
  if (u & TAG_BLOCKS || race_block_behind(warp, place, u) != block->linear) {
    *next |= TAG_BLOCKS;
    return true;
  }
  if (u < span.interval) return true;
  *next |= u & TAG_SEVERAL;
  if (tag_thread(u) != tag_thread(mine))
    *next |= tag_thread(u) / LANES == warp->index ? TAG_LANES : TAG_WARPS;
  return true;
}

/* meets: how the lane is ordered after earlier atomics. */
static bool check_atomic(struct warp *warp, const struct op *op, const struct place *place,
                         uint64_t at, uint64_t g, int lane, bool changes, enum relation *meets) {
  const struct shadow *shadow = place->shadow;
  struct other update = race_find(warp, lane, place, shadow->atomics, g), other;
  bool narrow = op->block_scope || shadow->atomics[g] & TAG_BLOCK_SCOPE;
  enum deed deed = WRITES;
  *meets = update.relation;
  other = race_find(warp, lane, place, shadow->writes, g);
  if (other.tag & TAG_VOLATILE && !changes) other.relation = ORDERED; /* it polls a flag */
  if (other.relation == ORDERED && changes) {
    other = race_find(warp, lane, place, shadow->reads, g);
    deed = READS;
  }
  bool apart =
      update.relation == OTHER_BLOCK || (update.relation != ORDERED && update.tag & TAG_BLOCKS);
  if (other.relation == ORDERED && narrow && apart) {
    other = update;
    deed = UPDATES;
  }
  if (other.relation == ORDERED) return true;
  return race_report(warp, op, place, lane, at, &other, UPDATES, deed, false, deed == UPDATES);
}

/* The tag of an atomic on a granule. One whose result decides something has seen all earlier
 * updates, so what is ordered after it is ordered after those. */
static void tag_atomic(struct warp *warp, const struct op *op, const struct place *place,
                       uint64_t g, access_tag mine, enum relation meets) {
  struct worker *worker = warp->worker;
  access_tag *tags = place->shadow->atomics;
  for (;;) {
    access_tag old = tags[g], next = mine;
    bool untouched = old < race_history(warp, place);
    if (!untouched) next |= old & TAG_BLOCK_SCOPE;
    if (!untouched && meets != ORDERED && !op->polls) {
      next |= race_several(meets) | (old & TAG_SEVERAL);
      if (worker->launch->sync) race_add_member(warp, place, tags, g, mine, (uint32_t)op->index);
    }
    if (!race_replace(warp, &tags[g], old, next)) continue;
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
                    (op->block_scope ? TAG_BLOCK_SCOPE : 0);
  bool changes = !op->polls || access->old_value != access->new_value,
       checks = !race_has_enough(warp);
  uint64_t first = place->offset + (uint64_t)memo->delta[lane];
  if (launch->sync && op->access.atomic < ATOMIC_ARRIVE) {
    bool takes = op->access.atomic != ATOMIC_ADD && op->access.atomic != ATOMIC_INC &&
                 op->access.atomic != ATOMIC_DEC;
    access_tag flagged =
        sync_flag(warp, lane,
                  &(struct flag_access){.key = race_flag_key(warp, place, first),
                                        .old_value = access->old_value,
                                        .new_value = access->new_value,
                                        .scope = op->block_scope ? SCOPE_BLOCK : SCOPE_DEVICE,
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
    if (place->shadow->rows) shadow_loosen(place->shadow, g >> ROW_SHIFT);
    if (plain_atomic(warp, place, g, mine, &next) && !op->polls) {
      bool untouched = old < race_history(warp, place),
           shares = !untouched && next & ~old & TAG_BLOCKS;
      if (race_replace(warp, &tags[g], old, next)) {
        if (place->allocation) {
          tag_counts(warp->worker, place->allocation)->written += untouched;
          tag_counts(warp->worker, place->allocation)->shared += shares;
        }
        if (place->shadow->updaters) place->shadow->updaters[g] = (uint32_t)op->index;
        continue;
      }
    }
    if (!place->allocation && old < warp->block->start &&
        place->shadow->writes[g] < warp->block->start && op->access.atomic != ATOMIC_EXCH && checks)
      race_note_later(warp, op, (uint32_t)at, warp->index * LANES + lane);
    if (checks && !check_atomic(warp, op, place, at, g, lane, changes, &meets)) return;
    if (!changes && old >= race_history(warp, place)) continue;
    tag_atomic(warp, op, place, g, mine, meets);
    if (place->shadow->updaters) place->shadow->updaters[g] = (uint32_t)op->index;
  }
}

void race_flag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                    const struct place *place) {
  EACH_ACTIVE (lane, memo->mask) {
    uint64_t at = place->offset + (uint64_t)memo->delta[lane];
    sync_flag(warp, lane,
              &(struct flag_access){.key = race_flag_key(warp, place, at),
                                    .scope = op->block_scope ? SCOPE_BLOCK : SCOPE_DEVICE,
                                    .reads = true,
                                    .decides = op->polls,
                                    .acquires = op->acquires});
  }
}
