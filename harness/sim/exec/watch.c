/* watch.c: chooses the blocks to watch, and samples the sectors that their loads ask of L2. */
#include "harness/sim/exec/watch.h"
#include "harness/sim/exec/texel.h"

#include <stdlib.h>
#include <string.h>

/* ---- a launch ---- */

bool watch_open(struct watch *watch, const struct launch_state *launch,
                const struct launch_options *options) {
  uint64_t count = launch->block_count;
  uint64_t samples = count < SAMPLED_BLOCKS ? count : SAMPLED_BLOCKS;
  memset(watch, 0, sizeof *watch);
  watch->op_total = launch->op_total;
  watch->block_count = (int)samples;
  for (uint64_t i = 0; i < samples; i++) /* the middle block of each of so many parts of the grid */
    watch->block[i] = (2 * i + 1) * count / (2 * samples);
  pthread_mutex_init(&watch->lock, NULL);
  watch->traces = calloc((size_t)options->traced_count + 1, sizeof *watch->traces);
  if (!watch->traces) return false;
  watch->trace_count = options->traced_count;
  for (int i = 0; i < watch->trace_count; i++) {
    watch->traces[i].block = options->traced[i];
    watch->traces[i].room = options->trace_room;
  }
  if (!options->record_accesses) return true;
  watch->captures = calloc((size_t)launch->op_total + 1, sizeof(struct capture *));
  return watch->captures != NULL;
}

void watch_reset(struct watch *watch) {
  memset(watch->seen, 0, sizeof watch->seen);
  for (int i = 0; i < watch->trace_count; i++) trace_release(&watch->traces[i]);
  for (int i = 0; watch->captures && i < watch->op_total; i++) {
    free(watch->captures[i]);
    watch->captures[i] = NULL;
  }
}

void watch_close(struct watch *watch) {
  watch_reset(watch);
  free(watch->captures);
  free(watch->traces);
  pthread_mutex_destroy(&watch->lock);
}

/* Adds a block to those, ascending, unless it is one of them; returns how many there are then. */
static int add_block(uint64_t *blocks, int count, uint64_t block) {
  int at = count;
  while (at > 0 && blocks[at - 1] > block) at--;
  if (at > 0 && blocks[at - 1] == block) return count;
  memmove(blocks + at + 1, blocks + at, (size_t)(count - at) * sizeof *blocks);
  blocks[at] = block;
  return count + 1;
}

int watch_blocks(const struct watch *watch, uint64_t block_count, uint64_t *blocks) {
  static const double golden = 0.6180339887498949; /* its multiples part [0, 1) most evenly */
  int count = 0;
  for (int s = 0, t = 0; s < watch->block_count || t < watch->trace_count;) {
    uint64_t sampled = s < watch->block_count ? watch->block[s] : UINT64_MAX;
    uint64_t traced = t < watch->trace_count ? watch->traces[t].block : UINT64_MAX;
    blocks[count++] = sampled < traced ? sampled : traced;
    s += sampled <= traced;
    t += traced <= sampled;
  }
  for (int i = 1; count < FEWEST_BLOCKS && i < 2 * FEWEST_BLOCKS; i++) {
    double share = i * golden;
    count = add_block(blocks, count, (uint64_t)((share - (int)share) * (double)block_count));
  }
  return count;
}

void watch_count_l2(const struct watch *watch, struct counters *counters) {
  uint64_t requested = 0, distinct = 0, requests = 0, *value = counters->value;
  for (int i = 0; i < watch->block_count; i++) {
    requested += watch->seen[i].requested;
    distinct += watch->seen[i].distinct;
    requests += watch->seen[i].requests;
  }
  uint64_t sectors = value[COUNTER_global_load_sectors], lines = value[COUNTER_global_load_lines];
  value[COUNTER_l2_load_sectors] = requested ? watch_scaled(sectors, distinct, requested) : sectors;
  value[COUNTER_l2_load_requests] = requested ? watch_scaled(sectors, requests, requested) : lines;
}

/* ---- a block ---- */

/* The trace of a block, or NULL. */
static struct block_trace *trace_of(const struct watch *watch, uint64_t block) {
  int low = 0, high = watch->trace_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (watch->traces[middle].block < block)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < watch->trace_count && watch->traces[low].block == block;
  return found ? &watch->traces[low] : NULL;
}

bool watch_traces(const struct watch *watch, uint64_t block) {
  return trace_of(watch, block) != NULL;
}

void watch_begin_block(struct worker *worker, uint64_t block) {
  const struct watch *watch = worker->launch->watch;
  int place = -1;
  for (int i = 0; i < watch->block_count && place < 0; i++)
    if (watch->block[i] == block) place = i;
  struct block_trace *trace = trace_of(watch, block);
  worker->watched = false;
  if (place < 0 && !trace && (block || !watch->captures)) return;
  struct watcher *own = worker->watcher;
  if (!own) own = worker->watcher = calloc(1, sizeof *own);
  if (own && watch->captures && !own->captures)
    own->captures = calloc((size_t)watch->op_total + 1, sizeof(struct capture *));
  if (!own || (watch->captures && !own->captures)) return;
  own->place = place;
  own->trace = trace;
  if (own->trace && !trace_begin(own->trace, worker->block->warp_count)) own->trace = NULL;
  own->requested = own->distinct = own->requests = own->entries = 0;
  own->first_request = own->request + 1;
  own->watches = worker->watched = true;
}

void watch_end_block(struct worker *worker) {
  struct watcher *own = worker->watcher;
  if (!own || !own->watches) return;
  if (own->place >= 0) {
    worker->launch->watch->seen[own->place].requested = own->requested;
    worker->launch->watch->seen[own->place].distinct = own->distinct;
    worker->launch->watch->seen[own->place].requests = own->requests;
  }
  capture_merge(worker);
  own->watches = worker->watched = false;
}

void watch_close_worker(struct worker *worker) {
  struct watcher *own = worker->watcher;
  if (!own) return;
  for (int i = 0; own->captures && i < worker->launch->op_total; i++) free(own->captures[i]);
  free(own->captures);
  free(own->sectors);
  free(own);
}

/* ---- sectors ---- */

/* The entry of a sector: its own or, if the block has not requested it, a free one. */
static struct sector_entry *find_sector(const struct watcher *own, uint64_t sector) {
  size_t last = ((size_t)1 << own->bits) - 1,
         at = (size_t)(sector * UINT64_C(0x9e3779b97f4a7c15) >> (64 - own->bits));
  while (own->sectors[at].request >= own->first_request && own->sectors[at].sector != sector)
    at = (at + 1) & last;
  return &own->sectors[at];
}

/* Keeps a quarter of the table free. False: no more memory for it. */
static bool make_room(struct watcher *own) {
  enum { FIRST_BITS = 12 };
  if (own->sectors && (own->entries + 2 * LANES) * 4 <= UINT64_C(3) << own->bits) return true;
  if (own->bits == MAX_SECTOR_BITS) return false;
  struct watcher larger = *own;
  larger.bits = own->sectors ? own->bits + 1 : FIRST_BITS;
  larger.sectors = calloc((size_t)1 << larger.bits, sizeof *larger.sectors);
  if (!larger.sectors) return false;
  for (size_t i = 0; own->sectors && i < (size_t)1 << own->bits; i++)
    if (own->sectors[i].request >= own->first_request)
      *find_sector(&larger, own->sectors[i].sector) = own->sectors[i];
  free(own->sectors);
  own->sectors = larger.sectors;
  own->bits = larger.bits;
  return true;
}

/* Counts a requested sector: from L2, if the block has not requested it before. */
static void request_sector(struct watcher *own, uint64_t sector) {
  static const uint64_t is_line = UINT64_C(1) << 63;
  struct sector_entry *entry = find_sector(own, sector);
  if (entry->request == own->request) return; /* another lane did */
  bool new = entry->request < own->first_request;
  *entry = (struct sector_entry){sector, own->request};
  own->requested++;
  if (!new) return;
  own->distinct++;
  struct sector_entry *line = find_sector(own, sector / 4 | is_line);
  own->requests += line->request != own->request;
  own->entries += 1 + (line->request < own->first_request);
  *line = (struct sector_entry){sector / 4 | is_line, own->request};
}

/* Do all 32 lanes read the same element, or consecutive ones? */
static bool is_plain(const uint64_t *address, uint32_t mask, uint64_t bytes, uint64_t *span) {
  uint64_t apart = 0, askew = 0;
  for (uint64_t i = 0; i < LANES; i++) {
    apart |= address[i] ^ address[0];
    askew |= address[i] ^ (address[0] + i * bytes);
  }
  *span = apart ? LANES * bytes : bytes;
  return mask == 0xffffffffu && (!apart || !askew);
}

/* Samples a load. Lanes outside any array request nothing from L2, and constant memory has a cache
 * of its own. */
static void sample_load(const struct warp *warp, struct watcher *own, const struct op *op,
                        const uint64_t *address, uint32_t mask) {
  const struct memory *memory = warp->worker->launch->memory;
  uint64_t bytes = (uint64_t)op->size * op->count, shift = (uint64_t)op->access.offset, span;
  if (own->requested >= SAMPLED_SECTORS || !make_room(own)) {
    warp->worker->watched = own->trace || own->captures;
    return;
  }
  own->request++;
  if (is_plain(address, mask, bytes, &span)) {
    uint64_t at = address[0] + shift;
    const struct allocation *a = memory_find(memory, at, span);
    if (a && a->constant) return;
    for (uint64_t sector = at / 32; a && sector <= (at + span - 1) / 32; sector++)
      request_sector(own, sector);
    if (a) return;
  }
  EACH_ACTIVE (i, mask) {
    uint64_t at = address[i] + shift;
    const struct allocation *a = memory_find(memory, at, bytes);
    if (a && !a->constant) request_sector(own, at / 32);
  }
}

/* ---- an operation ---- */

void watch_basic_block(const struct warp *warp, const struct program *program, int block) {
  struct watcher *own = warp->worker->watcher;
  own->tracing = own->trace && trace_enter(own->trace, warp, program, block);
}

void watch_operation(const struct warp *warp, const char *frame, const struct op *op) {
  struct watcher *own = warp->worker->watcher;
  if (!op_is_traced(op)) return;
  uint32_t mask = warp->mask;
  if (op->guarded) {
    uint32_t p = *(const uint32_t *)(frame + op->guard);
    mask &= op->guard_negated ? ~p : p;
  }
  if (op->varies) {
    if (own->tracing) trace_ways(own->trace, warp, frame, op, mask);
    return;
  }
  const uint64_t *address = (const uint64_t *)(const void *)(frame + op->slot[0]);
  struct op texel;
  uint64_t texels[LANES];
  if (op->kind == OP_FETCH || op->kind == OP_SUST) {
    mask = texture_first_access(warp, frame, op, mask, &texel, texels);
    op = &texel;
    address = texels;
  }
  if (own->tracing) trace_access(own->trace, warp, op, address, mask);
  if (!mask || warp->stop || op->space == PTX_LOCAL) return;
  if (own->captures && (own->place >= 0 || !warp->block->linear))
    capture_access(warp, op, address, mask);
  if (own->place >= 0 && op->kind == OP_LOAD && op->space != PTX_SHARED)
    sample_load(warp, own, op, address, mask);
}
