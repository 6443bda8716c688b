/* slice.h: blocks execute instructions in slices, at whose ends it is seen whether they may go on.
 *
 * A launch ends when it has used up its budget of warp instructions, or when a block is found to
 * repeat itself, which it would do for ever (cycle.h). Both are the same for any number of workers:
 * what an optimistic launch finds is settled by running it canonically.
 */
#ifndef KIT_SLICE_H
#define KIT_SLICE_H

#include "harness/sim/exec/machine.h"

/* What takes about as long as so many warp instructions, and counts as them: to start a block and
 * each of its warps, to clear so many bytes of a warp's local memory; a lane's part of an access
 * whose lanes lie otherwise than at the one before, of one to local memory, of a volatile one, of
 * an atomic, of a fence, of a mathematical function or of a printf (and each character of that); an
 * element of shared memory whose uses have to be told apart one by one, for no barrier of the block
 * lies behind them; a hazard. */
enum {
  BLOCK_INSTRUCTIONS = 32,
  WARP_INSTRUCTIONS = 8,
  CLEARED_BYTES = 256,
  PATTERN_INSTRUCTIONS = 16,
  LOCAL_INSTRUCTIONS = 1,
  VOLATILE_INSTRUCTIONS = 2,
  ATOMIC_INSTRUCTIONS = 8,
  FENCE_INSTRUCTIONS = 16,
  ELEMENT_INSTRUCTIONS = 2,
  HAZARD_INSTRUCTIONS = 32,
  FUNCTION_INSTRUCTIONS = 4,
  PRINT_INSTRUCTIONS = 64,
};

/* The block begins; what it takes to start it is spent. */
void slice_begin(struct block *block);
/* The warp is at the start of a basic block whose line this is, and its block has used up what it
 * was granted. False: the launch is over. */
bool slice_next(struct warp *warp, int line);
/* The block's turn ends: what it has spent is the launch's. */
void slice_end(struct block *block);

/* Warp instructions that the block has executed. */
static inline int64_t slice_spent(const struct block *block) {
  return block->granted - block->budget;
}

/* The warp does something that counts as so many more. */
static inline void slice_charge(struct warp *warp, int instructions) {
  warp->block->budget -= instructions;
}

/* An access of the lanes in mask is another than the one before. The first one of a block is free:
 * whether it is what the worker knows from the block before depends on who executed that. */
static inline void slice_charge_pattern(struct warp *warp, const struct memo *memo, uint32_t mask) {
  if (memo->key >> 32 == warp->worker->block_key >> 32)
    slice_charge(warp, PATTERN_INSTRUCTIONS * __builtin_popcount(mask));
}

#endif
