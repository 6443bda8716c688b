/* cold_async.c: cp.async and mbarrier. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/async.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/mbarrier.h"
#include "harness/sim/exec/slice.h"

/* ---- cp.async ---- */

/* The data in shared memory: a store like any other, but not settled. */
void cold_async_store(char *frame, const struct op *op, struct warp *warp) {
  op->body(frame, op, warp);
  if (!warp->stop) async_issue(warp, op, SLOT(frame, op, 0, uint64_t));
}

/* Parts of what is to be loaded are 0, or, of a word that the source has only some bytes of, what
 * it has. */
void cold_async_fill(char *frame, const struct op *op, struct warp *warp) {
  const uint64_t *address = SLOT(frame, op, 0, uint64_t);
  const uint32_t *bytes = SLOT(frame, op, 5, uint32_t);
  EACH_ACTIVE (lane, warp->mask) {
    uint32_t whole = bytes[lane] & ~3u, rest = bytes[lane] & 3, word = 0;
    for (int i = 0; i < op->count; i++) SLOT(frame, op, 1 + i, uint32_t)[lane] = 0;
    if (!rest || whole >= 4u * op->count) continue;
    access_peek(warp, lane, address[lane] + (uint64_t)op->access.offset + whole, &word, rest);
    SLOT(frame, op, 1 + whole / 4, uint32_t)[lane] = word;
  }
}

/* Loads whole words, for the lanes whose source has just so many. */
void cold_async_load(char *frame, const struct op *op, struct warp *warp) {
  const uint32_t *bytes = SLOT(frame, op, 5, uint32_t);
  uint32_t mask = warp->mask, now = 0;
  EACH_ACTIVE (lane, mask)
    if (bytes[lane] / 4 == op->count || (op->access.or_more && bytes[lane] / 4 > op->count))
      now |= 1u << lane;
  warp->mask = now;
  if (now) op->body(frame, op, warp);
  warp->mask = mask;
}

void cold_async_commit(char *frame, const struct op *op, struct warp *warp) {
  (void)frame, (void)op;
  async_commit(warp);
}

void cold_async_wait(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  if (warp->block->read_count) warp->worker->launch->isa->flush_reads(warp->block);
  async_wait(warp, op->access.offset);
}

/* ---- mbarrier ---- */

void cold_mbarrier_state(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  const uint32_t *count = SLOT(frame, op, 1, uint32_t);
  uint64_t *d = SLOT(frame, op, 0, uint64_t);
  for (int i = 0; i < LANES; i++) d[i] = mbarrier_of(count[i]);
}

/* Is the phase over that a state, or a parity, stands for? slot: d, the state now, which, address
 */
void cold_mbarrier_test(char *frame, const struct op *op, struct warp *warp) {
  const uint64_t *now = SLOT(frame, op, 1, uint64_t), *address = SLOT(frame, op, 3, uint64_t);
  uint32_t over = 0;
  uint64_t last = UINT64_MAX;
  EACH_ACTIVE (lane, warp->mask) {
    uint32_t phase = mbarrier_phase(now[lane]);
    bool ends = op->wide ? phase != mbarrier_phase(SLOT(frame, op, 2, uint64_t)[lane])
                         : (phase & 1) != (SLOT(frame, op, 2, uint32_t)[lane] & 1);
    over |= (uint32_t)ends << lane;
    uint64_t offset = mbarrier_offset(address[lane] + (uint64_t)op->access.offset);
    if (!ends || !phase || offset == last) continue;
    last = offset;
    async_phase_over(warp->block, offset, phase - 1);
    mbarrier_pass(warp, offset);
  }
  uint32_t *d = (uint32_t *)(frame + op->slot[0]);
  *d = (*d & ~warp->mask) | over;
}

void cold_mbarrier_pending(char *frame, const struct op *op, struct warp *warp) {
  (void)warp;
  const uint64_t *state = SLOT(frame, op, 1, uint64_t);
  uint32_t *d = SLOT(frame, op, 0, uint32_t);
  for (int i = 0; i < LANES; i++) d[i] = mbarrier_pending(state[i]);
}

void cold_async_track(char *frame, const struct op *op, struct warp *warp) {
  uint64_t address[LANES];
  for (int i = 0; i < LANES; i++)
    address[i] = mbarrier_offset(SLOT(frame, op, 0, uint64_t)[i] + (uint64_t)op->access.offset);
  async_track(warp, address);
}
