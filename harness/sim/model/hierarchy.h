/* hierarchy.h: the memory hierarchy of a replay (replay.h): when an access of a trace is served. */
#ifndef KIT_HIERARCHY_H
#define KIT_HIERARCHY_H

#include "harness/sim/exec/trace.h"
#include "harness/sim/model/replay.h"

enum {
  HIERARCHY_SLICES = 128,
  HIERARCHY_PLACES = 1 << 12,
  HIERARCHY_LINES = 1 << 21,
  HIERARCHY_LATEST = 1 << 20,
  HIERARCHY_WORDS = 1 << 12,
  HIERARCHY_STORED = 16
};
struct cache_line;

/* Times in cycles of the SM: until when each part is busy. */
struct hierarchy {
  const struct sm *sm;
  struct replay *result;
  struct cache_line *lines; /* of L1 */
  int sets;
  uint64_t clock; /* of accesses to L1 */
  double l1, constants, port, l2, dram;
  double passes;      /* cycles of the access under way in L1 */
  uint8_t *requested; /* what has been requested, by bits of a hash */
  uint32_t *latest;   /* of a half line, by its hash: `distinct` when it was last requested */
  uint32_t distinct;  /* requests of half lines but for those requested shortly before */
  /* Of a line that is yet to be fetched from DRAM. */
  double first_part[TRACED_ARRAYS], again_part[TRACED_ARRAYS], random_part, local_part,
      local_stored;
  struct hierarchy_turns { /* of atomic operations in a place of L2, or in one of its slices */
    double free, busy;     /* when the last one is done; for how long they were under way */
    uint32_t requests;
  } place[HIERARCHY_PLACES], slice[HIERARCHY_SLICES];
  uint32_t requests[HIERARCHY_PLACES]; /* the same by line */
  struct hierarchy_stored { /* lines that are on their way to L2, and may be stored to again */
    uint64_t line;
    uint32_t mask; /* its sectors */
    uint64_t at;   /* when it was last stored to */
  } stored[HIERARCHY_STORED];
  uint64_t stores;              /* to lines, so far */
  double first_atomic, atomics; /* when the first and the latest of them are done */
  double word[HIERARCHY_WORDS]; /* of shared memory with loops: when the last one is done */
};

static inline double later(double a, double b) { return a > b ? a : b; }

/* Time used and counts go into result. False if memory runs out; close it even then. */
bool hierarchy_open(struct hierarchy *m, const struct sm *sm, struct replay *result);
/* Adds what is still in flight to the result. */
void hierarchy_close(struct hierarchy *m);

/* The time at which it can take another access. */
double hierarchy_free(const struct hierarchy *m);
/* What else is known of an access. */
struct hierarchy_use {
  uint64_t salt; /* added to the numbers of lines, as each block has its own */
  bool returns;  /* of an atomic operation, somebody uses its result */
  bool narrow;   /* of a store, each lane stores less than a word, */
  bool follows;  /* and it is the same warp's next but for a few instructions after another store */
};
/* Issues the access whose header is words[0] (trace.h) at `now`; returns when its result is
 * there. */
double hierarchy_access(struct hierarchy *m, const uint32_t *words, struct hierarchy_use use,
                        double now);

/* Issues an access of which no lane takes part, its predicate being false in all of them. */
void hierarchy_pass(struct hierarchy *m, bool shared, double now);

/* The part of L2 in which the line's atomic operations take turns. Measured with two words at a
 * time by gpus/calibrate_shared.cu: of each KiB, the first and the third quarter are in one, the
 * second and the fourth in another. */
uint64_t hierarchy_place(uint32_t line);

#endif
