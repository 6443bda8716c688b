/* slice.c: charges blocks for each slice's instructions; ends launches without budget left. */
#include "harness/sim/exec/slice.h"

#include "harness/sim/exec/await.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/cycle.h"

enum { SLICE = 1 << 20 };

/* Charges the launch for what the block has spent since it last did. Returns the budget left. */
static int64_t charge(struct block *block) {
  struct launch_state *launch = block->worker->launch;
  int64_t more = slice_spent(block) - block->charged;
  block->charged += more;
  return launch->budget - more -
         atomic_fetch_add_explicit(&launch->spent, more, memory_order_relaxed);
}

/* Up to its next look for a cycle, or for others. */
static void grant(struct block *block, int64_t left) {
  int64_t spent = slice_spent(block), turn = await_turn(block->worker->launch);
  int64_t instructions = block->look_at - spent;
  if (instructions > turn) instructions = turn;
  if (instructions > left) instructions = left < 0 ? 0 : left;
  block->granted = spent + instructions;
  block->budget = instructions;
}

void slice_begin(struct block *block) {
  const struct launch_state *launch = block->worker->launch;
  int64_t warp = WARP_INSTRUCTIONS + LANES * (int64_t)launch->program->local_bytes / CLEARED_BYTES;
  block->worker->block_key += UINT64_C(1) << 32;
  block->granted = block->charged = 0;
  block->extra = BLOCK_INSTRUCTIONS + block->warp_count * warp;
  block->budget = -block->extra;
  cycle_end(block);
  int64_t left = charge(block);
  block->look_at = slice_spent(block) + SLICE;
  grant(block, left);
}

bool slice_next(struct warp *warp, int line) {
  struct block *block = warp->block;
  struct launch_state *launch = warp->worker->launch;
  int64_t left = charge(block), spent = slice_spent(block), slice = SLICE;
  if (!launch->canonical && atomic_load_explicit(&launch->conflict, memory_order_relaxed)) {
    warp->stop = true;
    return false;
  }
  if (left < 0) {
    control_budget_spent(warp, line);
    return false;
  }
  if (spent >= block->look_at) {
    if (cycle_found(warp, &slice)) {
      control_endless(warp, line);
      return false;
    }
    block->look_at = spent + slice;
  }
  grant(block, left);
  await_look(warp);
  return true;
}

void slice_end(struct block *block) {
  struct block_work *works = block->worker->launch->works;
  if (works) {
    int64_t longest = 0;
    for (int i = 0; i < block->warp_count; i++)
      if (block->warps[i].executed > longest) longest = block->warps[i].executed;
    works[block->linear] = (struct block_work){(float)slice_executed(block), (float)longest};
  }
  charge(block);
}
