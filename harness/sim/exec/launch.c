/* launch.c: workers execute the blocks of a launch and add up what they counted; see launch.h and
 * machine.h. */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "control.h"
#include "pattern.h"
#include "tally.h"
#include "watch.h"

/* ---- one block ---- */

static void place_block(struct worker *worker, uint64_t linear) {
  const struct launch_state *launch = worker->launch;
  struct block *block = &worker->block;
  block->worker = worker;
  block->linear = linear;
  block->ctaid[0] = (uint32_t)(linear % launch->grid[0]);
  block->ctaid[1] = (uint32_t)(linear / launch->grid[0] % launch->grid[1]);
  block->ctaid[2] = (uint32_t)(linear / launch->grid[0] / launch->grid[1]);
  block->tag = (uint32_t)linear + 1;
  block->budget = launch->block_budget;
  block->exited = 0;
  block->exit_line = 0;
  block->parted = false;
  if (worker->clock > TAG_CLOCK_LIMIT / 2) { /* old tags would look new again: forget them */
    size_t bytes =
        ((size_t)launch->shared_span >> launch->shared_shift) * sizeof *worker->write_tags;
    memset(worker->write_tags, 0, bytes);
    memset(worker->read_tags, 0, bytes);
    memset(worker->clean, 0, sizeof worker->clean);
    memset(worker->unclean, 0, sizeof worker->unclean);
    worker->clock = 0;
  }
  block->start_clock = block->interval_clock = ++worker->clock;
  worker->read_count = 0;
}

static void run_block(struct worker *worker, uint64_t linear) {
  struct launch_state *launch = worker->launch;
  place_block(worker, linear);
  for (int i = 0; i < worker->warp_count; i++)
    control_start(&worker->warps[i], worker, i, launch->program);
  for (;;) {
    bool waiting = false, stopped = false;
    for (int i = 0; i < worker->warp_count && !stopped; i++) {
      struct warp *warp = &worker->warps[i];
      if (warp->state == WARP_READY) launch->isa->run_warp(warp);
      waiting = waiting || warp->state == WARP_WAITING;
      stopped = warp->stop;
    }
    if (worker->unwritten_count) access_settle_unwritten(worker);
    if (stopped || !waiting) return;
    if (worker->clock >= TAG_CLOCK_LIMIT) { /* over half a million barriers in one block */
      access_stop(&worker->warps[0], 702);
      return;
    }
    control_release(worker);
    if (!launch->canonical && atomic_load_explicit(&launch->conflict, memory_order_relaxed)) return;
  }
}

/* ---- a worker ---- */

static void worker_close(struct worker *worker) {
  if (!worker) return;
  watch_close_worker(worker);
  for (int i = 0; worker->warps && i < worker->warp_count; i++) {
    free(worker->warps[i].calls);
    free(worker->warps[i].stack);
  }
  free(worker->warps);
  free(worker->registers);
  free(worker->local);
  free(worker->shared);
  free(worker->write_tags);
  free(worker->read_tags);
  free(worker->write_ops);
  free(worker->read_ops);
  free(worker->reads);
  free(worker->unwritten);
  free(worker->memos);
  free(worker->hits);
  free(worker->op_counts);
  free(worker->block_counts);
  free(worker->printed);
  free(worker);
}

static void set_thread_indices(struct warp *warp, const struct launch_state *launch, int index) {
  for (int i = 0; i < LANES; i++) {
    uint32_t t = (uint32_t)(index * LANES + i);
    warp->tid[0][i] = t % launch->dim[0];
    warp->tid[1][i] = t / launch->dim[0] % launch->dim[1];
    warp->tid[2][i] = t / launch->dim[0] / launch->dim[1];
  }
}

/* Room for calls: depth is not known beforehand, so a kernel that calls gets this much a warp and a
 * thread. */
enum { CALL_FRAMES = 2 << 20, CALL_LOCAL = 16 << 10 };

static bool worker_warps(struct worker *worker) {
  const struct launch_state *launch = worker->launch;
  const struct program *program = launch->program;
  int stack = program->has_calls ? MAX_STACK : program->block_count * 2 + 2 * LANES + 8;
  worker->warps = calloc((size_t)worker->warp_count, sizeof *worker->warps);
  if (!worker->warps) return false;
  for (int i = 0; i < worker->warp_count; i++) {
    struct warp *warp = &worker->warps[i];
    warp->calls = calloc(program->has_calls ? MAX_CALLS : 1, sizeof *warp->calls);
    warp->stack = calloc((size_t)(stack > MAX_STACK ? MAX_STACK : stack) + 2, sizeof *warp->stack);
    if (!warp->calls || !warp->stack) return false;
    warp->stack_limit = stack > MAX_STACK ? MAX_STACK : stack;
    set_thread_indices(warp, launch, i);
    control_start(warp, worker, i, program);
    memcpy(warp->calls[0].frame, program->constants, program->constant_bytes);
  }
  return true;
}

static struct worker *worker_open(struct launch_state *launch, const struct kernel *kernel) {
  const struct program *program = launch->program;
  struct worker *worker = calloc(1, sizeof *worker);
  if (!worker) return NULL;
  worker->launch = launch;
  worker->warp_count = (launch->threads_per_block + LANES - 1) / LANES;
  size_t warps = (size_t)worker->warp_count,
         granules = ((size_t)launch->shared_span >> launch->shared_shift) + LANES * 16;
  worker->frame_bytes = program->frame_bytes + LANES * program->param_bytes + 2 * FRAME_ALIGN;
  if (program->has_calls) worker->frame_bytes += CALL_FRAMES;
  worker->local_bytes =
      (program->local_bytes + (program->has_calls ? CALL_LOCAL : 0) + 15) / 16 * 16;
  worker->registers = calloc(warps, worker->frame_bytes);
  worker->local = calloc(warps * LANES, worker->local_bytes + 1);
  worker->shared = calloc(1, launch->shared_span + LANES * 16);
  worker->write_tags = calloc(granules, sizeof *worker->write_tags);
  worker->read_tags = calloc(granules, sizeof *worker->read_tags);
  worker->write_ops = calloc(granules, sizeof *worker->write_ops);
  worker->read_ops = calloc(granules, sizeof *worker->read_ops);
  worker->reads = calloc(READ_LOG, sizeof *worker->reads);
  worker->unwritten = calloc(MOST_UNWRITTEN, sizeof *worker->unwritten);
  worker->hits = calloc((size_t)kernel->op_count + 1, sizeof *worker->hits);
  worker->memos = calloc((size_t)kernel->op_count + 1, sizeof *worker->memos);
  worker->op_counts = calloc((size_t)kernel->op_count + 1, sizeof *worker->op_counts);
  worker->block_counts = calloc((size_t)kernel->block_count + 1, sizeof *worker->block_counts);
  if (worker->registers && worker->local && worker->shared && worker->write_tags &&
      worker->read_tags && worker->write_ops && worker->read_ops && worker->reads &&
      worker->unwritten && worker->hits && worker->memos && worker->op_counts &&
      worker->block_counts && worker_warps(worker))
    return worker;
  worker_close(worker);
  return NULL;
}

/* Takes blocks until there are none or the launch is over. Device printf is kept in the order of
 * blocks by running them one by one: a kernel that prints is run canonically. */
static void *worker_run(void *argument) {
  struct worker *worker = argument;
  struct launch_state *launch = worker->launch;
  uint64_t total = launch->only ? launch->only_count : launch->block_count;
  uint64_t chunk = launch->canonical ? 1 : total / 64 + 1;
  if (chunk > 16) chunk = 16;
  for (;;) {
    uint64_t first = atomic_fetch_add_explicit(&launch->next_block, chunk, memory_order_relaxed);
    if (first >= total) return NULL;
    uint64_t last = first + chunk < total ? first + chunk : total;
    for (uint64_t i = first; i < last; i++) {
      uint64_t b = launch->only ? launch->only[i] : i;
      watch_begin_block(worker, b);
      run_block(worker, b);
      watch_end_block(worker);
      if (launch->stopped || atomic_load_explicit(&launch->conflict, memory_order_relaxed))
        return NULL;
    }
  }
}

/* ---- a launch ---- */

static void collect(const struct kernel *kernel, struct worker *worker, struct tally *tally) {
  for (int i = 0; i < kernel->op_count; i++)
    pattern_flush(worker, kernel->ops[i], &worker->memos[kernel->ops[i]->group]);
  tally_add(tally, kernel, worker->op_counts, worker->block_counts);
}

/* All workers at once. False: the launch must be undone and run canonically (or memory ran out). */
static bool run_optimistic(struct launch_state *launch, const struct kernel *kernel, int threads,
                           struct tally *tally) {
  struct worker *workers[64] = {NULL};
  pthread_t ids[64];
  uint64_t written = 0, read = 0;
  int started = 0;
  if (threads > 64) threads = 64;
  if ((uint64_t)threads > launch->block_count) threads = (int)launch->block_count;
  launch->canonical = false;
  atomic_store(&launch->next_block, 0);
  bool fine = true;
  memory_begin_launch(launch->memory, launch->global_shift, true, true);
  for (int i = 0; fine && i < threads; i++)
    fine = (workers[i] = worker_open(launch, kernel)) != NULL;
  for (; fine && started < threads - 1; started++)
    if (pthread_create(&ids[started], NULL, worker_run, workers[started + 1]) != 0) break;
  if (fine) worker_run(workers[0]);
  for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
  for (int i = 0; fine && i < threads; i++) {
    written += workers[i]->words_tagged;
    read += workers[i]->words_read_tagged;
  }
  fine = fine && !atomic_load(&launch->conflict) &&
         memory_tags_are_sound(launch->memory, written, read);
  for (int i = 0; fine && i < threads; i++) collect(kernel, workers[i], tally);
  for (int i = 0; i < threads; i++) worker_close(workers[i]);
  if (!fine) memory_restore(launch->memory);
  memory_drop_saved(launch->memory);
  return fine;
}

static bool run_canonical(struct launch_state *launch, const struct kernel *kernel,
                          struct tally *tally, struct launch_result *result) {
  launch->canonical = true;
  watch_reset(launch->watch);
  atomic_store(&launch->next_block, 0);
  atomic_store(&launch->conflict, false);
  struct worker *worker = worker_open(launch, kernel);
  if (!worker) return false;
  bool races = launch->block_count > 1 && !launch->only;
  memory_begin_launch(launch->memory, launch->global_shift, races, false);
  worker_run(worker);
  collect(kernel, worker, tally);
  result->printed = worker->printed;
  result->printed_bytes = worker->printed_bytes;
  worker->printed = NULL;
  worker_close(worker);
  return true;
}

/* From the blocks that were executed to all of them. */
static void scale_counters(struct counters *counters, uint64_t executed, uint64_t all) {
  for (int c = 0; c < COUNTERS; c++)
    counters->value[c] =
        (uint64_t)(((unsigned __int128)counters->value[c] * all + executed / 2) / executed);
}

static bool prints(const struct kernel *kernel) {
  for (int i = 0; i < kernel->op_count; i++)
    if (kernel->ops[i]->orders_blocks) return true;
  return false;
}

static int shift_of(int granule) { return granule == 1 ? 0 : granule == 2 ? 1 : 2; }

bool launch_run(const struct launch *launch, const struct kernel *kernel, struct memory *memory,
                const struct device_info *gpu, const struct launch_options *options,
                struct hazard_list *hazards, struct launch_result *result) {
  const struct program *program = kernel->programs[0];
  struct shared_array arrays[64];
  struct launch_state state = {.memory = memory,
                               .program = program,
                               .isa = isa_best(),
                               .params = launch->params,
                               .param_bytes = kernel->info.param_bytes,
                               .static_shared = kernel->static_shared_bytes,
                               .dynamic_shared = (uint32_t)launch->shared_bytes,
                               .sm_count = gpu->sm_count,
                               .arrays = arrays,
                               .array_count = kernel->shared_count,
                               .block_budget = options->block_budget,
                               .hazards = hazards,
                               .ops = kernel->ops,
                               .op_total = kernel->op_count,
                               .shared_shift = shift_of(program->shared_granule),
                               .global_shift = shift_of(program->global_granule)};
  state.block_count = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  state.threads_per_block = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
  for (int i = 0; i < 3; i++) {
    state.grid[i] = launch->grid[i];
    state.dim[i] = launch->block[i];
  }
  for (int i = 0; i < kernel->shared_count; i++) {
    const struct shared_variable *v = &kernel->shared[i];
    arrays[i] = (struct shared_array){.name = v->name, .start = v->start, .dynamic = v->dynamic};
    arrays[i].size = (uint32_t)(v->dynamic ? launch->shared_bytes : v->variable->size);
  }
  state.shared_span = kernel->shared_end + (uint32_t)launch->shared_bytes;
  memset(result, 0, sizeof *result);
  struct watch watch;
  state.watch = &watch;
  if (!watch_open(&watch, &state, options)) return false;
  uint64_t only[SAMPLED_BLOCKS + MOST_TRACED];
  if (options->sample && state.block_count > SAMPLED_BLOCKS + MOST_TRACED) {
    state.only = only;
    state.only_count = (uint64_t)watch_blocks(&watch, only);
  }
  struct tally tally = {0};
  bool many = options->threads > 1 && state.block_count > 1;
  bool ordered = program->order_matters || program->has_fence || prints(kernel);
  bool fine =
      many && !ordered && !state.only && run_optimistic(&state, kernel, options->threads, &tally);
  if (!fine) fine = run_canonical(&state, kernel, &tally, result);
  if (fine) fine = tally_finish(&tally, &result->counters, &result->lines, &result->line_count);
  tally_release(&tally);
  for (int i = 0; fine && state.only && i < result->line_count; i++)
    scale_counters(&result->lines[i].counters, state.only_count, state.block_count);
  if (fine && state.only) scale_counters(&result->counters, state.only_count, state.block_count);
  watch_count_l2(&watch, &result->counters);
  if (fine) fine = capture_reports(&state, &result->accesses, &result->access_count);
  result->traces = watch.traces;
  result->trace_count = watch.trace_count;
  watch.trace_count = 0;
  watch.traces = NULL;
  watch_close(&watch);
  for (int i = 0; state.noted >= ENOUGH_HAZARDS && i < hazards->count; i++)
    hazards->items[i].more =
        hazards->items[i].kind == HAZARD_race || hazards->items[i].kind == HAZARD_uninit;
  result->error = state.error;
  return fine;
}

void launch_result_release(struct launch_result *result) {
  for (int i = 0; i < result->access_count; i++) free(result->accesses[i].warps);
  for (int i = 0; i < result->trace_count; i++) trace_release(&result->traces[i]);
  free(result->traces);
  free(result->accesses);
  free(result->lines);
  free(result->printed);
}
