/* children.c: see children.h. Arguments of the operations lie in the caller's parameter area, lane
 * by lane. */
#include "harness/sim/exec/children.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/launch_check.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/slice.h"

enum { TAIL_STREAM = 3 }; /* cudaStreamTailLaunch: include/driver_types.h */

void children_release(struct children *children) {
  free(children->items);
  free(children->bytes);
  *children = (struct children){0};
}

static const void *parameter_area(const struct warp *warp) {
  return warp->calls[warp->call_depth].params;
}

static uint64_t thread_number(const struct warp *warp, int lane) {
  return warp->block->linear * (uint64_t)warp->worker->launch->threads_per_block +
         (uint64_t)(warp->index * LANES + lane);
}

/* A new entry, with room for its parameters. NULL: out of memory. */
static struct child *add_child(struct children *list, const struct child_call *call) {
  enum { ALIGN = 16 };
  size_t bytes = round_up(call->kernel->info.param_bytes, ALIGN);
  if (!ARRAY_RESERVE(list->items, list->room, list->count + 1) ||
      !ARRAY_RESERVE(list->bytes, list->byte_room, list->byte_count + bytes + ALIGN))
    return NULL;
  struct child *child = &list->items[list->count++];
  *child = (struct child){.kernel = call->kernel, .params = list->byte_count};
  memset(list->bytes + child->params, 0, bytes);
  list->byte_count += bytes;
  return child;
}

static void copy_argument(const struct warp *warp, int lane, const struct child_copy *copy,
                          unsigned char *params) {
  uint32_t words = copy->bytes / 4 * 4;
  if (words) planes_get(parameter_area(warp), copy->from, lane, params + copy->to, words);
  for (uint32_t at = words; at < copy->bytes; at++)
    planes_get(parameter_area(warp), copy->from + at, lane, params + copy->to + at, 1);
}

void cold_child(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct child_call *call = op->child;
  struct worker *worker = warp->worker;
  struct children *list = &worker->children;
  EACH_ACTIVE (i, warp->mask) {
    struct child *child = add_child(list, call);
    if (!child) {
      worker->out_of_memory = true;
      access_stop(warp, cudaErrorMemoryAllocation);
      return;
    }
    child->thread = thread_number(warp, i);
    child->line = op->line;
    for (int k = 0; k < call->count; k++)
      copy_argument(warp, i, &call->copies[k], list->bytes + child->params);
    slice_charge(warp, CHILD_INSTRUCTIONS);
  }
}

/* The last kernel that a thread has named and not launched; NULL: there is none. */
static struct child *find_named(const struct worker *worker, uint64_t thread) {
  const struct children *list = &worker->children;
  for (int k = list->count - 1; k >= 0; k--)
    if (list->items[k].thread == thread && !list->items[k].launched && list->items[k].kernel)
      return &list->items[k];
  return NULL;
}

static void set_error(struct warp *warp, int lane, int code) {
  struct block *block = warp->block;
  size_t threads = (size_t)block->warp_count * LANES;
  if (!block->child_errors) block->child_errors = calloc(threads, sizeof *block->child_errors);
  if (block->child_errors)
    block->child_errors[warp->index * LANES + lane] = (uint16_t)code;
  else
    warp->worker->out_of_memory = true;
}

/* cudaSuccess, or why the launch fails. */
static int check_child(const struct launch_state *launch, const struct children *list,
                       const struct child *child, char *why, size_t size) {
  const struct lineage *lineage = &launch->options->lineage;
  struct launch asked = {.shared_bytes = child->shared_bytes};
  memcpy(asked.grid, child->grid, sizeof asked.grid);
  memcpy(asked.block, child->block, sizeof asked.block);
  if (lineage->depth >= MAX_DEPTH) {
    snprintf(
        why, size,
        "it would be a grid of depth %d below the host's, and there are at most %d, so it was not "
        "run. Let recursion end earlier, by a depth that is passed on.",
        lineage->depth + 1, MAX_DEPTH);
    return cudaErrorLaunchMaxDepthExceeded;
  }
  if (lineage->pending + (uint64_t)list->launched >= lineage->max_pending) {
    snprintf(why, size,
             "%llu grids wait to run already, as many as may, so it was not run. Launch "
             "fewer and larger grids, or let the host call cudaDeviceSetLimit with "
             "cudaLimitDevRuntimePendingLaunchCount.",
             (unsigned long long)lineage->max_pending);
    return cudaErrorLaunchPendingCountExceeded;
  }
  return launch_check(launch->gpu, child->kernel, &asked, why, size);
}

/* From the end: a kernel may try for ever. */
static void drop_refused(struct children *list) {
  while (list->count && !list->items[list->count - 1].kernel)
    list->byte_count = list->items[--list->count].params;
}

void cold_child_launch(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct launch_state *launch = warp->worker->launch;
  struct children *list = &warp->worker->children;
  const void *area = parameter_area(warp);
  const int32_t *at = op->call->arguments;
  EACH_ACTIVE (i, warp->stop ? 0 : warp->mask) {
    struct child *child = find_named(warp->worker, thread_number(warp, i));
    if (!child) continue;
    uint64_t stream;
    for (int k = 0; k < 3; k++) {
      planes_get(area, (uint64_t)at[k], i, &child->grid[k], 4);
      planes_get(area, (uint64_t)at[3 + k], i, &child->block[k], 4);
    }
    planes_get(area, (uint64_t)at[6], i, &child->shared_bytes, 8);
    planes_get(area, (uint64_t)at[7], i, &stream, 8);
    child->is_tail = stream == TAIL_STREAM;
    char why[LAUNCH_CHECK_TEXT];
    int code = check_child(launch, list, child, why, sizeof why);
    if (code == cudaSuccess) {
      child->launched = true;
      list->launched++;
      continue;
    }
    access_describe(access_hazard(warp, HAZARD_launch, child->line, 0, child->kernel->name, 1),
                    warp, first_thread(warp, 1u << i), "launches %s: %s", child->kernel->name, why);
    child->kernel = NULL;
    set_error(warp, i, code);
  }
  drop_refused(list);
}

void cold_child_error(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  void *area = warp->calls[warp->call_depth].params;
  uint16_t *errors = warp->block->child_errors;
  EACH_ACTIVE (i, warp->mask) {
    int thread = warp->index * LANES + i;
    uint32_t clears, code = errors ? errors[thread] : cudaSuccess;
    planes_get(area, (uint64_t)op->call->arguments[0], i, &clears, 4);
    if (errors && clears) errors[thread] = cudaSuccess;
    planes_put(area, (uint64_t)op->call->result, i, &code, 4);
  }
}
