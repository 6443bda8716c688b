/* await.c: see await.h. */
#include "harness/sim/exec/await.h"

#include "harness/sim/exec/launch.h"

static bool may_wait(const struct launch_state *launch) {
  return launch->options->wait && launch->canonical && !launch->alone;
}

int64_t await_turn(const struct launch_state *launch) {
  enum { TURN = 1 << 15 };
  return may_wait(launch) ? TURN : INT64_MAX;
}

void await_look(struct warp *warp) {
  enum { LONG = 1 << 22 };
  struct block *block = warp->block;
  struct launch_state *launch = warp->worker->launch;
  if (!may_wait(launch)) return;
  bool is_long = atomic_load(&launch->spent) - launch->asked_at > LONG,
       asks = block->polled_host || (block->polled && is_long);
  block->polled = block->polled_host = false;
  if (!asks) return;
  launch->asks = true;
  warp->yields = block->interrupted = true;
}

/* Arrays are to be touched again, like by a new launch. */
static void forget_arrays(struct worker *worker) {
  for (int i = 0; i < worker->launch->op_total; i++) {
    worker->memos[i]->from = 1;
    worker->memos[i]->to = 0;
  }
}

static enum others let_others_run(struct worker *worker, bool idle) {
  struct launch_state *launch = worker->launch;
  struct memory *memory = launch->memory;
  uint64_t number = memory->launch, frees = memory->frees;
  bool tracks = memory->tracks, tracks_inputs = memory->tracks_inputs,
       marks_lines = memory->marks_lines;
  bool presumed = memory->presumed != NULL;
  access_tag now = (worker->now & ~TAG_LOW) + TAG_TICK;
  if (memory->clock < now) memory->clock = now;
  now = memory->clock;
  memory->presumed = NULL; /* it can no longer be undone */
  memory->undoable = false;
  memory_drop_saved(memory);
  enum others others = launch->options->wait(launch->options->wait_context, idle);
  launch->asked_at = atomic_load(&launch->spent);
  worker->now = memory->clock;
  if (others != OTHERS_DID_NOTHING) {
    launch->others_ran = true;
    worker->stores++; /* who polls looks again */
  }
  if (!presumed && memory->launch == number && memory->clock == now && memory->frees == frees)
    return others; /* there was no other work */
  memory->tracks_inputs = tracks_inputs;
  memory->marks_lines = marks_lines;
  memory_begin_launch(memory, launch->global_shift, tracks, false, true);
  launch->begin = memory->clock;
  forget_arrays(worker);
  return others;
}

/* Where the warp last polled; NULL: nowhere, or nobody else can store there. */
static const struct allocation *polled(const struct warp *warp) {
  const struct launch_state *launch = warp->worker->launch;
  const struct allocation *a =
      warp->polled_at ? memory_window(launch->memory, warp->polled_at) : NULL;
  return a && a->live && !a->read_only && !a->constant ? a : NULL;
}

bool await_others(struct worker *worker, struct block *const *blocks, uint64_t count,
                  int64_t *idle) {
  enum { AWHILE = 1 << 12 };
  struct launch_state *launch = worker->launch;
  bool asks = launch->asks, is_idle = *idle > AWHILE, polls_host = asks;
  launch->asks = false;
  if (!may_wait(launch) || (!asks && !is_idle)) return true;
  for (uint64_t b = 0; b < count; b++)
    for (int i = 0; i < blocks[b]->warp_count; i++) {
      const struct warp *warp = &blocks[b]->warps[i];
      const struct allocation *a = warp->state == WARP_READY ? polled(warp) : NULL;
      asks |= a != NULL;
      polls_host |= a && a->managed;
    }
  if (!asks) return true;
  if (launch->rehearses) return !polls_host;
  switch (let_others_run(worker, is_idle)) {
    case OTHERS_DID_NOTHING:
    case OTHERS_HAVE_RUN:
      *idle = 0;
      return true;
    case OTHERS_ARE_DONE:
      launch->alone = true;
      return true;
    case PROGRAM_HAS_ENDED:
      launch->alone = true;
      break;
  }
  *idle = INT64_MAX;
  return is_idle;
}
