/* control.h: what happens at the ends of basic blocks that end more than the block: calls, returns,
 * barriers, exits, faults. */
#ifndef KIT_CONTROL_H
#define KIT_CONTROL_H

#include "harness/sim/exec/machine.h"

/* Puts a warp at the start of a kernel: registers, masks, thread indices. */
void control_start(struct warp *warp, struct block *block, int index,
                   const struct program *program);
void control_call(struct warp *warp, const struct basic_block *block);
/* All lanes of the current function have returned. False if from the kernel: the warp is done. */
bool control_return(struct warp *warp);
/* The lanes of mask end. */
void control_exit(struct warp *warp, uint32_t mask, int line);
/* The warp arrives at a barrier. True: it waits (state WARP_WAITING). */
bool control_barrier(struct warp *warp, const struct basic_block *block);
/* The warp arrives at one of 16 named barriers, for so many threads (0: all). True: it waits. */
bool control_named_barrier(struct warp *warp, uint32_t number, uint32_t threads, int line,
                           bool waits);
/* All warps of the block have arrived or ended: checks that they did so together, releases them. */
void control_release(struct block *block);
/* The active lanes execute __syncwarp; members: the mask of each. */
void control_warp_sync(struct warp *warp, const uint32_t *members);
/* The warp has executed an operation that may wait for others, and changed nothing. seen: a hash of
 * the addresses and values. If the same is seen again and again, the warp yields. */
void control_poll(struct warp *warp, const struct op *op, uint64_t seen);
/* The active lanes call `what`, "__shfl_sync()", each with its mask of members. A caller outside
 * its own mask is a hazard, and so is a named lane that goes on without calling. */
void control_members(struct warp *warp, const struct op *op, const uint32_t *members,
                     const char *what);
/* At the start of a basic block: reports awaited lanes that are here and have not made the call. */
void control_settle_members(struct warp *warp);
/* Has the warp yielded in vain so often that it may be waiting for its own lanes? */
bool control_waits_for_lanes(struct warp *warp);
void control_trap(struct warp *warp, int line);
/* Report a block that repeats itself, and a launch that has used up its budget. */
void control_endless(struct warp *warp, int line);
void control_budget_spent(struct warp *warp, int line);
void control_overflow(struct warp *warp, int line);

#endif
