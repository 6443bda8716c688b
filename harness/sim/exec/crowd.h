/* crowd.h: accesses of several threads to one granule that are not ordered among each other:
 * readers, atomics, or stores of one value. A tag has room for one of them; where it matters who
 * all of them were, they are kept here. Canonical mode only. */
#ifndef KIT_CROWD_H
#define KIT_CROWD_H

#include "harness/sim/base/shadow.h"

struct crowd_member {
  uint64_t block;
  access_tag tag;  /* with TAG_WARPS: of several threads of the block, the latest */
  uint32_t access; /* operation */
};
struct crowd {
  const void *where; /* NULL: free entry */
  uint64_t granule;
  struct crowd_member *members;
  int count, room;
};
struct crowds {
  struct crowd *entries; /* open addressing */
  size_t count, room;
  bool failed; /* memory ran out */
};

/* The crowd at a granule of one kind of tags (where: shadow->reads, say), or NULL; an empty one if
 * add. */
struct crowd *crowd_find(struct crowds *crowds, const void *where, uint64_t granule, bool add);
void crowd_join(struct crowds *crowds, struct crowd *crowd, uint64_t block, access_tag tag,
                uint32_t access);
void crowds_close(struct crowds *crowds);

#endif
