/* schedule.h: in which order blocks and warps run.
 *
 * A block runs until all its warps have ended. Its warps run in turn, each until it ends, waits at
 * a barrier, or yields because it polls what only others can change. A block of which no warp can
 * go on gives way: another one starts, as long as the GPU has room for it, and when there is none
 * the blocks in flight have their turns again. If none changes anything any more, it is a deadlock.
 *
 * Blocks and warps start in their order. Where that decides which code runs - who takes a lock
 * first - a launch is run in other orders, too, for its hazards.
 */
#ifndef KIT_SCHEDULE_H
#define KIT_SCHEDULE_H

#include "harness/sim/exec/machine.h"

enum order { FORWARD, BACKWARD, SHUFFLED };
struct schedule {
  enum order order;
  uint64_t seed;     /* of a shuffled one */
  uint64_t resident; /* blocks that the GPU holds at once */
};

/* The start of a block's turn: the clock belongs to this block until the next one. */
struct turn {
  access_tag from;
  uint64_t block;
};

struct block *block_open(struct worker *worker);
void block_close(struct block *block);

/* Optimistic mode: runs a block from start to end. False: it was stopped, or waits for another. */
bool schedule_run_block(struct worker *worker, uint64_t linear);
/* Canonical mode: runs all blocks of the launch. */
void schedule_run_all(struct worker *worker);

/* The warp did something that others may depend on: a shuffled schedule may run those first. */
void schedule_interrupt(struct warp *warp);

/* The block whose turn it was at the time of a tag of this launch. */
uint64_t schedule_block_at(const struct launch_state *launch, access_tag tag);

#endif
