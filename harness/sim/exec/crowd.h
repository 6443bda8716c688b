/* crowd.h: accesses of several threads to one granule that are not ordered among each other:
 * readers, atomics, or stores of one value. A tag has room for one of them; where it matters who
 * all of them were, they are kept here. Canonical mode only. */
#ifndef KIT_CROWD_H
#define KIT_CROWD_H

#include "harness/sim/base/shadow.h"
#include "harness/sim/exec/map.h"

struct crowd_member {
  uint64_t block;
  access_tag tag;  /* with TAG_WARPS: of several threads of the block, the latest */
  uint32_t access; /* operation */
};
struct crowd {
  struct map_key key; /* the kind of tags (where: shadow->reads, say), the granule */
  struct crowd_member *members;
  int count, room;
};
struct crowds {
  struct map crowds;
  bool failed; /* memory ran out */
};

/* The crowd at a granule, or NULL; an empty one if add. Crowds move when one is added. */
struct crowd *crowd_find(struct crowds *crowds, const void *where, uint64_t granule, bool add);
void crowd_join(struct crowds *crowds, struct crowd *crowd, uint64_t block, access_tag tag,
                uint32_t access);
void crowds_close(struct crowds *crowds);

#endif
