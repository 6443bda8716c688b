/* pattern.h: what one warp's access to memory costs, learned once a pattern of addresses. */
#ifndef KIT_PATTERN_H
#define KIT_PATTERN_H

#include "harness/sim/exec/machine.h"

/* The pattern of this access: op's memo from now on, which is returned. The accesses with the old
 * one are counted. addresses: one per lane; base: the address of the first lane in mask, offset
 * included. */
struct memo *pattern_learn(struct warp *warp, const struct op *op, const uint64_t *addresses,
                           uint64_t base, uint32_t mask, enum ptx_space space);
/* A memo for counting the cost of one access: lanes of `mask` at these addresses. */
struct memo pattern_memo(const uint64_t *addresses, uint32_t mask);
/* Adds op's accesses with the memo's pattern to its counts. */
void pattern_flush(struct worker *worker, const struct op *op, const struct memo *memo);
/* The memo's accesses continue in another allocation (NULL: in shared memory): books what its group
 * has counted so far for the previous one (tally.h). */
void pattern_book(struct worker *worker, const struct op *op, struct memo *memo,
                  const struct allocation *now);
/* Sectors, lines, spread of the memo's pattern at an address, counted once per address mod 128. */
void pattern_count_sectors(struct memo *memo, uint64_t base);
/* Counts `count` global accesses with the memo's pattern at this address, but for hits. */
static inline void pattern_count_global(struct worker *worker, const struct op *op,
                                        struct memo *memo, uint64_t base, uint64_t count) {
  unsigned phase = base & 127;
  if (!memo->sectors[phase]) pattern_count_sectors(memo, base);
  struct op_counts *counts = &worker->op_counts[op->index];
  counts->spread[memo->spread[phase]].requests += count;
  counts->spread[memo->spread[phase]].sectors += count * memo->sectors[phase];
  counts->spread[memo->spread[phase]].bytes += count * memo->requested_bytes;
  counts->lines += count * memo->lines[phase];
}
/* Wavefronts of a shared load and of a store with the memo's deltas at this offset, and what they
 * would be without conflicts. */
void pattern_count_wavefronts(struct memo *memo, const struct op *op, uint64_t base, uint32_t mask);
/* Distinct units of 2^shift bytes in which the first bytes of the lanes in mask lie. */
int pattern_distinct(const struct memo *memo, uint64_t base, uint32_t mask, int shift);
/* Sectors of an atomic operation on the memo's pattern at this address. */
int pattern_atomic_sectors(const struct memo *memo, uint64_t base);

#endif
