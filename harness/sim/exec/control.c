/* control.c: control flow that ends more than a basic block: calls, returns, barriers, exits and
 * faults of a warp. */
#include "harness/sim/exec/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/budget.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/async.h"
#include "harness/sim/exec/mbarrier.h"
#include "harness/sim/exec/paths.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/sync.h"

static char *align_frame(char *at) {
  return (char *)(((uintptr_t)at + FRAME_ALIGN - 1) & ~(uintptr_t)(FRAME_ALIGN - 1));
}

/* Poisons registers (only if some may be read before they are written) and local variables, so that
 * results do not depend on what ran before. */
static void clear_frame(const struct warp *warp, const struct frame_record *call) {
  const struct program *program = call->program;
  const struct worker *worker = warp->worker;
  if (program->reads_unset)
    memset(call->frame + program->constant_bytes, POISON_BYTE,
           program->frame_bytes - program->constant_bytes);
  if (program->local_bytes)
    memset(warp->block->local + LANES * (warp->index * worker->local_bytes + call->local_offset),
           POISON_BYTE, LANES * program->local_bytes);
}

void control_start(struct warp *warp, struct block *block, int index,
                   const struct program *program) {
  struct worker *worker = block->worker;
  const struct launch_state *launch = worker->launch;
  int first = index * LANES, threads = launch->threads_per_block - first;
  warp->worker = worker;
  warp->block = block;
  warp->index = index;
  warp->exist = warp->live = threads >= LANES ? 0xffffffffu : (1u << threads) - 1;
  warp->synced = worker->now;
  free(warp->lane_synced);
  warp->lane_synced = NULL;
  async_reset(warp);
  warp->state = WARP_READY;
  warp->executed = 0;
  warp->stop = false;
  warp->yields = false;
  warp->clock = (struct clock_wait){.op = -1};
  warp->barrier_mask = 0;
  paths_close(warp);
  warp->awaited_count = 0;
  warp->call_depth = 0;
  warp->calls[0] = (struct frame_record){.program = program, .return_block = NO_BLOCK};
  warp->calls[0].frame = align_frame(block->registers + (size_t)index * worker->frame_bytes);
  warp->calls[0].params = warp->calls[0].frame + program->frame_bytes;
  warp->stack[0] = (struct stack_entry){0, NO_BLOCK, warp->live};
  warp->stack_size = 1;
  clear_frame(warp, &warp->calls[0]);
  warp->resume = NULL;
  warp->affine = warp->own_affine;
  if (warp->affine) affine_begin(warp->affine, program->affine);
}

/* Through a pointer: the site for the first lane's. Lanes that have another one come back to the
 * block, which has nothing but the call, when those that share it have returned. */
static const struct call_site *find_site(struct warp *warp, const struct basic_block *block) {
  const struct frame_record *caller = &warp->calls[warp->call_depth];
  const uint64_t *pointers = (const uint64_t *)(const void *)(caller->frame + block->call_pointer);
  uint64_t pointer = pointers[__builtin_ctz(warp->mask)];
  uint32_t others = 0;
  EACH_ACTIVE (i, warp->mask) others |= (uint32_t)(pointers[i] != pointer) << i;
  const struct call_site *site = block->call;
  while (site && site->address != pointer) site = site->next;
  if (!site) {
    access_describe(access_hazard(warp, HAZARD_trap, block->line, 0, "", 1), warp,
                    first_thread(warp, warp->mask),
                    "calls a function through the pointer 0x%llx, which is no function of the "
                    "device with such parameters%s.",
                    (unsigned long long)pointer,
                    pointer < 4096 ? "" : ". Host code's pointer to a __device__ function is none");
    access_stop(warp, cudaErrorInvalidPc);
    return NULL;
  }
  if (others && warp->stack_size < warp->stack_limit)
    warp->stack[warp->stack_size++] =
        (struct stack_entry){(int)(block - caller->program->blocks), block->next, others};
  warp->mask &= ~others;
  return site;
}

void control_call(struct warp *warp, const struct basic_block *block) {
  const struct call_site *site = block->indirect ? find_site(warp, block) : block->call;
  if (!site) return;
  const struct program *callee = site->callee;
  struct worker *worker = warp->worker;
  struct frame_record *caller = &warp->calls[warp->call_depth];
  char *frame = align_frame(caller->params + LANES * caller->program->param_bytes);
  char *end = warp->block->registers + (size_t)(warp->index + 1) * worker->frame_bytes;
  uint64_t local = caller->local_offset + caller->program->local_bytes;
  size_t need = callee->frame_bytes + LANES * callee->param_bytes + FRAME_ALIGN;
  if (warp->call_depth + 1 >= MAX_CALLS || need > (size_t)(end - frame) ||
      warp->stack_size >= warp->stack_limit || local + callee->local_bytes > worker->local_bytes) {
    control_overflow(warp, block->line);
    return;
  }
  struct frame_record *call = &warp->calls[++warp->call_depth];
  *call = (struct frame_record){
      .program = callee, .frame = frame, .local_offset = (local + 15) & ~UINT64_C(15)};
  call->params = frame + callee->frame_bytes;
  call->stack_base = warp->stack_size;
  call->site = site;
  memcpy(frame, callee->constants, callee->constant_bytes);
  clear_frame(warp, call);
  for (int i = 0; i < site->argument_count; i++)
    memcpy(planes_row(call->params, site->arguments[i].to),
           planes_row(caller->params, site->arguments[i].from),
           ((size_t)site->arguments[i].bytes + 3) / 4 * SLOT32);
  warp->stack[warp->stack_size++] = (struct stack_entry){0, NO_BLOCK, warp->mask};
}

bool control_return(struct warp *warp) {
  struct frame_record *call = &warp->calls[warp->call_depth];
  if (warp->call_depth == 0) {
    warp->state = WARP_DONE;
    return false;
  }
  struct frame_record *caller = call - 1;
  const struct call_site *site = call->site;
  for (int i = 0; i < site->result_count; i++)
    for (uint32_t at = 0; at < site->results[i].bytes; at += 4) {
      const uint32_t *from = planes_row(call->params, site->results[i].from + at);
      uint32_t *to = planes_row(caller->params, site->results[i].to + at);
      for (int lane = 0; lane < LANES; lane++)
        to[lane] = call->returned >> lane & 1 ? from[lane] : to[lane];
    }
  warp->call_depth--;
  return true;
}

void control_exit(struct warp *warp, uint32_t mask, int line) {
  warp->live &= ~mask;
  warp->block->exited += (uint32_t)__builtin_popcount(mask);
  warp->block->exit_line = line;
  if (!warp->live) {
    paths_close(warp);
    warp->state = WARP_DONE;
    warp->call_depth = 0;
    warp->stack_size = 0;
  }
}

/* The result of a bar.red is written by control_release. */
bool control_barrier(struct warp *warp, const struct basic_block *block) {
  if (block->named) {
    const char *frame = warp->calls[warp->call_depth].frame;
    int lane = __builtin_ctz(warp->mask);
    uint32_t number = ((const uint32_t *)(const void *)(frame + block->barrier_number))[lane],
             threads = ((const uint32_t *)(const void *)(frame + block->barrier_threads))[lane];
    return control_named_barrier(warp, number, threads, block->line, true);
  }
  bool several = paths_several(warp);
  warp->barrier_mask = several ? warp->barrier_mask | warp->mask : warp->mask;
  warp->barrier_line = block->line;
  warp->barrier_block = block;
  if (several && paths_reach_barrier(warp)) return false;
  warp->state = WARP_WAITING;
  return true;
}

/* All expected warps have arrived: those that wait go on, ordered after all that arrived. */
static void open_barrier(struct block *block, struct named_barrier *barrier) {
  struct named_barriers *named = block->named;
  EACH_ACTIVE (w, barrier->waiting) {
    for (int v = 0; v < MAX_WARPS; v++)
      if (barrier->joined[v] > named->synced[w][v]) named->synced[w][v] = barrier->joined[v];
    block->warps[w].state = WARP_READY;
  }
  mbarrier_share(block, barrier->warps, barrier->waiting);
  if (block->worker->launch->sync) sync_meet(block, barrier->warps, 0xffffffffu);
  memset(barrier, 0, sizeof *barrier);
}

bool control_named_barrier(struct warp *warp, uint32_t number, uint32_t threads, int line,
                           bool waits) {
  struct block *block = warp->block;
  struct worker *worker = warp->worker;
  if (!block->named) block->named = calloc(1, sizeof *block->named);
  bool of_tile = number >= TILE_BARRIERS && number < TILE_BARRIERS + TILES;
  if (!block->named || (number >= PTX_BARRIERS && !of_tile)) {
    control_trap(warp, line);
    return true;
  }
  if (of_tile) number += PTX_BARRIERS - TILE_BARRIERS;
  struct named_barrier *barrier = &block->named->barrier[number];
  if (block->read_count) worker->launch->isa->flush_reads(block);
  worker->now += TAG_TICK;
  worker->stores++; /* others may wait for this */
  barrier->warps |= 1u << warp->index;
  barrier->threads = threads ? threads : (uint32_t)block->warp_count * LANES;
  for (int v = 0; v < MAX_WARPS; v++) {
    access_tag synced = block->named->synced[warp->index][v];
    if (v == warp->index) synced = worker->now & ~TAG_LOW;
    if (synced > barrier->joined[v]) barrier->joined[v] = synced;
  }
  if (waits) {
    barrier->waiting |= 1u << warp->index;
    warp->state = WARP_WAITING;
    warp->barrier_mask = warp->mask;
    warp->barrier_line = line;
    warp->barrier_block = NULL;
  }
  if ((uint32_t)__builtin_popcount(barrier->warps) * LANES < barrier->threads) return waits;
  open_barrier(block, barrier);
  return waits;
}

/* Reports threads of a warp that have not come to the barrier at which another one waits. */
static void barrier_hazard(struct warp *at, const struct warp *missing_warp, uint32_t missing,
                           int other_line, bool returned) {
  at->block->parted = true;
  struct hazard *h = access_hazard(at, HAZARD_barrier, at->barrier_line, other_line, "",
                                   (uint64_t)__builtin_popcount(missing));
  if (!h) return;
  int here = first_thread(at, at->barrier_mask);
  struct thread_text there =
      access_thread(at->worker->launch, at->block->linear, first_thread(missing_warp, missing));
  if (returned)
    access_describe(h, at, here,
                    "waits at __syncthreads(), but %s has already returned from the kernel%s. "
                    "Every thread of a block must reach each barrier: let threads without work "
                    "skip it, not the barrier.",
                    there.text, other_line ? " (at the other line)" : "");
  else if (other_line && other_line != at->barrier_line)
    access_describe(h, at, here,
                    "waits at this __syncthreads() while %s waits at another one. All threads of a "
                    "block must meet at the same barrier: move it out of the condition.",
                    there.text);
  else
    access_describe(
        h, at, here,
        "reaches __syncthreads() without %s of the same warp: the barrier stands in a branch that "
        "not all threads take, or some threads return before it. Move the barrier out of the "
        "condition; threads without work skip the work only.",
        there.text);
}

/* No warp can run: reports one that waits at a named barrier at which too few have arrived, if
 * there is one. */
static bool check_named(struct block *block) {
  for (int i = 0; block->named && i < NAMED_BARRIERS; i++) {
    struct named_barrier *barrier = &block->named->barrier[i];
    if (!barrier->waiting) continue;
    struct warp *warp = &block->warps[__builtin_ctz(barrier->waiting)];
    access_describe(access_hazard(warp, HAZARD_barrier, warp->barrier_line, 0, "", 1), warp,
                    first_thread(warp, warp->barrier_mask),
                    "waits at barrier %d for %u threads, but only %d come to it. All warps that "
                    "are to meet must name the same barrier and the same number of threads.",
                    i, barrier->threads, __builtin_popcount(barrier->warps) * LANES);
    block->parted = true;
    memset(barrier, 0, sizeof *barrier);
    return true;
  }
  return false;
}

/* Reports threads that missed the barrier. After a block's first report none is checked. */
static void check_arrival(struct block *block) {
  if (block->parted) return;
  if (check_named(block)) return;
  struct warp *first = NULL;
  for (int i = 0; i < block->warp_count; i++) {
    struct warp *warp = &block->warps[i];
    if (warp->state != WARP_WAITING) continue;
    if (!first) first = warp;
    uint32_t missing = warp->live & ~warp->barrier_mask;
    if (missing) barrier_hazard(warp, warp, missing, 0, false);
    if (warp->barrier_line != first->barrier_line)
      barrier_hazard(first, warp, warp->barrier_mask, warp->barrier_line, false);
  }
  if (!block->exited || !first) return;
  for (int i = 0; i < block->warp_count; i++) {
    struct warp *warp = &block->warps[i];
    uint32_t gone = warp->exist & ~warp->live;
    if (!gone) continue;
    barrier_hazard(first, warp, gone,
                   block->exit_line == first->barrier_line ? 0 : block->exit_line, true);
    break;
  }
}

/* The reduction that a warp waits for, or NULL. */
static const struct basic_block *reduction_of(const struct warp *warp) {
  const struct basic_block *block = warp->barrier_block;
  return warp->state == WARP_WAITING && block && block->reduce_op ? block : NULL;
}

static void reduce(struct block *block) {
  uint32_t count = 0, arrived = 0;
  for (int i = 0; i < block->warp_count; i++) {
    const struct warp *warp = &block->warps[i];
    const struct basic_block *reduction = reduction_of(warp);
    if (!reduction) continue;
    uint32_t p = *(uint32_t *)(warp->calls[warp->call_depth].frame + reduction->reduce_from);
    if (reduction->reduce_negated) p = ~p;
    count += (uint32_t)__builtin_popcount(p & warp->barrier_mask);
    arrived += (uint32_t)__builtin_popcount(warp->barrier_mask);
  }
  for (int i = 0; i < block->warp_count; i++) {
    const struct warp *warp = &block->warps[i];
    const struct basic_block *reduction = reduction_of(warp);
    if (!reduction) continue;
    uint32_t *to = (uint32_t *)(warp->calls[warp->call_depth].frame + reduction->reduce_to);
    uint32_t mask = warp->barrier_mask;
    if (reduction->reduce_op == 'p') {
      EACH_ACTIVE (lane, mask) to[lane] = count;
    } else {
      bool holds = reduction->reduce_op == 'a' ? count == arrived : count > 0;
      *to = (*to & ~mask) | (holds ? mask : 0);
    }
  }
}

void control_release(struct block *block) {
  struct worker *worker = block->worker;
  check_arrival(block);
  reduce(block);
  block->read_count =
      0; /* no store followed these loads, so there is nothing to check them against */
  if (worker->launch->sync) sync_barrier(block);
  worker->now += TAG_TICK;
  block->span.interval = worker->now & ~TAG_LOW;
  for (int i = 0; i < block->warp_count; i++) {
    struct warp *warp = &block->warps[i];
    warp->synced = worker->now & ~TAG_LOW;
    if (warp->state == WARP_WAITING) warp->state = WARP_READY;
    warp->barrier_mask = 0;
    if (warp->path_count) paths_wake(warp, true);
  }
}

void control_members(struct warp *warp, const struct op *op, const uint32_t *members,
                     const char *what) {
  uint32_t named = 0, outsiders = 0;
  EACH_ACTIVE (i, warp->mask) {
    named |= members[i];
    if (!(members[i] >> i & 1)) outsiders |= 1u << i;
  }
  if (outsiders)
    access_describe(access_hazard(warp, HAZARD_barrier, op->line, 0, "", 1), warp,
                    first_thread(warp, outsiders),
                    "calls %s with the mask 0x%08x, in which it is not itself. Every lane that "
                    "calls must be in its mask.",
                    what, members[__builtin_ctz(outsiders)]);
  uint32_t missing = named & warp->live & ~warp->mask;
  if (!missing && !warp->awaited_count) return;
  for (int i = 0; i < warp->awaited_count; i++) { /* have other lanes waited for these? */
    struct awaited *a = &warp->awaited[i];
    if (a->op != op) continue;
    if (a->missing & warp->mask) {
      missing &= ~a->callers;
      a->callers |= warp->mask;
      a->missing &= ~warp->mask;
    }
    missing &= ~a->missing; /* they are awaited already */
  }
  if (missing && warp->awaited_count < MAX_AWAITED)
    warp->awaited[warp->awaited_count++] = (struct awaited){op, what, warp->mask, missing};
}

void control_settle_members(struct warp *warp) {
  int kept = 0;
  for (int i = 0; i < warp->awaited_count; i++) {
    struct awaited a = warp->awaited[i];
    a.missing &= warp->live;
    uint32_t passed = a.missing & warp->mask;
    if (!passed || !(a.callers & warp->mask)) {
      if (a.missing) warp->awaited[kept++] = a;
      continue;
    }
    access_describe(
        access_hazard(warp, HAZARD_barrier, a.op->line, 0, "", 1), warp,
        first_thread(warp, a.callers),
        "is at %s without %s, which its mask names. Call it where all lanes of the mask pass.",
        a.what,
        access_thread(warp->worker->launch, warp->block->linear, first_thread(warp, passed)).text);
  }
  warp->awaited_count = kept;
}

/* Orders what the lanes of the mask did before, and what each was ordered after, before what any of
 * them does from now on. */
static void sync_lanes(struct warp *warp, uint32_t mask) {
  access_tag now = warp->worker->now & ~TAG_LOW, joined[LANES];
  if (!warp->lane_synced) {
    warp->lane_synced = malloc(LANES * sizeof *warp->lane_synced);
    if (!warp->lane_synced) return;
    for (int i = 0; i < LANES; i++)
      for (int j = 0; j < LANES; j++) warp->lane_synced[i][j] = warp->synced;
  }
  for (int j = 0; j < LANES; j++) {
    joined[j] = mask >> j & 1 ? now : warp->synced;
    EACH_ACTIVE (i, mask) {
      access_tag knows = warp->lane_synced[i][j];
      if (knows > joined[j]) joined[j] = knows;
    }
  }
  EACH_ACTIVE (i, mask) memcpy(warp->lane_synced[i], joined, sizeof joined);
}

void control_warp_sync(struct warp *warp, const uint32_t *members) {
  struct worker *worker = warp->worker;
  if (warp->block->read_count) worker->launch->isa->flush_reads(warp->block);
  worker->now += TAG_TICK;
  for (uint32_t left = warp->mask; left;) { /* tiles of a warp meet apart */
    uint32_t mask = members[__builtin_ctz(left)] & warp->live;
    uint32_t here = mask & warp->mask;
    if (here == warp->live) {
      warp->synced = worker->now & ~TAG_LOW;
      free(warp->lane_synced);
      warp->lane_synced = NULL;
    } else {
      sync_lanes(warp, here);
    }
    if (worker->launch->sync) sync_meet(warp->block, 1u << warp->index, here);
    left &= ~(here | (left & (0 - left)));
  }
}

void control_poll(struct warp *warp, const struct op *op, uint64_t seen) {
  enum { ROUNDS = 16 };
  struct poll *poll = &warp->polls[op->index % POLLS];
  bool same = poll->op == op && poll->seen == seen && poll->stores == warp->worker->stores;
  *poll = (struct poll){op, seen, warp->worker->stores};
  warp->polled = op;
  warp->poll_rounds = same ? warp->poll_rounds + 1 : 0;
  if (!same) warp->vain_yields = 0;
  if (warp->poll_rounds < ROUNDS) return;
  warp->poll_rounds = ROUNDS / 2;
  warp->yields = true;
}

/* Many loops only look as if they wait and end by themselves. Once a warp has turned out to wait
 * for its own lanes, other warps need not show it again. */
bool control_waits_for_lanes(struct warp *warp) {
  enum { VAIN_YIELDS = 16 };
  struct worker *worker = warp->worker;
  worker->lanes_wait |= ++warp->vain_yields >= VAIN_YIELDS;
  return worker->lanes_wait;
}

void control_trap(struct warp *warp, int line) {
  access_describe(access_hazard(warp, HAZARD_trap, line, 0, "", 1), warp,
                  first_thread(warp, warp->mask),
                  "executed a trap: a failed assert, or code that can never be right.");
  access_stop(warp, cudaErrorLaunchFailure);
}

/* The first thread of the lanes that run. */
static int running_thread(const struct warp *warp) {
  return first_thread(warp, warp->stack[warp->stack_size - 1].mask);
}

void control_endless(struct warp *warp, int line) {
  access_describe(
      access_hazard(warp, HAZARD_timeout, line, 0, "", 1), warp, running_thread(warp),
      "repeats the loop at this line forever: registers and memory are as they were a round "
      "before. Look at what ends that loop: what its condition compares no longer changes.");
  access_stop(warp, cudaErrorLaunchTimeout);
}

void control_budget_spent(struct warp *warp, int line) {
  const struct launch_state *launch = warp->worker->launch;
  char whole[40], here[40];
  access_describe(access_hazard(warp, HAZARD_budget, line, 0, "", 1), warp, running_thread(warp),
                  "was at this line when the budget of %s warp instructions, which all cases "
                  "share, was used up: this launch has executed %s of them. If a loop here runs "
                  "too long, look at what ends it; if the kernel is only slow, let whole warps "
                  "work (blocks of 32 x 8 threads) and each thread do less.",
                  budget_text(launch->whole_budget, whole, sizeof whole),
                  budget_text((uint64_t)launch->budget, here, sizeof here));
  access_stop(warp, cudaErrorLaunchTimeout);
}

void control_overflow(struct warp *warp, int line) {
  access_describe(access_hazard(warp, HAZARD_trap, line, 0, "", 1), warp, warp->index * LANES,
                  "calls functions too deeply: is there a recursion that does not end?");
  access_stop(warp, cudaErrorIllegalAddress);
}
