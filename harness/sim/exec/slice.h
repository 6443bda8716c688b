/* slice.h: blocks execute instructions in slices, at whose ends it is seen whether they may go on.
 *
 * A launch ends when it has used up its budget of warp instructions, or when a block is found to
 * repeat itself, which it would do for ever (cycle.h). Both are the same for any number of workers:
 * what an optimistic launch finds is settled by running it canonically.
 */
#ifndef KIT_SLICE_H
#define KIT_SLICE_H

#include "harness/sim/exec/machine.h"

/* Steps that take about as long as so many warp instructions, and are charged as such: starting a
 * block and each of its warps; clearing local memory of a warp, by bytes; for each lane, an access
 * whose pattern differs from the previous one, an access to local memory, a volatile access, an
 * atomic, a fence, a mathematical function, a printf (and each of its characters); 16 products of a
 * tensor core, of 8 columns; an element of shared memory whose uses have to be compared one by one
 * because no barrier of the block separates them; a hazard. */
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
  TENSOR_INSTRUCTIONS = 8,
  PRINT_INSTRUCTIONS = 64,
  CHILD_INSTRUCTIONS = 16, /* what is launched is charged when it runs */
};

/* The block begins: charges what starting it takes. */
void slice_begin(struct block *block);
/* The warp is at the start of a basic block (at this line), and its block has used up its slice.
 * False: the launch is over. */
bool slice_next(struct warp *warp, int line);
/* The block's turn ends: charges the launch for what it has spent. */
void slice_end(struct block *block);

/* Warp instructions that the block is charged for. */
static inline int64_t slice_spent(const struct block *block) {
  return block->granted - block->budget;
}

/* The same without what only takes as long as so many. */
static inline int64_t slice_executed(const struct block *block) {
  return slice_spent(block) - block->extra;
}

/* Charges the warp's block for what takes as long as so many instructions. */
static inline void slice_charge(struct warp *warp, int instructions) {
  warp->block->budget -= instructions;
  warp->block->extra += instructions;
}

/* Charges for a new access pattern of the lanes in mask. The first one of a block is free: whether
 * the worker knows it from an earlier block depends on which blocks it executed. */
static inline void slice_charge_pattern(struct warp *warp, const struct memo *memo, uint32_t mask) {
  if (memo->key >> 32 == warp->worker->block_key >> 32)
    slice_charge(warp, PATTERN_INSTRUCTIONS * __builtin_popcount(mask));
}

#endif
