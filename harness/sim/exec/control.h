/* control.h: what happens at the ends of basic blocks that end more than the block: calls, returns,
 * barriers, exits, faults. */
#ifndef KIT_CONTROL_H
#define KIT_CONTROL_H

#include "harness/sim/exec/machine.h"

/* Puts a warp at the start of a kernel: registers, masks, thread indices. */
void control_start(struct warp *warp, struct block *block, int index,
                   const struct program *program);
void control_call(struct warp *warp, const struct basic_block *block);
/* All lanes of the current function have returned. False if that was the kernel: the warp
 * is done. */
bool control_return(struct warp *warp);
/* The lanes of mask end. */
void control_exit(struct warp *warp, uint32_t mask, int line);
/* The warp arrives at a barrier. True: it waits (state WARP_WAITING). */
bool control_barrier(struct warp *warp, const struct basic_block *block);
/* The warp comes to one of the block's 16 barriers, for so many threads (0: all). True: it waits
 * there. */
bool control_named_barrier(struct warp *warp, uint32_t number, uint32_t threads, int line,
                           bool waits);
/* All warps of the block have arrived or ended: checks that they arrived together, and lets them go
 * on. */
void control_release(struct block *block);
/* The active lanes execute __syncwarp; members: the mask of each. */
void control_warp_sync(struct warp *warp, const uint32_t *members);
/* The warp has looked at memory, by an operation that may be waiting for others, and changed
 * nothing. seen: stands for the addresses and values. If it does so again and again, it yields. */
void control_poll(struct warp *warp, const struct op *op, uint64_t seen);
/* Lanes of the warp call what ("__shfl_sync()") and each name members. It is a hazard if one that
 * calls is not in its own mask, or one that is named goes on without calling. */
void control_members(struct warp *warp, const struct op *op, const uint32_t *members,
                     const char *what);
/* At the start of a basic block, if the warp has awaited lanes: are they here without
 * having come? */
void control_settle_members(struct warp *warp);
/* Has a warp that yields had no answer from others so often that it may wait for lanes of
 * its own? */
bool control_waits_for_lanes(struct warp *warp);
void control_trap(struct warp *warp, int line);
/* The block repeats itself; the launch has used up its budget. */
void control_endless(struct warp *warp, int line);
void control_budget_spent(struct warp *warp, int line);
void control_overflow(struct warp *warp, int line);

#endif
