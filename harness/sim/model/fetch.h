/* fetch.h: instruction caches: when the code of a basic block is where a scheduler can issue it. */
#ifndef KIT_FETCH_H
#define KIT_FETCH_H

#include "harness/sim/model/plan.h"

enum { FETCH_SCHEDULERS = 4 };

/* What lies in a cache, by plan_block.index. What is fetched follows each other, as if the cache
 * were one long tape of which it keeps the end: a block is there if it was used that recently. */
struct fetch_cache {
  double bytes;
  double fetched; /* bytes so far */
  double *used;   /* how many had been fetched when the block was used last */
};

/* When instruction i of a block can be issued: at from + i * each. */
struct fetch_stream {
  double from, each;
};

struct fetch {
  bool open; /* else the kernel's code is so short that all of it is there */
  struct fetch_cache near[FETCH_SCHEDULERS], far;
  struct fetch_stream *arrives; /* by plan_block.index: into `far` */
};

/* The caches as the launch before has left them. False if memory runs out. */
bool fetch_open(struct fetch *f, const struct plan *plan);
void fetch_close(struct fetch *f);

/* A warp of the scheduler comes to the block. */
struct fetch_stream fetch_block(struct fetch *f, int scheduler, const struct plan_block *block,
                                double now);

#endif
