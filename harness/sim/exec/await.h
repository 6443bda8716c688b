/* await.h: launches that wait for what others store while they run.
 *
 * Others are the host, and copies and kernels in other streams. Where a launch would wait for them
 * it calls launch_options.wait, in which they run. There are two such points between the turns of
 * its blocks:
 *
 *   it is idle    no block can go on, and one of them polls global memory
 *   it is busy    a block has polled managed memory in its last turn, which ends early for that:
 *                 while (!*stop) work(). After a long time, polling any global memory will do.
 *
 * What others did is ordered by flags in ways that race tags do not show. So if any of them has
 * run, the launch goes on like a new one: what its own blocks did before is part of no race.
 *
 * Launches without launch_options.wait, as all of a grading are, see nobody else: one that is idle
 * for good is a deadlock. So is one that waits for others when these will do nothing any more.
 */
#ifndef KIT_AWAIT_H
#define KIT_AWAIT_H

#include "harness/sim/exec/machine.h"

/* The warp has polled this place in global memory. */
static inline void await_note(struct warp *warp, const struct allocation *a, uint64_t offset) {
  warp->polled_at = a->address + offset;
  warp->block->polled = true;
  warp->block->polled_host |= a->managed;
}
/* How many instructions a block may run before await_look. */
int64_t await_turn(const struct launch_state *launch);
/* Between them: has the warp's block polled what others may store? Then its turn ends. */
void await_look(struct warp *warp);
/* Between turns of these blocks: lets others run if the launch waits for them. *idle: instructions
 * since something has last changed, which begin anew if it has. False: the launch is over. */
bool await_others(struct worker *worker, struct block *const *blocks, uint64_t count,
                  int64_t *idle);

#endif
