/* crowd.c: a hash table of granules with their crowds: the unordered accesses that one tag cannot
 * hold. */
#include "harness/sim/exec/crowd.h"

#include <stdlib.h>

#include "harness/base/array.h"

/* So many threads are kept one by one; then one member stands for all of a block's threads. */
enum { SINGLE_MEMBERS = 64, LOOK_BACK = 8 };

static size_t place(const void *where, uint64_t granule, size_t room) {
  uint64_t key = ((uint64_t)(uintptr_t)where >> 4) * UINT64_C(0xff51afd7ed558ccd) ^ granule;
  return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
}

static bool make_room(struct crowds *crowds) {
  if (crowds->count * 2 < crowds->room) return true;
  size_t room = crowds->room ? crowds->room * 2 : 1024;
  struct crowd *entries = calloc(room, sizeof *entries);
  if (!entries) return false;
  for (size_t i = 0; i < crowds->room; i++) {
    const struct crowd *old = &crowds->entries[i];
    if (!old->where) continue;
    size_t at = place(old->where, old->granule, room);
    while (entries[at].where) at = (at + 1) & (room - 1);
    entries[at] = *old;
  }
  free(crowds->entries);
  crowds->entries = entries;
  crowds->room = room;
  return true;
}

struct crowd *crowd_find(struct crowds *crowds, const void *where, uint64_t granule, bool add) {
  if (add && !make_room(crowds)) {
    crowds->failed = true;
    return NULL;
  }
  if (!crowds->room) return NULL;
  size_t at = place(where, granule, crowds->room);
  for (; crowds->entries[at].where; at = (at + 1) & (crowds->room - 1)) {
    struct crowd *found = &crowds->entries[at];
    if (found->where == where && found->granule == granule) return found;
  }
  if (!add) return NULL;
  crowds->count++;
  crowds->entries[at].where = where;
  crowds->entries[at].granule = granule;
  return &crowds->entries[at];
}

void crowd_join(struct crowds *crowds, struct crowd *crowd, uint64_t block, access_tag tag,
                uint32_t access) {
  bool crowded = crowd->count >= SINGLE_MEMBERS;
  int last = crowd->count - LOOK_BACK;
  if (!crowded || last < 0) last = 0;
  for (int i = crowd->count - 1; i >= last; i--) {
    struct crowd_member *m = &crowd->members[i];
    bool same = tag_thread(m->tag) == tag_thread(tag) && !(m->tag & TAG_WARPS);
    if (m->block != block || (!same && !crowded)) continue;
    m->tag = same ? tag : tag | TAG_WARPS;
    m->access = access;
    return;
  }
  if (!ARRAY_RESERVE(crowd->members, crowd->room, crowd->count + 1)) {
    crowds->failed = true;
    return;
  }
  crowd->members[crowd->count++] = (struct crowd_member){block, tag, access};
}

void crowds_close(struct crowds *crowds) {
  for (size_t i = 0; i < crowds->room; i++) free(crowds->entries[i].members);
  free(crowds->entries);
  *crowds = (struct crowds){0};
}
