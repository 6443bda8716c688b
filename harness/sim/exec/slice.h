/* slice.h: blocks execute instructions in slices, at whose ends it is seen whether they may go on.
 *
 * A launch ends when it has used up its budget of warp instructions, or when a block is found to repeat itself, which it
 * would do for ever (cycle.h). Both are the same for any number of workers: what an optimistic launch finds is settled by
 * running it canonically.
 */
#ifndef KIT_SLICE_H
#define KIT_SLICE_H

#include "machine.h"

/* What takes as long as so many warp instructions, and counts as them: to start a block and each of its warps, to clear
 * so many bytes of a warp's local memory. */
enum { BLOCK_INSTRUCTIONS = 16, WARP_INSTRUCTIONS = 8, CLEARED_BYTES = 256 };

/* The block begins; what it takes to start it is spent. */
void slice_begin(struct block *block);
/* The warp is at the start of a basic block whose line this is, and its block has used up what it was granted. False: the
 * launch is over. */
bool slice_next(struct warp *warp, int line);
/* The block's turn ends: what it has spent is the launch's. */
void slice_end(struct block *block);

/* Warp instructions that the block has executed. */
static inline int64_t slice_spent(const struct block *block) {
  return block->granted - block->budget;
}

#endif
