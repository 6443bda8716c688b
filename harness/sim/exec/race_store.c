/* race_store.c: race checks of stores. */
#include <string.h>

#include "harness/sim/exec/race_parts.h"

/* Lanes of one instruction store to a granule: the second of a pair whose values differ, or -1. */
static int differing_lane(const char *frame, const struct op *op, const struct memo *memo,
                          uint32_t lanes, int64_t at, int *first) {
  unsigned char value[4], other[4];
  *first = __builtin_ctz(lanes);
  race_stored_granule(frame, op, memo, *first, at, value);
  EACH_ACTIVE (i, lanes & (lanes - 1)) {
    race_stored_granule(frame, op, memo, i, at, other);
    if (memcmp(value, other, (size_t)1 << memo->granule_shift) != 0) return i;
  }
  return -1;
}

static bool leaves_value(const struct warp *warp, const struct op *op, const struct memo *memo,
                         const struct place *place, const char *frame, int k, int lane) {
  uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k];
  unsigned char value[4];
  if (!place->allocation && /* memory never written has no value to compare with */
      place->shadow->writes[at >> memo->granule_shift] < warp->block->start &&
      place->shadow->atomics[at >> memo->granule_shift] < warp->block->start)
    return false;
  race_stored_granule(frame, op, memo, lane, memo->granule[k], value);
  return memcmp(place->data + at, value, (size_t)1 << memo->granule_shift) == 0;
}

/* Does a lane's store conflict with a write or a read that it is not ordered after? Reports it;
 * *same: the conflict is with a store of the same value, of the given relation. False: the
 * optimistic launch has ended. */
static bool check_write(struct warp *warp, const struct op *op, const struct memo *memo,
                        const struct place *place, const char *frame, int k, uint32_t lanes,
                        enum relation *same) {
  uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k], g = at >> memo->granule_shift;
  int lane = __builtin_ctz(lanes);
  struct other other = race_find_of(warp, lanes, place, place->shadow->writes, g, &lane);
  if (other.relation != ORDERED) {
    bool same_value = leaves_value(warp, op, memo, place, frame, k, lane);
    if (!race_report(warp, op, place, lane, at, &other, WRITES, WRITES, same_value, false))
      return false;
    if (!same_value) return true;
    *same = other.relation;
  }
  struct other update = race_find_of(warp, lanes, place, place->shadow->atomics, g, &lane);
  if (update.relation != ORDERED)
    return race_report(warp, op, place, lane, at, &update, WRITES, UPDATES, false, false);
  struct other reader = race_find_of(warp, lanes, place, place->shadow->reads, g, &lane);
  if (reader.relation == ORDERED) return true;
  bool one_of_them =
      *same != ORDERED &&
      ((reader.block == other.block && tag_thread(reader.tag) == tag_thread(other.tag)) ||
       race_stored_too(warp, place, g, reader.block, tag_thread(reader.tag)));
  return one_of_them ||
         race_report(warp, op, place, lane, at, &reader, WRITES, READS, false, false);
}

void race_store(struct warp *warp, const struct op *op, const struct memo *memo,
                const struct place *place, const char *frame) {
  struct worker *worker = warp->worker;
  struct launch_state *launch = worker->launch;
  bool checks = !race_has_enough(warp);
  int used = 0;
  race_loosen(warp, memo, place, true);
  for (int k = 0; k < memo->granule_count; k++) {
    uint64_t at = place->offset + (uint64_t)(int64_t)memo->granule[k],
             g = at >> memo->granule_shift;
    uint32_t lanes = race_granule_lanes(memo, k);
    int lane = __builtin_ctz(lanes);
    enum relation same = ORDERED;
    if (checks && lanes & (lanes - 1)) {
      int differs = differing_lane(frame, op, memo, lanes, memo->granule[k], &lane);
      if (differs >= 0) {
        struct other other = {SAME_WARP, warp->block->linear,
                              (access_tag)(warp->index * LANES + lane), (uint32_t)op->index};
        if (!race_report(warp, op, place, differs, at, &other, WRITES, WRITES, false, false))
          return;
      }
    }
    if (!place->shadow->writes)
      continue; /* only collisions within the instruction are looked for */
    used += (place->shadow->writes[g] >= race_history(warp, place)) +
            (place->shadow->reads[g] >= race_history(warp, place));
    if (checks && !check_write(warp, op, memo, place, frame, k, lanes, &same)) return;
    access_tag *tags = place->shadow->writes, old = tags[g];
    access_tag tag =
        worker->now | (uint64_t)(warp->index * LANES + lane) | (op->is_volatile ? TAG_VOLATILE : 0);
    bool crowds = launch->canonical && checks;
    if (same != ORDERED && crowds)
      tag = race_add_member(warp, place, tags, g, tag, (uint32_t)op->index) | race_several(same) |
            (old & TAG_SEVERAL);
    if (lanes & (lanes - 1)) {
      for (uint32_t left = lanes & (lanes - 1); left && crowds; left &= left - 1) {
        tags[g] = tag;
        race_add_member(warp, place, tags, g,
                        worker->now | (uint64_t)(warp->index * LANES + __builtin_ctz(left)),
                        (uint32_t)op->index);
        tag |= TAG_LANES;
      }
      tag |= TAG_LANES;
    }
    if (op->is_volatile && launch->sync) {
      uint64_t value = 0;
      race_stored_granule(frame, op, memo, lane, memo->granule[k], (unsigned char *)&value);
      access_tag flagged =
          sync_flag(warp, lane,
                    &(struct flag_access){.key = race_flag_key(warp, place, at),
                                          .new_value = value,
                                          .scope = op->block_scope ? SCOPE_BLOCK : SCOPE_DEVICE,
                                          .writes = true,
                                          .releases = op->releases});
      if (flagged) tag = flagged | (tag & TAG_LOW);
    }
    if (place->allocation)
      tag_counts(worker, place->allocation)->written += old < race_history(warp, place);
    tags[g] = tag;
    if (place->shadow->writers) place->shadow->writers[g] = (uint32_t)op->index;
  }
  race_charge(warp, place, used);
  if (op->is_volatile) slice_charge(warp, VOLATILE_INSTRUCTIONS * __builtin_popcount(memo->mask));
}
