/* schedule.c: schedules warps of a block and, canonically, blocks in flight; detects deadlocks. */
#include "harness/sim/exec/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/async.h"
#include "harness/sim/exec/await.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/cycle.h"
#include "harness/sim/exec/mbarrier.h"
#include "harness/sim/exec/paths.h"
#include "harness/sim/exec/race.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/sync.h"
#include "harness/sim/exec/watch.h"

/* ---- a block in flight ---- */

static void set_thread_indices(struct warp *warp, const struct launch_state *launch, int index) {
  for (int i = 0; i < LANES; i++) {
    uint32_t t = (uint32_t)(index * LANES + i);
    warp->tid[0][i] = t % launch->dim[0];
    warp->tid[1][i] = t / launch->dim[0] % launch->dim[1];
    warp->tid[2][i] = t / launch->dim[0] / launch->dim[1];
  }
}

static bool open_warps(struct block *block) {
  const struct launch_state *launch = block->worker->launch;
  const struct program *program = launch->program;
  int stack = program->has_calls ? MAX_STACK : program->block_count * 2 + 2 * LANES + 8;
  if (stack > MAX_STACK) stack = MAX_STACK;
  block->warps = calloc((size_t)block->warp_count, sizeof *block->warps);
  if (!block->warps) return false;
  for (int i = 0; i < block->warp_count; i++) {
    struct warp *warp = &block->warps[i];
    warp->calls = calloc(program->has_calls ? MAX_CALLS : 1, sizeof *warp->calls);
    warp->stack = calloc((size_t)stack + 2, sizeof *warp->stack);
    if (!warp->calls || !warp->stack) return false;
    int left = launch->threads_per_block - i * LANES, lanes = left < LANES ? left : LANES;
    if (launch->runs_affine && !(warp->own_affine = affine_open(program, 1, lanes, launch->dim[0])))
      return false;
    warp->stack_limit = stack;
    set_thread_indices(warp, launch, i);
    if (warp->own_affine) affine_set_thread_indices(warp->own_affine, warp->tid, warp->tid);
    control_start(warp, block, i, program);
    memcpy(warp->calls[0].frame, program->constants, program->constant_bytes);
  }
  if (!launch->runs_affine || block->warp_count < 2 || launch->threads_per_block % LANES)
    return true;
  block->lockstep = affine_open(program, block->warp_count, LANES, launch->dim[0]);
  if (!block->lockstep) return false;
  affine_set_thread_indices(block->lockstep, block->warps[0].tid, block->warps[1].tid);
  for (int i = 2; i < block->warp_count; i++)
    affine_check_thread_indices(block->lockstep, block->warps[i].tid, i);
  return true;
}

struct block *block_open(struct worker *worker) {
  const struct launch_state *launch = worker->launch;
  struct block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->worker = worker;
  block->warp_count = (launch->threads_per_block + LANES - 1) / LANES;
  size_t warps = (size_t)block->warp_count,
         granules = ((size_t)launch->shared_span >> launch->shared_shift) + LANES * 16;
  struct shadow *shadow = &block->shadow;
  shadow->count = granules;
  block->registers = calloc(warps, worker->frame_bytes);
  block->local = calloc(warps * LANES, worker->local_bytes + 1);
  block->shared = calloc(1, launch->shared_span + LANES * 16);
  shadow->writes = calloc(granules, sizeof *shadow->writes);
  shadow->reads = calloc(granules, sizeof *shadow->reads);
  shadow->atomics = calloc(granules, sizeof *shadow->atomics);
  shadow->updaters = calloc(granules, sizeof *shadow->updaters);
  shadow->writers = calloc(granules, sizeof *shadow->writers);
  shadow->readers = calloc(granules, sizeof *shadow->readers);
  block->reads = calloc(READ_LOG, sizeof *block->reads);
  block->unwritten = calloc(MAX_UNWRITTEN, sizeof *block->unwritten);
  if (block->registers && block->local && block->shared && shadow->writes && shadow->reads &&
      shadow->writers && shadow->readers && shadow->atomics && shadow->updaters && block->reads &&
      block->unwritten && open_warps(block))
    return block;
  block_close(block);
  return NULL;
}

void block_close(struct block *block) {
  if (!block) return;
  sync_end_block(block);
  cycle_close(block);
  for (int i = 0; block->warps && i < block->warp_count; i++) {
    free(block->warps[i].calls);
    free(block->warps[i].stack);
    free(block->warps[i].lane_synced);
    free(block->warps[i].own_affine);
    async_reset(&block->warps[i]);
    paths_close(&block->warps[i]);
  }
  free(block->warps);
  free(block->lockstep);
  free(block->registers);
  free(block->named);
  free(block->child_errors);
  mbarrier_reset(block);
  free(block->local);
  free(block->shared);
  free(block->shadow.writes);
  free(block->shadow.reads);
  free(block->shadow.atomics);
  free(block->shadow.updaters);
  free(block->shadow.writers);
  free(block->shadow.readers);
  free(block->reads);
  free(block->unwritten);
  free(block);
}

/* ---- turns ---- */

void schedule_interrupt(struct warp *warp) {
  enum { ONE_IN = 4 };
  struct worker *worker = warp->worker;
  if (worker->launch->schedule->order != SHUFFLED) return;
  worker->random = worker->random * UINT64_C(6364136223846793005) + worker->launch->schedule->seed;
  if ((worker->random >> 33) % ONE_IN) return;
  warp->yields = warp->block->interrupted = true;
}

uint64_t schedule_block_at(const struct launch_state *launch, access_tag tag) {
  size_t low = 0, high = launch->turn_count; /* the last turn that began at or before this time */
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (launch->turns[middle].from <= tag)
      low = middle;
    else
      high = middle;
  }
  return launch->turn_count ? launch->turns[low].block : 0;
}

/* The clock is the block's from now on. */
static bool begin_turn(struct worker *worker, struct block *block) {
  struct launch_state *launch = worker->launch;
  worker->block = block;
  worker->now += TAG_TICK;
  block->span.turn = worker->now & ~TAG_LOW;
  if (!launch->canonical) return true;
  if (!ARRAY_RESERVE(launch->turns, launch->turn_room, launch->turn_count + 1)) return false;
  launch->turns[launch->turn_count++] = (struct turn){block->span.turn, block->linear};
  return true;
}

/* Warps that have parted too often in a basic block may come together again after a while: after
 * more and more blocks, as long as they part again. */
static void renew_attempts(struct worker *worker) {
  for (int b = 0; b < worker->launch->program->block_count; b++) {
    struct attempts *a = &worker->attempts[b];
    if (a->partings < MAX_PARTINGS) {
      a->last_rest = 0;
    } else if (a->rest) {
      a->rest--;
    } else {
      a->rest = a->last_rest =
          (uint8_t)(a->last_rest < MAX_REST / 2 ? 2 * a->last_rest + 1 : MAX_REST);
      a->partings -= FEW_ATTEMPTS;
    }
  }
}

static bool start_block(struct worker *worker, struct block *block, uint64_t linear) {
  const struct launch_state *launch = worker->launch;
  renew_attempts(worker);
  block->linear = linear;
  block->ctaid[0] = (uint32_t)(linear % launch->grid[0]);
  block->ctaid[1] = (uint32_t)(linear / launch->grid[0] % launch->grid[1]);
  block->ctaid[2] = (uint32_t)(linear / launch->grid[0] / launch->grid[1]);
  block->exited = 0;
  block->exit_line = 0;
  block->parted = false;
  block->has_atomics = false;
  block->read_count = 0;
  block->unwritten_count = 0;
  sync_end_block(block);
  free(block->named);
  block->named = NULL;
  free(block->child_errors);
  block->child_errors = NULL;
  block->child_turn = 0;
  mbarrier_reset(block);
  if (!begin_turn(worker, block)) return false;
  block->start = block->span.interval = block->span.turn;
  block->span.history = launch->begin;
  slice_begin(block);
  for (int i = 0; i < block->warp_count; i++)
    control_start(&block->warps[i], block, i, launch->program);
  return true;
}

enum outcome { ENDED, STOPPED, WAITS };

/* Has a barrier opened for a warp that had its turn before? */
static bool reopened(const struct block *block) {
  for (int i = 0; block->named && i < block->warp_count; i++)
    if (block->warps[i].state == WARP_READY) return true;
  return false;
}

/* May the block's warps run in lockstep? Canonically only where each race would be seen. */
static bool may_run_together(const struct block *block) {
  const struct worker *worker = block->worker;
  const struct launch_state *launch = worker->launch;
  if (!block->lockstep || worker->watched) return false;
  return !launch->canonical ||
         (launch->together && !block->parted && !access_enough(worker, HAZARD_race));
}

/* Runs the block's warps in lockstep, as far as they go. False: the launch is over. */
static bool run_together(struct block *block) {
  int64_t before = slice_executed(block);
  bool ok = block->worker->launch->isa->run_lockstep(block);
  for (int i = 0; i < block->warp_count; i++)
    block->warps[i].executed += (slice_executed(block) - before) / block->warp_count;
  return ok;
}

/* Runs a block's turn: until it has ended or can only wait. *changed: it has done something that
 * others may be waiting for. */
static enum outcome run_turn(struct block *block, bool *changed) {
  struct worker *worker = block->worker;
  struct launch_state *launch = worker->launch;
  const int max_passes = launch->program->has_mbarriers ? 1 << 16 : 64;
  *changed = block->interrupted = false;
  for (int pass = 0; pass < max_passes;) {
    uint64_t stores = worker->stores;
    bool waiting = false, ready = false, moved = false;
    if (may_run_together(block) && !run_together(block)) return STOPPED;
    for (int i = 0; i < block->warp_count; i++) {
      bool forward = launch->schedule->order == FORWARD;
      struct warp *warp = &block->warps[forward ? i : block->warp_count - 1 - i];
      if (warp->state == WARP_READY) {
        warp->yields = false;
        int64_t before = slice_executed(block);
        launch->isa->run_warp(warp);
        warp->executed += slice_executed(block) - before;
        if (warp->stop) return STOPPED;
        moved |= warp->state != WARP_READY;
      }
      waiting |= warp->state == WARP_WAITING;
      ready |= warp->state == WARP_READY;
    }
    *changed |= moved || worker->stores != stores;
    if (ready || reopened(block)) {
      if (block->interrupted || (!moved && worker->stores == stores)) return WAITS;
      pass++;
      continue;
    }
    if (block->unwritten_count) race_settle_unwritten(block);
    if (!waiting) return ENDED;
    control_release(block);
    *changed = true;
    if (!launch->canonical && atomic_load_explicit(&launch->conflict, memory_order_relaxed))
      return STOPPED;
  }
  return WAITS;
}

bool schedule_run_block(struct worker *worker, uint64_t linear) {
  struct block *block = worker->block;
  bool changed;
  if (!start_block(worker, block, linear)) return false;
  enum outcome outcome = run_turn(block, &changed);
  slice_end(block);
  if (outcome == WAITS) /* perhaps for another block: only the canonical mode can decide */
    atomic_store_explicit(&worker->launch->conflict, true, memory_order_relaxed);
  return outcome == ENDED;
}

/* ---- all blocks ---- */

struct flight {
  struct block **blocks; /* in the order in which they started */
  uint64_t count, room;
  struct block *spare;
};

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The next block that is not of the sample. */
static uint64_t next_other(struct launch_state *launch) {
  for (; launch->other_at < launch->only_count && launch->only[launch->other_at] == launch->other;
       launch->other_at++)
    launch->other++;
  return launch->other++;
}

/* Blocks to start in all. Of a sample its own; once they have started, the others, too, if that
 * makes no more instructions than it may. */
static uint64_t blocks_to_start(struct launch_state *launch) {
  if (!launch->only || launch->rest) return launch->block_count;
  if (launch->next_block < launch->only_count) return launch->only_count;
  double spent = (double)atomic_load(&launch->spent), each = spent / (double)launch->only_count;
  launch->rest = each * (double)launch->block_count <= (double)launch->options->sample;
  return launch->rest ? launch->block_count : launch->only_count;
}

/* The block that starts as number i of the executed ones. */
static uint64_t block_number(struct launch_state *launch, uint64_t i) {
  uint64_t count = launch->only ? launch->only_count : launch->block_count;
  const struct schedule *schedule = launch->schedule;
  if (launch->rest) return next_other(launch);
  if (schedule->order == BACKWARD) i = count - 1 - i;
  if (schedule->order == SHUFFLED) {
    uint64_t step = (schedule->seed * 2 + 1) % count;
    while (greatest_common_divisor(step, count) != 1) step++;
    i = (uint64_t)(((unsigned __int128)i * step + schedule->seed) % count);
  }
  return launch->only ? launch->only[i] : i;
}

/* Some warp of the block that polls, or waits at a barrier. */
static struct warp *waiting_warp(struct block *block) {
  for (int i = 0; i < block->warp_count; i++)
    if (block->warps[i].state == WARP_READY) return &block->warps[i];
  return &block->warps[0];
}

/* The line that could store what a warp polls: that of the last update of or store to the place,
 * otherwise an atomic or a volatile store of the kernel on another line. 0: unknown. */
static int storing_line(const struct launch_state *launch, const struct warp *warp) {
  struct allocation *a = memory_window(launch->memory, warp->polled_at);
  const struct op *best = NULL;
  if (a && a->live && a->tracked && warp->polled_at >= a->address) {
    uint64_t g = (warp->polled_at - a->address) >> launch->global_shift;
    const struct shadow *shadow = &a->shadow;
    access_tag w = g < shadow->count ? shadow->writes[g] : 0,
               u = shadow->atomics && g < shadow->count ? shadow->atomics[g] : 0;
    if (w >= launch->begin && w >= u && shadow->writers) best = launch->ops[shadow->writers[g]];
    if (u >= launch->begin && u > w && shadow->updaters) best = launch->ops[shadow->updaters[g]];
  }
  for (int i = 0; i < launch->op_total && (!best || best->line == warp->polled->line); i++) {
    const struct op *op = launch->ops[i];
    bool stores = op->kind == OP_ATOMIC || (op->kind == OP_STORE && op->is_volatile);
    if (stores && op->line != warp->polled->line) best = op;
  }
  return best && best->line != warp->polled->line ? best->line : 0;
}

static int waiting_line(const struct warp *warp) {
  return warp->polled ? warp->polled->line : warp->barrier_line;
}

/* No block in flight can ever go on. */
static void note_deadlock(struct launch_state *launch, struct flight *flight, bool more) {
  struct warp *warp = waiting_warp(flight->blocks[0]), *other = NULL;
  for (uint64_t i = 0; i < flight->count && !other; i++)
    for (int w = 0; w < flight->blocks[i]->warp_count && !other; w++) {
      struct warp *candidate = &flight->blocks[i]->warps[w];
      if (candidate->state == WARP_READY && waiting_line(candidate) != waiting_line(warp))
        other = candidate;
    }
  int line = waiting_line(warp), stores = warp->polled ? storing_line(launch, warp) : 0;
  int other_line = other && !more ? waiting_line(other) : stores ? stores : more ? launch->line : 0;
  struct hazard *h = access_hazard(warp, HAZARD_deadlock, line, other_line, "", 1);
  int who = first_thread(warp, warp->mask);
  if (more)
    access_describe(
        h, warp, who,
        "waits here for what a block that has not started would store. %llu blocks wait, as many "
        "as the GPU holds at once, and the other %llu cannot start before one of them ends. Launch "
        "fewer blocks, each doing more in a loop, or split the work into two kernels.",
        (unsigned long long)flight->count,
        (unsigned long long)(launch->block_count - launch->next_block));
  else if (other)
    access_describe(
        h, warp, who,
        "waits here, and %s at the other line, each for a value that nobody stores any more. Look "
        "at who should store it: threads that take two locks must take them in one order, and who "
        "waits must not hold what the other needs.",
        access_thread(launch, other->block->linear, first_thread(other, other->mask)).text);
  else
    access_describe(h, warp, who,
                    "waits here for a value that nobody stores any more. Look at who should store "
                    "it, and whether that thread itself waits, or has ended.");
  access_stop(warp, cudaErrorLaunchTimeout);
}

/* Ends the turn of a block: settles what the worker holds for it. */
static void end_turn(struct worker *worker, enum outcome outcome) {
  struct block *block = worker->block;
  slice_end(block);
  if (outcome == WAITS && block->read_count) worker->launch->isa->flush_reads(block);
  watch_end_block(worker);
}

/* Starts the next block. False: no memory. */
static bool start_next(struct worker *worker, struct flight *flight, enum outcome *outcome) {
  struct launch_state *launch = worker->launch;
  struct block *block = flight->spare ? flight->spare : block_open(worker);
  bool changed;
  flight->spare = NULL;
  if (!block) return false;
  worker->block = block;
  uint64_t linear = block_number(launch, atomic_fetch_add(&launch->next_block, 1));
  if (!start_block(worker, block, linear)) return false;
  watch_begin_block(worker, linear);
  *outcome = run_turn(block, &changed);
  end_turn(worker, *outcome);
  if (*outcome == WAITS) {
    if (!ARRAY_RESERVE(flight->blocks, flight->room, flight->count + 1)) return false;
    flight->blocks[flight->count++] = block;
    return true;
  }
  sync_end_block(block);
  flight->spare = block;
  return true;
}

/* One turn for each block in flight. False: no memory. *changed: something may go on now. Adds to
 * *spent the warp instructions that they took. */
static bool run_flight(struct worker *worker, struct flight *flight, bool *changed, bool *stopped,
                       int64_t *spent) {
  uint64_t kept = 0, i = 0;
  *changed = false;
  for (; i < flight->count && !*stopped; i++) {
    struct block *block = flight->blocks[i];
    bool moved;
    if (!begin_turn(worker, block)) return false;
    int64_t spent_before = slice_spent(block);
    enum outcome outcome = run_turn(block, &moved);
    *spent += slice_spent(block) - spent_before;
    end_turn(worker, outcome);
    *changed |= moved;
    *stopped = outcome == STOPPED;
    if (outcome == WAITS || *stopped) {
      flight->blocks[kept++] = block;
      continue;
    }
    sync_end_block(block);
    if (flight->spare)
      block_close(block);
    else
      flight->spare = block;
  }
  while (i < flight->count) flight->blocks[kept++] = flight->blocks[i++];
  flight->count = kept;
  return true;
}

void schedule_run_all(struct worker *worker) {
  struct launch_state *launch = worker->launch;
  uint64_t total = 0;
  uint64_t resident = launch->schedule->order == FORWARD ? launch->schedule->resident : UINT64_MAX;
  enum { IN_TURN = 8 }; /* blocks that interrupt each other */
  /* instructions without a change: a waiting loop may count before it gives up */
  enum { PATIENCE = 20 << 20 };
  int64_t idle = 0, patience = launch->budget / 2 < PATIENCE ? launch->budget / 2 : PATIENCE;
  struct flight flight = {.spare = worker->block};
  bool stopped = false, ok = true, changed = true;
  while (ok && !stopped &&
         (flight.count || launch->next_block < (total = blocks_to_start(launch)))) {
    uint64_t max = launch->schedule->order == SHUFFLED && changed ? IN_TURN : resident;
    if (launch->next_block < total && flight.count < max) {
      enum outcome outcome = ENDED;
      ok = start_next(worker, &flight, &outcome);
      stopped = outcome == STOPPED;
      if (!launch->asks) continue;
    }
    ok = run_flight(worker, &flight, &changed, &stopped, &idle);
    if (changed) idle = 0;
    if (ok && !stopped) stopped = !await_others(worker, flight.blocks, flight.count, &idle);
    if (!stopped && ok && flight.count && idle > patience) {
      note_deadlock(launch, &flight, launch->next_block < total);
      stopped = true;
    }
  }
  worker->out_of_memory |= !ok;
  if (!flight.spare) flight.spare = flight.count ? flight.blocks[--flight.count] : NULL;
  for (uint64_t i = 0; i < flight.count; i++) block_close(flight.blocks[i]);
  free(flight.blocks);
  worker->block = flight.spare;
}
