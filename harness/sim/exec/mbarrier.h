/* mbarrier.h: barriers in shared memory, 64 bits (PTX ISA, "mbarrier"). NVIDIA leaves open what the
 * bits mean; here they are
 *
 *     63           40         20        0
 *     | phase       | expected | pending |
 *
 * pending: arrivals that this phase still waits for; expected: those that the next ones begin with.
 * An arrival orders what the thread did, and what it knew to be done, before what those do who see
 * that the phase is over. Arrivals are kept by thread, what is known by warp: where only some lanes
 * of a warp have waited, the others count as if they had.
 */
#ifndef KIT_MBARRIER_H
#define KIT_MBARRIER_H

#include "harness/sim/exec/access.h"

enum { MBARRIER_BITS = 20, MBARRIER_PHASE = 40, MBARRIER_MAX = (1 << MBARRIER_BITS) - 1 };

static inline uint64_t mbarrier_of(uint32_t count) {
  uint64_t n = count & MBARRIER_MAX;
  return n << MBARRIER_BITS | n;
}
static inline uint32_t mbarrier_pending(uint64_t state) { return state & MBARRIER_MAX; }
static inline uint32_t mbarrier_expected(uint64_t state) {
  return state >> MBARRIER_BITS & MBARRIER_MAX;
}
static inline uint32_t mbarrier_phase(uint64_t state) {
  return (uint32_t)(state >> MBARRIER_PHASE);
}

/* After so many arrivals; drops: as many fewer are expected from the next phase on. */
static inline uint64_t mbarrier_arrived(uint64_t state, uint32_t count, bool drops) {
  uint32_t pending = mbarrier_pending(state), expected = mbarrier_expected(state);
  uint64_t phase = mbarrier_phase(state);
  if (drops) expected -= count < expected ? count : expected;
  pending -= count < pending ? count : pending;
  if (!pending) {
    phase++;
    pending = expected;
  }
  return phase << MBARRIER_PHASE | (uint64_t)expected << MBARRIER_BITS | pending;
}

/* Lanes arrive at the one at this offset; ends: with them the phase is over. */
void mbarrier_arrive(struct warp *warp, uint64_t offset, uint32_t lanes, bool ends);
/* The warp has seen that a phase of it is over. */
void mbarrier_pass(struct warp *warp, uint64_t offset);
/* Warps have met otherwise: those that waited know what all that arrived know. */
void mbarrier_share(struct block *block, uint32_t arrived, uint32_t waited);
/* Is what the tagged access of this block did known to the warp to be over? */
bool mbarrier_knows(const struct warp *warp, access_tag tag);
void mbarrier_reset(struct block *block);

/* Where it is in shared memory, by an address there or a generic one. */
static inline uint64_t mbarrier_offset(uint64_t address) {
  return (address & WINDOW_MASK) == SHARED_WINDOW ? address - SHARED_WINDOW : address;
}
/* The state of the one at this offset in shared memory; false: it is none. */
static inline bool mbarrier_state(struct warp *warp, uint64_t offset, uint64_t *state) {
  return access_peek(warp, 0, SHARED_WINDOW + offset, state, sizeof *state);
}

#endif
