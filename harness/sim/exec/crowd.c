/* crowd.c: a hash table of granules with their crowds: the unordered accesses that one tag cannot
 * hold. */
#include "harness/sim/exec/crowd.h"

#include <stdlib.h>

#include "harness/base/array.h"

/* So many threads are kept one by one; then one member stands for all of a block's threads. */
enum { SINGLE_MEMBERS = 64, LOOK_BACK = 8 };

struct crowd *crowd_find(struct crowds *crowds, const void *where, uint64_t granule, bool add) {
  struct crowd *crowd = map_find(&crowds->crowds, (uintptr_t)where, granule, add);
  crowds->failed |= add && !crowd;
  return crowd;
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
  for (size_t i = 0; i < crowds->crowds.room; i++) {
    const struct crowd *crowd = map_at(&crowds->crowds, i);
    if (crowd) free(crowd->members);
  }
  map_free(&crowds->crowds);
}
