/* clock.c: see clock.h. */
#include "harness/sim/exec/clock.h"

#include "harness/sim/exec/slice.h"

enum { PATIENCE = 32, SHARE = 32, LONGEST_LOOP = 64, LONGEST_JUMP = 1 << 30 };

static void let_pass(struct warp *warp, int64_t ticks) {
  atomic_int_least64_t *most = &warp->worker->launch->waited;
  int64_t before = atomic_load_explicit(most, memory_order_relaxed),
          waited = warp->clock.waited += ticks;
  warp->block->budget -= ticks;
  warp->block->extra += ticks;
  while (before < waited && !atomic_compare_exchange_weak(most, &before, waited)) continue;
}

uint64_t clock_read(struct warp *warp, const struct op *op) {
  struct clock_wait *wait = &warp->clock;
  int64_t now = slice_spent(warp->block);
  bool again = op->polls && wait->op == op->index && wait->stores == warp->worker->stores &&
               now >= wait->last && now - wait->last <= LONGEST_LOOP;
  if (!again)
    *wait = (struct clock_wait){
        .op = op->index, .first = now, .waited = wait->waited, .stores = warp->worker->stores};
  else if (++wait->looks > PATIENCE && (now - wait->first) / SHARE <= LONGEST_JUMP)
    let_pass(warp, (now - wait->first) / SHARE);
  return (uint64_t)(wait->last = slice_spent(warp->block));
}
