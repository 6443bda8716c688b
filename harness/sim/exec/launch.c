/* launch.c: runs a launch: workers execute its blocks, optimistically first and canonically where
 * the order matters, and their counts are added up. */
#include "harness/sim/exec/launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/heap.h"
#include "harness/sim/decode/stored.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/mirror.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/race_parts.h"
#include "harness/sim/exec/schedule.h"
#include "harness/sim/exec/sync.h"
#include "harness/sim/exec/tally.h"
#include "harness/sim/exec/watch.h"

/* ---- a worker ---- */

static void worker_close(struct worker *worker) {
  if (!worker) return;
  watch_close_worker(worker);
  block_close(worker->block);
  free(worker->memos);
  free(worker->first_memos);
  for (int i = 0; worker->formers && i < worker->launch->op_total; i++)
    for (int k = 0; k < worker->formers[i].count; k++) free(worker->formers[i].made[k]);
  free(worker->formers);
  free(worker->hits);
  free(worker->op_counts);
  map_free(&worker->accounts);
  free(worker->block_counts);
  free(worker->tag_counts);
  free(worker->group_hits);
  free(worker->group_phases);
  free(worker->scratch);
  free(worker->attempts);
  free(worker->printed);
  children_release(&worker->children);
  free(worker);
}

/* Room for calls: their depth is unknown beforehand, so a kernel with calls gets this much per warp
 * and per thread. */
enum { CALL_FRAMES = 2 << 20, CALL_LOCAL = 16 << 10 };

/* number: of the worker, below 64; its clock begins at `now`. */
static struct worker *worker_open(struct launch_state *launch, int number) {
  const struct kernel *kernel = launch->kernel;
  const struct program *program = launch->program;
  struct worker *worker = calloc(1, sizeof *worker);
  if (!worker) return NULL;
  worker->launch = launch;
  worker->accounts.item_size = sizeof(struct account);
  worker->now = launch->begin | (access_tag)number << TAG_WORKER_SHIFT;
  worker->frame_bytes = program->frame_bytes + LANES * program->param_bytes + 2 * FRAME_ALIGN;
  if (program->has_calls) worker->frame_bytes += CALL_FRAMES;
  worker->local_bytes =
      (program->local_bytes + (program->has_calls ? CALL_LOCAL : 0) + 15) / 16 * 16;
  worker->hits = calloc((size_t)kernel->op_count + 1, sizeof *worker->hits);
  worker->memos = calloc((size_t)kernel->op_count + 1, sizeof *worker->memos);
  worker->first_memos = calloc((size_t)kernel->op_count + 1, sizeof *worker->first_memos);
  for (int i = 0; worker->memos && worker->first_memos && i < kernel->op_count; i++)
    worker->memos[i] = &worker->first_memos[i];
  worker->formers = calloc((size_t)kernel->op_count + 1, sizeof *worker->formers);
  worker->op_counts = calloc((size_t)kernel->op_count + 1, sizeof *worker->op_counts);
  worker->block_counts = calloc((size_t)kernel->block_count + 1, sizeof *worker->block_counts);
  const struct affine_form *form = program->affine;
  size_t groups = form ? (size_t)form->group_count + 1 : 1;
  worker->group_hits = calloc(groups, sizeof *worker->group_hits);
  worker->group_phases = calloc(groups, sizeof *worker->group_phases);
  worker->scratch = calloc(1, form ? form->scratch_bytes + 1 : 1);
  worker->attempts = calloc((size_t)program->block_count + 1, sizeof *worker->attempts);
  worker->tag_counts = calloc((size_t)launch->memory->window_count + 1, sizeof *worker->tag_counts);
  worker->block = block_open(worker);
  if (worker->hits && worker->memos && worker->first_memos && worker->formers &&
      worker->op_counts && worker->block_counts && worker->group_hits && worker->group_phases &&
      worker->scratch && worker->attempts && worker->tag_counts && worker->block)
    return worker;
  worker_close(worker);
  return NULL;
}

/* False: the launch is over. */
static bool run_block(struct worker *worker, uint64_t block) {
  watch_begin_block(worker, block);
  bool ok = schedule_run_block(worker, block);
  watch_end_block(worker);
  return ok && !atomic_load_explicit(&worker->launch->conflict, memory_order_relaxed);
}

/* Runs traced blocks until there are none left; who runs the last one, tells that all are done. */
static bool run_traced(struct worker *worker) {
  struct launch_state *launch = worker->launch;
  const struct launch_options *options = launch->options;
  int count = options->traced_count;
  for (;;) {
    int next = atomic_fetch_add_explicit(&launch->next_traced, 1, memory_order_relaxed);
    if (next >= count) return true;
    if (!run_block(worker, options->traced[next])) return false;
    if (atomic_fetch_add(&launch->traced_done, 1) + 1 == count && options->on_traces)
      options->on_traces(options->context, launch->watch->traces, count);
  }
}

/* Optimistic mode: takes blocks, traced ones first, until there are none or the launch is over. */
static void *worker_run(void *argument) {
  struct worker *worker = argument;
  struct launch_state *launch = worker->launch;
  uint64_t total = launch->block_count, chunk = total / 64 + 1;
  if (chunk > 16) chunk = 16;
  if (!run_traced(worker)) return NULL;
  for (;;) {
    uint64_t first = atomic_fetch_add_explicit(&launch->next_block, chunk, memory_order_relaxed);
    if (first >= total) return NULL;
    uint64_t last = first + chunk < total ? first + chunk : total;
    for (uint64_t b = first; b < last; b++)
      if (!watch_traces(launch->watch, b) && !run_block(worker, b)) return NULL;
  }
}

/* ---- a launch ---- */

static void collect(struct worker *worker, struct tally *tally) {
  const struct launch_state *launch = worker->launch;
  for (int i = 0; i < launch->op_total; i++)
    if (launch->ops[i]->group == i) pattern_book(worker, launch->ops[i], worker->memos[i], NULL);
  tally_add(tally, worker);
}

static void add_tag_counts(struct tag_counts *sum, const struct tag_counts *more, int windows) {
  for (int i = 0; i < windows; i++) {
    sum[i].written += more[i].written;
    sum[i].read += more[i].read;
    sum[i].shared += more[i].shared;
  }
}

/* Advances the device's clock beyond this worker's. */
static void advance_clock(struct launch_state *launch, const struct worker *worker) {
  access_tag end = (worker->now & ~TAG_LOW) + TAG_TICK;
  if (end > launch->memory->clock) launch->memory->clock = end;
}

/* Does the host see atomics at once (mirror.h)? Then the launch is not undone. */
static bool is_beside_host(const struct launch_state *launch) {
  return launch->options->exchange && launch->options->exchange->at_once;
}

/* What a launch seems to do with the allocations: enum presumption, by window. It only reads those
 * that none of its stores can reach by its parameters: constants, arrays behind texture objects and
 * behind pointers in memory. If it does something else, it runs again without presumptions. Of one
 * that calls malloc or free nothing is presumed: both change the heap, which no store does then.
 * claims: stores may leave claims, which do not tell who has stored. The caller's to free; NULL:
 * none. */
static uint8_t *presume(const struct launch_state *launch, bool claims) {
  enum { LOADED = 1, STORED = 2 };
  const struct memory *memory = launch->memory;
  const struct accessed_params *params = &launch->program->params;
  size_t bytes = launch->kernel->info.param_bytes, windows = (size_t)memory->window_count + 1;
  if (params->stored & PARAM_UNKNOWN || launch->program->allocates || (launch->work && claims) ||
      is_beside_host(launch))
    return NULL;
  uint8_t *presumed = calloc(windows, 1);
  size_t stored_bytes = 0;
  for (size_t i = 0; presumed && i < bytes / 8 && i < 62; i++) {
    uint64_t address;
    memcpy(&address, launch->params + 8 * i, sizeof address);
    const struct allocation *a = memory_window(memory, address);
    bool stored = params->stored >> i & 1,
         loaded = params->loaded & PARAM_UNKNOWN || params->loaded >> i & 1 || !stored;
    if (a && a->live) presumed[a->window] |= (stored ? STORED : 0) | (loaded ? LOADED : 0);
  }
  for (size_t w = 0; presumed && w + 1 < windows; w++) {
    const struct allocation *a = memory->allocations[w];
    if (a && a->variable && params->stored & PARAM_VARIABLE) presumed[w] = LOADED | STORED;
    if (a && a->live && presumed[w] & STORED) stored_bytes += a->size;
    presumed[w] = !(presumed[w] & STORED)                          ? ONLY_READS
                  : presumed[w] == STORED && claims && !a->managed ? ONLY_STORES
                                                                   : MAY_DO_ANYTHING;
  }
  /* In streams many launches store to a part of an array, all of which would be kept. */
  if (launch->work && stored_bytes > 8 * launch->block_count * (size_t)launch->threads_per_block) {
    free(presumed);
    presumed = NULL;
  }
  return presumed;
}

/* Is it cheaper to run the launch in order only? To be undone, one keeps all of each array that it
 * stores to: too much for the small grids that kernels launch. */
static bool is_small_child(const struct launch_state *launch) {
  enum { WORTH_KEEPING = 4096 }; /* bytes a thread */
  const struct memory *memory = launch->memory;
  uint64_t bytes = 0, threads = launch->block_count * (uint64_t)launch->threads_per_block;
  if (!launch->options->lineage.depth) return false;
  for (int i = 0; i < memory->window_count; i++) {
    const struct allocation *a = memory->allocations[i];
    if (a && a->live && !a->constant) bytes += a->size;
  }
  return bytes / WORTH_KEEPING > threads;
}

/* Runs all workers at once. False: undo the launch and run it canonically (or memory ran out); if
 * memory was surprised, without presumptions first. */
static bool run_optimistic(struct launch_state *launch, int threads, bool presumes,
                           struct tally *tally) {
  struct worker *workers[64] = {NULL};
  pthread_t ids[64];
  int started = 0;
  if (threads > 64) threads = 64;
  if ((uint64_t)threads > launch->block_count) threads = (int)launch->block_count;
  launch->canonical = false;
  launch->begin = launch->memory->clock;
  watch_reset(launch->watch);
  atomic_store(&launch->waited, 0);
  atomic_store(&launch->next_block, 0);
  atomic_store(&launch->next_traced, 0);
  atomic_store(&launch->traced_done, 0);
  atomic_store(&launch->conflict, false);
  bool ok = true;
  uint8_t *presumed = presumes ? presume(launch, true) : NULL;
  memory_begin_launch(launch->memory, launch->global_shift, true, true, false);
  launch->memory->presumed = presumed;
  launch->memory->names_reads = false;
  launch->memory->surprised = false;
  for (int i = 0; ok && i < threads; i++) ok = (workers[i] = worker_open(launch, i)) != NULL;
  for (; ok && started < threads - 1; started++)
    if (pthread_create(&ids[started], NULL, worker_run, workers[started + 1]) != 0) break;
  if (ok) worker_run(workers[0]);
  for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
  for (int i = 0; i < threads && workers[i]; i++) {
    if (i > 0)
      add_tag_counts(workers[0]->tag_counts, workers[i]->tag_counts, launch->memory->window_count);
    advance_clock(launch, workers[i]);
  }
  ok = ok && !atomic_load(&launch->conflict) && atomic_load(&launch->spent) <= launch->budget &&
       memory_tags_are_sound(launch->memory, launch->begin, workers[0]->tag_counts);
  for (int i = 0; ok && i < threads; i++) collect(workers[i], tally);
  for (int i = 0; i < threads; i++) worker_close(workers[i]);
  if (ok) {
    memory_settle_claims(launch->memory, launch->begin);
  } else {
    memory_restore(launch->memory);
    atomic_store(&launch->spent, 0); /* as if it had not run */
    if (launch->options->on_traces) launch->options->on_traces(launch->options->context, NULL, 0);
  }
  memory_drop_saved(launch->memory);
  launch->memory->presumed = NULL;
  free(presumed);
  return ok;
}

/* Runs one worker in the order of the schedule. tally NULL: a run for its hazards only; memory is
 * restored afterwards, and only the instructions spent are counted. presumed: what memory is; where
 * it is surprised, the run has been undone but for its hazards. False: that, or memory ran out. */
static bool run_in_order(struct launch_state *launch, const struct schedule *schedule,
                         const uint8_t *presumed, struct tally *tally,
                         struct launch_result *result) {
  struct crowds crowds = {.crowds.item_size = sizeof(struct crowd)};
  struct memory *memory = launch->memory;
  bool undoes = !tally;
  launch->canonical = true;
  launch->rehearses = undoes;
  launch->asks = launch->alone = false;
  launch->schedule = schedule;
  launch->begin = memory->clock;
  launch->crowds = &crowds;
  launch->turn_count = 0;
  launch->sync = NULL;
  launch->stopped = false;
  watch_reset(launch->watch);
  atomic_store(&launch->waited, 0);
  atomic_store(&launch->next_block, 0);
  atomic_store(&launch->conflict, false);
  struct worker *worker = worker_open(launch, 0);
  bool ok = worker != NULL;
  if (ok && launch->program->has_fence) ok = (launch->sync = sync_open(launch)) != NULL;
  bool undoable = undoes || presumed || launch->together;
  memory_begin_launch(memory, launch->global_shift, !launch->only, undoable, true);
  memory->presumed = presumed;
  memory->names_reads = launch->work && !undoes;
  memory->surprised = false;
  if (ok) {
    schedule_run_all(worker);
    advance_clock(launch, worker);
    ok = !worker->out_of_memory && !crowds.failed && !memory->surprised;
  }
  if (ok && !undoes && launch->work && !launch->others_ran) stream_race_check(launch);
  if (ok && !undoes) {
    collect(worker, tally);
    result->printed = worker->printed;
    result->printed_bytes = worker->printed_bytes;
    worker->printed = NULL;
    result->children = worker->children;
    worker->children = (struct children){0};
  }
  if (undoes || memory->surprised) memory_restore(memory);
  if (undoable) memory_drop_saved(memory);
  memory->presumed = NULL;
  worker_close(worker);
  sync_close(launch->sync);
  launch->sync = NULL;
  race_close_crowds(&crowds);
  free(launch->turns);
  launch->turns = NULL;
  launch->turn_room = launch->turn_count = 0;
  return ok;
}

/* The canonical run. It presumes that inputs are only read, so that loads from them need no tags,
 * and, if `together`, that warps may run in lockstep; where that is wrong, it starts again without.
 */
static bool run_canonical(struct launch_state *launch, const struct schedule *schedule,
                          bool together, struct tally *tally, struct launch_result *result) {
  int64_t before = atomic_load(&launch->spent);
  bool small = is_small_child(launch);
  uint8_t *presumed = small ? NULL : presume(launch, false);
  bool ok, again = true;
  launch->together = together && !small;
  do {
    launch->warps_mattered = false;
    ok = run_in_order(launch, schedule, presumed, tally, result);
    again = !ok && launch->memory->surprised && (presumed || launch->together);
    if (!again) break;
    atomic_store(&launch->spent, before);
    memset(launch->noted, 0, sizeof launch->noted);
    launch->error = cudaSuccess;
    hazard_list_clear(launch->hazards);
    if (launch->warps_mattered) {
      launch->together = false;
    } else {
      free(presumed);
      presumed = NULL;
    }
  } while (again);
  launch->together = false;
  free(presumed);
  return ok;
}

/* If the code that runs depends on the order of blocks and warps, runs the launch in other orders
 * first, for hazards that only those show. How many depends on the work, never on time. */
static bool run_other_orders(struct launch_state *launch, struct hazard_list *found,
                             struct launch_result *result) {
  static const struct {
    struct schedule schedule;
    int64_t max_work; /* skipped if the first order took more warp instructions */
  } orders[] = {{{BACKWARD, 0, UINT64_MAX}, INT64_MAX},
                {{SHUFFLED, 0x2545f491, UINT64_MAX}, 1 << 24},
                {{SHUFFLED, 0x9e3779b9, UINT64_MAX}, 1 << 20}};
  enum { SHORTER = 8 }; /* an endless order need not take long */
  struct hazard_list *hazards = launch->hazards;
  int64_t budget = launch->budget, before = atomic_load(&launch->spent), work = 0;
  bool ok = true;
  if (launch->block_count * (uint64_t)launch->threads_per_block == 1) return true;
  uint8_t *presumed = presume(launch, false);
  launch->hazards = found;
  launch->budget = before + (budget - before) / SHORTER;
  for (size_t i = 0; i < sizeof orders / sizeof orders[0] && ok; i++) {
    if (work > orders[i].max_work) break;
    ok = run_in_order(launch, &orders[i].schedule, presumed, NULL, result);
    if (!ok && presumed && launch->memory->surprised) {
      free(presumed);
      presumed = NULL;
      hazard_list_clear(found);
      atomic_store(&launch->spent, before);
      ok = run_in_order(launch, &orders[i].schedule, NULL, NULL, result);
    }
    if (!work) work = atomic_load(&launch->spent) - before;
    memset(launch->noted, 0, sizeof launch->noted);
    launch->error = cudaSuccess;
  }
  free(presumed);
  launch->hazards = hazards;
  launch->budget = budget;
  return ok;
}

/* Sorts the most informative race first: it is the one that people read. */
static void sort_by_weight(struct hazard_list *list) {
  for (int i = 1; i < list->count; i++)
    for (int j = i;
         j > 0 && list->items[j].kind == HAZARD_race && list->items[j - 1].kind == HAZARD_race &&
         list->items[j].weight > list->items[j - 1].weight;
         j--) {
      struct hazard swap = list->items[j];
      list->items[j] = list->items[j - 1];
      list->items[j - 1] = swap;
    }
}

static bool is_known(const struct hazard_list *list, const struct hazard *hazard) {
  for (int i = 0; i < list->count; i++) {
    const struct hazard *h = &list->items[i];
    bool same = h->line == hazard->line && h->other_line == hazard->other_line,
         other_way = h->line == hazard->other_line && h->other_line == hazard->line;
    if (h->kind == hazard->kind && h->warning <= hazard->warning &&
        strcmp(h->array, hazard->array) == 0 && (same || (other_way && h->kind == HAZARD_race)))
      return true;
  }
  return false;
}

/* Adds what other orders have shown, except endless runs, which the order itself may cause, and
 * deadlocks if those orders lacked others for whom it waits. */
static void add_found(struct hazard_list *list, const struct hazard_list *found, bool others_ran) {
  for (int i = 0; i < found->count; i++) {
    const struct hazard *h = &found->items[i];
    bool fresh;
    if (h->kind == HAZARD_timeout || h->kind == HAZARD_budget || is_known(list, h)) continue;
    if (h->kind == HAZARD_deadlock && others_ran) continue;
    struct hazard *added =
        hazard_note(list, h->kind, h->line, h->other_line, h->array, h->count, &fresh);
    if (added && fresh) *added = *h;
  }
}

/* Scales counters from the blocks executed to all blocks. */
static void scale_counters(struct counters *counters, uint64_t executed, uint64_t all) {
  for (int c = 0; c < COUNTERS; c++)
    counters->value[c] = watch_scaled(counters->value[c], all, executed);
}

static bool prints(const struct kernel *kernel) {
  for (int i = 0; i < kernel->op_count; i++)
    if (kernel->ops[i]->orders_blocks) return true;
  return false;
}

enum { MAX_BLOCK_WORKS = 1 << 22 }; /* blocks, of 8 bytes */

/* Has the blocks that were not executed do what the nearest one that was has done, as far as all
 * together are to do as much as those that were do on average. */
static void spread_works(struct launch_state *launch) {
  const uint64_t *only = launch->only, executed = launch->only_count;
  double sum = 0, spread = 0, others = (double)(launch->block_count - executed);
  for (uint64_t i = 0; i < executed; i++) sum += launch->works[only[i]].instructions;
  for (uint64_t b = 0, i = 0; b < launch->block_count; b++) {
    while (i + 1 < executed && only[i + 1] <= b) i++;
    bool next = i + 1 < executed && b >= only[i] && only[i + 1] - b < b - only[i];
    if (b != only[i]) launch->works[b] = launch->works[only[i + next]];
    spread += launch->works[b].instructions;
  }
  float more = (float)(sum / (double)executed * others / fmax(spread - sum, 1));
  for (uint64_t b = 0, i = 0; b < launch->block_count; b++) {
    while (i + 1 < executed && only[i + 1] <= b) i++;
    if (b == only[i]) continue;
    launch->works[b].instructions *= more;
    launch->works[b].longest *= more;
  }
}

bool launch_run(const struct launch *launch, const struct kernel *kernel, struct memory *memory,
                const struct device_info *gpu, const struct launch_options *options,
                struct hazard_list *hazards, struct launch_result *result) {
  const struct program *program = kernel->programs[0];
  struct shared_array arrays[64];
  struct launch_state state = {.kernel = kernel,
                               .memory = memory,
                               .program = program,
                               .isa = isa_best(),
                               .params = launch->params,
                               .dynamic_shared = (uint32_t)launch->shared_bytes,
                               .gpu = gpu,
                               .sm_count = gpu->sm_count,
                               .arrays = arrays,
                               .array_count = kernel->shared_count,
                               .budget = options->budget,
                               .whole_budget = options->whole_budget,
                               .line = launch->place.line,
                               .cooperative = launch->cooperative,
                               .options = options,
                               .hazards = hazards,
                               .streams = options->streams,
                               .work = options->work,
                               .ops = kernel->ops,
                               .op_total = kernel->op_count,
                               .shared_shift = __builtin_ctz((unsigned)program->shared_granule),
                               .global_shift = __builtin_ctz((unsigned)program->global_granule)};
  state.block_count = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  const char *wish = getenv("KIT_SIM_AFFINE");
  state.runs_affine = program->affine && !(wish && strcmp(wish, "off") == 0);
  state.always_affine = wish && strcmp(wish, "always") == 0;
  state.threads_per_block = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
  memcpy(state.grid, launch->grid, sizeof state.grid);
  memcpy(state.dim, launch->block, sizeof state.dim);
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
  uint64_t only[SAMPLED_BLOCKS + MAX_TRACED + FEWEST_BLOCKS];
  if (options->sample && state.block_count > SAMPLED_BLOCKS + MAX_TRACED) {
    state.only = only;
    state.only_count = (uint64_t)watch_blocks(&watch, state.block_count, only);
    /* neither the first nor the last: what they may do besides is not to be scaled */
    if (only[state.only_count - 1] == state.block_count - 1) state.only_count--;
    if (only[0] == 0) state.only++, state.only_count--;
  }
  struct tally tally = {0};
  if (!heap_prepare(memory, program->allocates)) return false;
  if (options->traced_count && state.block_count <= MAX_BLOCK_WORKS)
    result->works = state.works = calloc((size_t)state.block_count, sizeof *state.works);
  static const struct schedule forward = {FORWARD, 0, UINT64_MAX};
  struct schedule in_order = {FORWARD, 0, options->resident ? options->resident : UINT64_MAX};
  state.schedule = &forward;
  bool many =
      options->threads > 0 && state.block_count > 1 && !options->streams; /* tags name lines */
  memory->tracks_inputs = options->streams != NULL;
  bool ordered =
      program->order_matters || program->has_fence || program->has_polls || prints(kernel);
  bool ok = false;
  if (many && !ordered && !state.only && !is_beside_host(&state) && !is_small_child(&state))
    ok = run_optimistic(&state, options->threads, true, &tally) ||
         (memory->surprised && run_optimistic(&state, options->threads, false, &tally));
  if (ok && state.work) stream_race_check(&state);
  struct hazard_list found = {.kernel = hazards->kernel};
  if (!ok) {
    ok = state.only || !options->tries_orders || !(program->has_polls || program->has_fence) ||
         race_of_library(&state) || run_other_orders(&state, &found, result);
    bool together = !ordered && !state.raced && !state.only && !options->streams &&
                    !options->work && !is_beside_host(&state);
    ok = ok && run_canonical(&state, &in_order, together, &tally, result);
    if (state.rest) state.only = NULL; /* all have run */
    add_found(hazards, &found, state.others_ran);
    hazard_list_clear(&found);
  }
  result->executed = state.only ? state.only_count : state.block_count;
  if (ok && state.only && state.works) spread_works(&state);
  if (ok) ok = tally_finish(&tally, result);
  tally_release(&tally);
  for (int i = 0; ok && state.only && i < result->line_count; i++)
    scale_counters(&result->lines[i].counters, state.only_count, state.block_count);
  for (int i = 0; ok && state.only && i < result->traffic_count; i++) {
    struct traffic *t = &result->traffic[i];
    t->requests = watch_scaled(t->requests, state.block_count, state.only_count);
    t->sectors = watch_scaled(t->sectors, state.block_count, state.only_count);
    t->bytes = watch_scaled(t->bytes, state.block_count, state.only_count);
  }
  if (ok && state.only) scale_counters(&result->counters, state.only_count, state.block_count);
  watch_count_l2(&watch, &result->counters);
  if (ok) ok = capture_reports(&state, &result->accesses, &result->access_count);
  result->traces = watch.traces;
  result->trace_count = watch.trace_count;
  watch.trace_count = 0;
  watch.traces = NULL;
  watch_close(&watch);
  for (int i = 0; i < hazards->count; i++) {
    enum hazard_kind kind = hazards->items[i].kind;
    hazards->items[i].more =
        (kind == HAZARD_race || kind == HAZARD_uninit) && state.noted[kind] >= ENOUGH_HAZARDS;
  }
  sort_by_weight(hazards);
  result->error = state.error;
  result->others_ran = state.others_ran;
  result->spent = (uint64_t)atomic_load(&state.spent);
  result->waited = (uint64_t)atomic_load(&state.waited);
  return ok;
}

void launch_result_drop_traces(struct launch_result *result) {
  for (int i = 0; i < result->trace_count; i++) trace_release(&result->traces[i]);
  free(result->traces);
  free(result->works);
  result->works = NULL;
  result->traces = NULL;
  result->trace_count = 0;
}

void launch_result_release(struct launch_result *result) {
  for (int i = 0; i < result->access_count; i++) free(result->accesses[i].warps);
  launch_result_drop_traces(result);
  free(result->accesses);
  free(result->lines);
  free(result->traffic);
  free(result->printed);
  children_release(&result->children);
}
