/* capture.c: records the addresses of a watched block's memory instructions, for pictures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/watch.h"

/* ---- in a block ---- */

/* The lanes of mask in the same array as the first; none for constant memory and for global memory
 * outside any array. */
static uint32_t lanes_in_array(const struct memory *memory, enum ptx_space space,
                               const uint64_t *address, uint32_t mask) {
  uint64_t first = address[__builtin_ctz(mask)];
  const struct allocation *a = space == PTX_GLOBAL ? memory_window(memory, first) : NULL;
  if (space == PTX_GLOBAL && (!a || a->constant)) return 0;
  EACH_ACTIVE (i, mask) {
    uint64_t at = address[i];
    bool ok = space == PTX_GLOBAL ? memory_window(memory, at) == a : at <= UINT32_MAX;
    if (!ok) mask &= ~(1u << i);
  }
  return mask;
}

void capture_access(const struct warp *warp, const struct op *op, const uint64_t *address,
                    uint32_t mask) {
  struct capture **place = &warp->worker->watcher->captures[op->index], *c = *place;
  if (warp->index >= RECORDED_WARPS) return;
  bool full = mask == warp->exist, again = c && c->warps[warp->index].mask;
  if (again && (c->warps[warp->index].full || !full)) return;
  uint64_t shift = (uint64_t)op->access.offset;
  enum ptx_space space = access_space(op, address[__builtin_ctz(mask)] + shift);
  if (space == PTX_LOCAL || (c && c->space != space)) return;
  if (space == PTX_SHARED && op->space == PTX_GENERIC) shift -= SHARED_WINDOW;
  uint64_t at[LANES] = {0};
  EACH_ACTIVE (i, mask) at[i] = address[i] + shift;
  mask = lanes_in_array(warp->worker->launch->memory, space, at, mask);
  if (!mask) return;
  if (!c) {
    const struct block *block = warp->block;
    c = *place = calloc(1, sizeof *c);
    if (!c) return;
    c->block = block->linear;
    memcpy(c->ctaid, block->ctaid, sizeof c->ctaid);
    c->space = space;
  }
  c->warps[warp->index].mask = mask;
  c->warps[warp->index].full = full;
  memcpy(c->warps[warp->index].address, at, sizeof at);
}

void capture_merge(struct worker *worker) {
  struct watch *watch = worker->launch->watch;
  struct capture **own = worker->watcher->captures;
  if (!own) return;
  pthread_mutex_lock(&watch->lock);
  for (int i = 0; i < watch->op_total; i++) {
    if (!own[i]) continue;
    struct capture *known = watch->captures[i], *spare = own[i];
    if (!known || spare->block < known->block) {
      watch->captures[i] = spare;
      spare = known;
    }
    free(spare);
    own[i] = NULL;
  }
  pthread_mutex_unlock(&watch->lock);
}

/* ---- after the launch ---- */

static const struct shared_array *shared_array_at(const struct launch_state *launch, uint64_t at) {
  const struct shared_array *found = NULL; /* the last one that starts before the address */
  for (int i = 0; i < launch->array_count; i++)
    if (launch->arrays[i].start <= at && (!found || launch->arrays[i].start > found->start))
      found = &launch->arrays[i];
  return found;
}

/* Names the array; returns the address of its start. */
static uint64_t describe_array(const struct launch_state *launch, enum ptx_space space, uint64_t at,
                               struct access_report *report) {
  if (space == PTX_SHARED) {
    const struct shared_array *array = shared_array_at(launch, at);
    if (!array) return 0;
    snprintf(report->array, sizeof report->array, "%s", array->name);
    report->array_bytes = array->size;
    report->base = array->start % 128;
    return array->start;
  }
  const struct allocation *a = memory_window(launch->memory, at);
  snprintf(report->array, sizeof report->array, "%s", a->named ? a->name : "");
  report->array_bytes = a->size;
  return a->address;
}

/* Sectors or wavefronts of one warp's access, by the rules of pattern.c. */
static int cost_of(const struct op *op, enum ptx_space space, const uint64_t *address,
                   uint32_t mask) {
  struct memo memo = pattern_memo(address, mask);
  uint64_t base = address[__builtin_ctz(mask)];
  if (space == PTX_SHARED) {
    pattern_count_wavefronts(&memo, op, base, mask);
    return op->kind == OP_LOAD ? memo.wavefronts : memo.store_wavefronts;
  }
  if (op->kind == OP_ATOMIC) return pattern_atomic_sectors(&memo, base);
  pattern_count_sectors(&memo, base);
  return memo.sectors[base & 127];
}

static bool describe(const struct launch_state *launch, const struct op *op,
                     const struct capture *capture, struct access_report *report) {
  *report = (struct access_report){.line = op->line,
                                   .shared = capture->space == PTX_SHARED,
                                   .op = op->kind == OP_ATOMIC ? "atomic"
                                         : op->kind == OP_LOAD ? "load"
                                                               : "store",
                                   .bytes = op->size * op->count};
  memcpy(report->block, capture->ctaid, sizeof report->block);
  uint64_t start = 0;
  for (int w = 0; w < RECORDED_WARPS; w++) {
    uint32_t mask = capture->warps[w].mask;
    const uint64_t *address = capture->warps[w].address;
    if (!mask) continue;
    if (!report->warps) {
      report->warps = calloc(RECORDED_WARPS, sizeof *report->warps);
      if (!report->warps) return false;
      start = describe_array(launch, capture->space, address[__builtin_ctz(mask)], report);
    }
    struct warp_access *to = &report->warps[report->warp_count++];
    to->warp = w;
    to->mask = mask;
    to->cost = cost_of(op, capture->space, address, mask);
    for (int i = 0; i < LANES; i++)
      to->offsets[i] = mask >> i & 1 ? (int64_t)(address[i] - start) : 0;
  }
  return true;
}

static bool alike(const struct access_report *a, const struct access_report *b) {
  return a->line == b->line && a->shared == b->shared && a->op == b->op;
}

/* The first access of each line and kind comes first, so that what is cut off are repetitions. */
static int by_index(const void *a, const void *b) {
  const struct access_report *x = a, *y = b;
  int order = (x->index > y->index) - (x->index < y->index);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_line(const void *a, const void *b) {
  const struct access_report *x = a, *y = b;
  int order = (x->line > y->line) - (x->line < y->line);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}

bool capture_reports(const struct launch_state *launch, struct access_report **reports,
                     int *count) {
  const struct watch *watch = launch->watch;
  int found = 0, kept = 0;
  *reports = NULL;
  *count = 0;
  if (!watch->captures) return true;
  for (int i = 0; i < watch->op_total; i++) found += watch->captures[i] != NULL;
  struct access_report *all = calloc((size_t)found + 1, sizeof *all);
  if (!all) return false;
  bool ok = true;
  for (int i = 0; i < watch->op_total && ok; i++) {
    if (!watch->captures[i]) continue;
    struct access_report *report = &all[kept];
    ok = describe(launch, launch->ops[i], watch->captures[i], report);
    report->place = kept++;
    for (int k = 0; k < report->place; k++) report->index += alike(&all[k], report);
  }
  qsort(all, (size_t)kept, sizeof *all, by_index);
  for (int i = RECORDED_INSTRUCTIONS; i < kept; i++) free(all[i].warps);
  if (kept > RECORDED_INSTRUCTIONS) kept = RECORDED_INSTRUCTIONS;
  qsort(all, (size_t)kept, sizeof *all, by_line);
  *reports = all;
  *count = kept;
  return ok;
}
