/* unwritten.c: finds reads of memory that nothing has written. */
#include <string.h>

#include "harness/sim/exec/race_parts.h"

/* ---- shared memory ---- */

void race_note_later(struct warp *warp, const struct op *op, uint32_t offset, int thread) {
  struct block *block = warp->block;
  if (!warp->worker->launch->canonical)
    race_note_unwritten(warp, op, offset, thread);
  else if (block->unwritten_count < MAX_UNWRITTEN) /* more are not kept */
    block->unwritten[block->unwritten_count++] =
        (struct unwritten){race_op(warp->worker->launch, (uint32_t)op->index), offset, thread};
}

void race_settle_unwritten(struct block *block) {
  for (int i = 0; i < block->unwritten_count; i++) {
    const struct unwritten *u = &block->unwritten[i];
    uint32_t g = u->offset >> block->worker->launch->shared_shift;
    access_tag wrote = block->shadow.writes[g], updated = block->shadow.atomics[g],
               tag = wrote > updated ? wrote : updated;
    bool raced = tag >= block->span.interval && tag_thread(tag) != u->thread;
    if (!raced) race_note_unwritten(&block->warps[u->thread / LANES], u->op, u->offset, u->thread);
  }
  block->unwritten_count = 0;
}

/* ---- global memory ---- */

uint32_t race_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset) {
  const struct allocation *a = memo->allocation;
  int bytes = op->size * op->count;
  uint32_t never = 0;
  if (access_enough(warp->worker, HAZARD_uninit)) return 0;
  EACH_ACTIVE (i, memo->mask) {
    uint64_t at = offset + (uint64_t)memo->delta[i];
    bool ok = true;
    if (bytes == 4) {
      ok = a->initialised[at / 4] == 0xf;
    } else if (bytes > 4) {
      uint64_t end = at + (uint64_t)bytes;
      for (uint64_t word = at / 4; word < end / 4; word++) ok = ok && a->initialised[word] == 0xf;
      if (end % 4) ok = ok && (a->initialised[end / 4] & 3) == 3; /* three of two bytes */
    } else {
      unsigned need = ((1u << bytes) - 1) << (at & 3);
      ok = (a->initialised[at / 4] & need) == need;
    }
    if (!ok) never |= 1u << i;
  }
  if (never) race_note_never_written(warp, op, memo, offset, never);
  return never;
}

void race_mark_written(const struct worker *worker, struct allocation *a, const struct op *op,
                       const struct memo *memo, uint64_t offset) {
  int bytes = op->size * op->count;
  if (a->all_initialised) return;
  if (access_enough(worker, HAZARD_uninit)) { /* nobody looks any more */
    memory_mark_initialised(a, 0, a->size);
    return;
  }
  if (bytes == 4 && memo->pattern == PATTERN_CONTIGUOUS && memo->mask == 0xffffffffu) {
    memset(a->initialised + offset / 4, 0xf, LANES);
    return;
  }
  EACH_ACTIVE (i, memo->mask) {
    uint64_t at = offset + (uint64_t)memo->delta[i];
    if (bytes == 4)
      a->initialised[at / 4] = 0xf;
    else if (bytes > 4)
      memset(a->initialised + at / 4, 0xf, (size_t)bytes / 4);
    else
      __atomic_fetch_or(&a->initialised[at / 4], (uint8_t)(((1u << bytes) - 1) << (at & 3)),
                        __ATOMIC_RELAXED);
  }
}
