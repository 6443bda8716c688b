/* tags.c: what the shadow of memory says of an access: races and uninitialised reads; see access.h
 * and machine.h.
 *
 * Shared memory. Between two barriers, a word that one warp writes must not be touched by another.
 * Within a warp the same holds for its lanes between two __syncwarp()s, because since Volta lanes
 * need not run in step. Stores of the value that is already there are a warning: the result does
 * not depend on who comes last.
 *
 * Global memory. Blocks run in any order, so within one launch a word that one block writes must
 * not be touched by another, save by atomics. A kernel with __threadfence may hand data from block
 * to block; there only conflicting stores count.
 */
#include <stdio.h>
#include <string.h>

#include "access.h"

/* ---- shared ---- */

static const struct shared_array *array_at(const struct launch_state *launch, uint32_t offset) {
  for (int i = 0; i < launch->array_count; i++)
    if (offset >= launch->arrays[i].start &&
        offset - launch->arrays[i].start < launch->arrays[i].size)
      return &launch->arrays[i];
  return NULL;
}

static const struct op *op_at(const struct worker *worker, uint32_t index) {
  return index < (uint32_t)worker->launch->op_total ? worker->launch->ops[index] : NULL;
}

static int line_at(const struct worker *worker, uint32_t index) {
  const struct op *op = op_at(worker, index);
  return op ? op->line : 0;
}

struct conflict {
  const char *did, *other_did; /* "reads", "wrote" */
  int thread, other_thread;    /* other: -1 if several */
  uint32_t other_op;
  bool same_warp, warning;
};

static const char *race_advice(const struct warp *warp, const struct conflict *c) {
  if (c->warning)
    return "The value is the one that was there already, so nothing is lost, but one store would "
           "do.";
  if (!c->same_warp)
    return "Put __syncthreads() between the two lines (in a loop: also before the next round "
           "writes again).";
  return warp->worker->warp_count > 1
             ? "Both lanes are of one warp, but lanes need not run in step: put __syncthreads() "
               "between the two "
               "lines, or __syncwarp() if only the lanes of a warp exchange data."
             : "Lanes of a warp need not run in step: put __syncwarp() or __syncthreads() between "
               "the two lines.";
}

/* A race between warps says more than one within a warp at the same place, and one that loses data
 * more than a warning. */
static int race_weight(const struct conflict *c) { return c->warning ? 0 : c->same_warp ? 1 : 2; }

static void note_shared_race(struct warp *warp, const struct op *op, uint32_t offset,
                             const struct conflict *c) {
  const struct launch_state *launch = warp->worker->launch;
  const struct shared_array *array = array_at(launch, offset);
  const char *name = array ? array->name : "shared memory";
  int other_line = line_at(warp->worker, c->other_op);
  bool fresh;
  struct hazard *h = access_hazard(warp, HAZARD_race, op->line, other_line, name, 1, &fresh);
  if (h && c->warning) warp->worker->launch->noted--;
  if (!h || (!fresh && h->weight >= race_weight(c))) return;
  h->warning = c->warning;
  h->weight = race_weight(c);
  char who[96], text[96];
  const char *other = c->same_warp ? "another lane of its warp" : "another warp";
  access_thread_text(warp, c->thread, who, sizeof who);
  if (c->other_thread >= 0 && c->other_thread != c->thread) /* of the same block */
    other = strstr(access_thread_text(warp, c->other_thread, text, sizeof text), "thread");
  long long element =
      array ? (long long)(offset - array->start) / op->size : (long long)offset / op->size;
  snprintf(h->message, sizeof h->message,
           "%s %s shared %s[%lld] that %s %s%s with no %s in between. %s", who, c->did, name,
           element, other, c->other_did, other_line == op->line ? " on the same line" : "",
           c->same_warp ? "synchronisation" : "barrier", race_advice(warp, c));
}

static int tag_thread(uint32_t tag) { return (int)(tag & TAG_THREAD); }

static bool lane_covers(const struct op *op, const struct memo *memo, int lane, int64_t at) {
  return at >= memo->delta[lane] && at < memo->delta[lane] + op->size * op->count;
}

/* The thread behind a granule of the memo, k; if several lanes touch it, one that is not `other`,
 * where there is one. */
static int granule_thread(const struct warp *warp, const struct op *op, const struct memo *memo,
                          int k, int other) {
  int first = memo->granule_lane[k];
  for (uint32_t left = memo->mask; memo->granule_lane[k] == LANES && left; left &= left - 1) {
    first = __builtin_ctz(left);
    if (warp->index * LANES + first != other && lane_covers(op, memo, first, memo->granule[k]))
      break;
  }
  return warp->index * LANES + first;
}

/* Does a tag of this interval belong to a thread that the present one is not ordered after? */
static bool unordered(const struct warp *warp, uint32_t tag, uint8_t lane, bool many_lanes,
                      bool *same_warp) {
  int other = tag_thread(tag);
  *same_warp = other / LANES == warp->index;
  if (!*same_warp) return true;
  if (!many_lanes && lane != LANES && other % LANES == lane) return false;
  return tag >> TAG_CLOCK_SHIFT >= warp->sync_clock;
}

static void note_uninitialised(struct warp *warp, const struct op *op, uint32_t offset,
                               int thread) {
  const struct shared_array *array = array_at(warp->worker->launch, offset);
  const char *name = array ? array->name : "shared memory";
  bool fresh;
  struct hazard *h = access_hazard(warp, HAZARD_uninit, op->line, 0, name, 1, &fresh);
  char who[96];
  if (h && fresh)
    snprintf(
        h->message, sizeof h->message,
        "%s reads shared %s[%lld], which no thread of the block has written. Shared memory starts "
        "with garbage: "
        "fill every element that is read, with 0 where the tile hangs over the edge of the matrix.",
        access_thread_text(warp, thread, who, sizeof who), name,
        array ? (long long)(offset - array->start) / op->size : (long long)offset / op->size);
}

void access_settle_unwritten(struct worker *worker) {
  uint32_t interval = worker->block.interval_clock << TAG_CLOCK_SHIFT;
  for (int i = 0; i < worker->unwritten_count; i++) {
    const struct unwritten *u = &worker->unwritten[i];
    uint32_t tag = worker->write_tags[u->offset >> worker->launch->shared_shift];
    bool raced = tag >= interval && tag_thread(tag) != u->thread;
    if (!raced) note_uninitialised(&worker->warps[u->thread / LANES], u->op, u->offset, u->thread);
  }
  worker->unwritten_count = 0;
}

/* An element that nobody has written: if somebody still does before the barrier, it is a race, and
 * the store will say so. */
static void note_unwritten(struct warp *warp, const struct op *op, uint32_t offset, int thread) {
  struct worker *worker = warp->worker;
  if (!worker->launch->canonical)
    note_uninitialised(warp, op, offset, thread);
  else if (worker->unwritten_count < MOST_UNWRITTEN) /* beyond that, they are no news */
    worker->unwritten
        [worker->unwritten_count++] = /* op itself may be a copy on the stack (atomic.c) */
        (struct unwritten){op_at(worker, (uint32_t)op->index), offset, thread};
}

uint32_t access_shared_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint32_t offset, bool atomic) {
  struct worker *worker = warp->worker;
  uint32_t start = worker->block.start_clock << TAG_CLOCK_SHIFT, never = 0;
  uint32_t interval = worker->block.interval_clock << TAG_CLOCK_SHIFT;
  bool enough = worker->block.parted || access_enough(worker);
  for (int k = 0; k < memo->granule_count; k++) {
    uint32_t at = offset + (uint32_t)memo->granule[k], g = at >> memo->granule_shift,
             tag = worker->write_tags[g];
    if (tag < start) {
      if (!enough) note_unwritten(warp, op, at, granule_thread(warp, op, memo, k, -1));
      for (uint32_t left = memo->mask; left; left &= left - 1)
        if (lane_covers(op, memo, __builtin_ctz(left), memo->granule[k]))
          never |= left & (0 - left);
      continue;
    }
    if (enough || tag < interval || (atomic && tag & TAG_ATOMIC)) continue;
    bool same_warp;
    if (!unordered(warp, tag & ~(uint32_t)TAG_ATOMIC, memo->granule_lane[k], false, &same_warp))
      continue;
    struct conflict c = {atomic ? "atomically updates" : "reads",
                         tag & TAG_ATOMIC ? "atomically updates" : "writes",
                         granule_thread(warp, op, memo, k, tag_thread(tag)),
                         tag_thread(tag),
                         worker->write_ops[g],
                         same_warp,
                         false};
    note_shared_race(warp, op, at, &c);
  }
  return never;
}

/* The granule at byte offset `at` (from the first lane's address) of what a lane stores. */
static void stored_granule(const char *frame, const struct op *op, const struct memo *memo,
                           int lane, int64_t at, unsigned char *bytes) {
  size_t from = (size_t)(at - memo->delta[lane]), size = (size_t)1 << memo->granule_shift;
  for (size_t i = 0; i < size; i++, from++)
    bytes[i] = (unsigned char)
        frame[op->slot[1 + from / op->size] + (size_t)lane * (op->wide ? 8 : 4) + from % op->size];
}

/* Two lanes of one instruction store to the same granule: the second of a pair whose values differ,
 * or -1. */
static int differing_lane(const char *frame, const struct op *op, const struct memo *memo,
                          int64_t at, int *first) {
  unsigned char value[4], other[4];
  *first = -1;
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    if (!lane_covers(op, memo, i, at)) continue;
    if (*first < 0) {
      *first = i;
      stored_granule(frame, op, memo, i, at, value);
      continue;
    }
    stored_granule(frame, op, memo, i, at, other);
    if (memcmp(value, other, (size_t)1 << memo->granule_shift) != 0) return i;
  }
  return -1;
}

bool access_array_is_clean(struct worker *worker, int index) {
  const struct launch_state *launch = worker->launch;
  const struct shared_array *array = &launch->arrays[index];
  uint32_t now = worker->block.interval_clock;
  if (worker->unclean[index] == now) return false;
  uint32_t start = worker->block.start_clock << TAG_CLOCK_SHIFT,
           span = (now << TAG_CLOCK_SHIFT) - start, outside = 0;
  uint32_t from = array->start >> launch->shared_shift,
           to = (array->start + array->size) >> launch->shared_shift;
  for (uint32_t g = from; g < to && !outside; g += 64)
    for (uint32_t i = g; i < g + 64 && i < to; i++)
      outside |= worker->write_tags[i] - start >= span;
  if (outside)
    worker->unclean[index] = now;
  else
    worker->clean[index] = now;
  return !outside;
}

void access_shared_write(struct warp *warp, const struct op *op, const struct memo *memo,
                         uint32_t offset, const char *frame, bool atomic) {
  struct worker *worker = warp->worker;
  uint32_t interval = worker->block.interval_clock << TAG_CLOCK_SHIFT;
  uint32_t start = worker->block.start_clock << TAG_CLOCK_SHIFT,
           now = worker->clock << TAG_CLOCK_SHIFT;
  const char *did = atomic ? "atomically updates" : "writes";
  bool enough = worker->block.parted || access_enough(worker);
  for (int k = 0; k < memo->granule_count; k++) {
    uint32_t at = offset + (uint32_t)memo->granule[k], g = at >> memo->granule_shift;
    uint32_t tag = worker->write_tags[g], read = worker->read_tags[g];
    uint8_t lane = memo->granule_lane[k];
    int writer = granule_thread(warp, op, memo, k, -1) % LANES;
    if (lane == LANES && !atomic &&
        !enough) { /* several lanes of this very instruction: do they agree? */
      int differs = differing_lane(frame, op, memo, memo->granule[k], &writer);
      if (differs >= 0) {
        struct conflict c = {"writes",
                             "writes too, another value,",
                             warp->index * LANES + differs,
                             warp->index * LANES + writer,
                             (uint32_t)op->index,
                             true,
                             false};
        note_shared_race(warp, op, at, &c);
      }
    }
    bool same_warp = false,
         wrote = !enough && tag >= interval && !(atomic && tag & TAG_ATOMIC) &&
                 unordered(warp, tag & ~(uint32_t)TAG_ATOMIC, lane, false, &same_warp);
    bool many = read & TAG_MANY_WARPS;
    if (!enough &&
        (wrote || (read >= interval &&
                   (many || unordered(warp, read, lane, read & TAG_MANY_LANES, &same_warp))))) {
      unsigned char value[4];
      bool same_value = false;
      if (!atomic &&
          tag >= start) { /* what was never written has no value that could be the same */
        stored_granule(frame, op, memo, writer, memo->granule[k], value);
        same_value = memcmp(worker->shared + at, value, (size_t)1 << memo->granule_shift) == 0;
      }
      bool own_warp = tag_thread(read) / LANES == warp->index;
      struct conflict c = {did,
                           tag & TAG_ATOMIC ? "atomically updates" : "writes",
                           granule_thread(warp, op, memo, k, tag_thread(tag)),
                           tag_thread(tag),
                           worker->write_ops[g],
                           same_warp,
                           same_value};
      if (!wrote) {
        c.other_did = "reads";
        c.other_thread = own_warp && many ? -1 : tag_thread(read);
        c.other_op = worker->read_ops[g];
        c.same_warp = own_warp && !many;
        c.warning = false;
        c.thread = granule_thread(warp, op, memo, k, tag_thread(read));
      }
      note_shared_race(warp, op, at, &c);
    }
    worker->write_tags[g] =
        now | (uint32_t)(warp->index * LANES + writer) | (atomic ? TAG_ATOMIC : 0);
    worker->write_ops[g] = (uint32_t)op->index;
  }
}

/* ---- global ---- */

/* Lanes that read bytes which nothing has written yet. */
uint32_t access_global_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset) {
  const struct allocation *a = memo->allocation;
  int bytes = op->size * op->count;
  uint32_t never = 0;
  if (access_enough(warp->worker)) return 0;
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    uint64_t at = offset + (uint64_t)memo->delta[i];
    bool fine = true;
    if (bytes == 4) {
      fine = a->initialised[at / 4] == 0xf;
    } else if (bytes > 4) {
      for (uint64_t word = at / 4; word < (at + (uint64_t)bytes) / 4; word++)
        fine = fine && a->initialised[word] == 0xf;
    } else {
      unsigned need = ((1u << bytes) - 1) << (at & 3);
      fine = (a->initialised[at / 4] & need) == need;
    }
    if (!fine) never |= 1u << i;
  }
  if (!never) return 0;
  bool fresh;
  struct hazard *h = access_hazard(warp, HAZARD_uninit, op->line, 0, a->name,
                                   (uint64_t)__builtin_popcount(never), &fresh);
  if (h && fresh) {
    int i = __builtin_ctz(never);
    char who[96], what[150];
    size_t element = a->element ? a->element : op->size;
    snprintf(h->message, sizeof h->message,
             "%s reads %s, which nothing has written: cudaMalloc gives memory with garbage in it. "
             "Write it first, or keep the running sum in a variable and store it once.",
             access_thread_text(warp, warp->index * LANES + i, who, sizeof who),
             access_element_text(a, (long long)((offset + (uint64_t)memo->delta[i]) / element),
                                 what, sizeof what));
  }
  return never;
}

static void note_global_race(struct warp *warp, const struct op *op, const struct allocation *a,
                             uint64_t at, int lane, const char *did, const char *other_did,
                             uint32_t other_tag, const uint32_t *other_ops, uint64_t g,
                             bool warning) {
  struct worker *worker = warp->worker;
  int other_line = other_ops ? line_at(worker, other_ops[g]) : 0;
  bool fresh;
  if (access_enough(worker)) return;
  struct hazard *h = access_hazard(warp, HAZARD_race, op->line, other_line, a->name, 1, &fresh);
  int weight = warning ? 0 : 1;
  if (h && warning) warp->worker->launch->noted--;
  if (!h || (!fresh && h->weight >= weight)) return;
  h->warning = warning;
  h->weight = weight;
  char who[96], other[64] = "several other blocks";
  access_thread_text(warp, warp->index * LANES + lane, who, sizeof who);
  if (other_tag != MANY_BLOCKS) {
    const uint32_t *grid = worker->launch->grid;
    uint32_t b = other_tag - 1, x = b % grid[0], y = b / grid[0] % grid[1];
    if (grid[2] > 1)
      snprintf(other, sizeof other, "block (%u,%u,%u)", x, y, b / grid[0] / grid[1]);
    else
      snprintf(other, sizeof other, "block (%u,%u)", x, y);
  }
  char what[150];
  access_element_text(a, (long long)(at / (a->element ? a->element : op->size)), what, sizeof what);
  snprintf(h->message, sizeof h->message, "%s %s %s, which %s %s%s in the same launch. %s", who,
           did, what, other, other_did, other_line == op->line ? " on the same line" : "",
           warning ? "Both store the same value, so nothing is lost, but the work is done twice."
                   : "Blocks run in any order: give each element to one block, use atomicAdd, or "
                     "split the work into two kernels.");
}

static inline uint32_t is_news(uint32_t writer, uint32_t reader, uint32_t mine) {
  return ((writer != 0) & (writer != mine)) | ((reader != mine) & (reader != MANY_BLOCKS));
}

/* Is there nothing to say and nothing to do about a read: no other block has written, and the read is
 * known? */
static bool read_is_known(const struct memo *memo, const uint32_t *writers, const uint32_t *readers,
                          uint32_t mine) {
  uint32_t news = 0;
  if (memo->pattern == PATTERN_CONTIGUOUS && memo->granule_count == LANES) {
    for (int i = 0; i < LANES; i++) news |= is_news(writers[i], readers[i], mine);
    return !news;
  }
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    news |= is_news(writers[g], readers[g], mine);
  }
  return !news;
}

void access_global_tag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset, bool atomic) {
  struct allocation *a = memo->allocation;
  struct worker *worker = warp->worker;
  uint32_t mine = worker->block.tag;
  uint64_t fresh = 0, first = offset >> memo->granule_shift;
  if (access_enough(worker)) return;
  a->tagged = true;
  if (atomic)
    a->atomics = true;
  else
    a->plain_reads = true;
  if (read_is_known(memo, a->writers + first, a->readers + first, mine)) return;
  for (int k = 0; k < memo->granule_count; k++) {
    uint64_t at = offset + (uint64_t)memo->granule[k], g = at >> memo->granule_shift;
    uint32_t writer = a->writers[g], reader = a->readers[g];
    if (writer != 0 && writer != mine) {
      if (!worker->launch->canonical) {
        atomic_store_explicit(&worker->launch->conflict, true, memory_order_relaxed);
        warp->stop = true;
        return;
      }
      int lane = granule_thread(warp, op, memo, k, -1) % LANES;
      if (atomic || !worker->launch->program->has_fence)
        note_global_race(warp, op, a, at, lane, atomic ? "atomically updates" : "reads", "writes",
                         writer, a->writer_ops, g, false);
    }
    if (reader == mine || reader == MANY_BLOCKS) continue;
    fresh += reader == 0;
    a->readers[g] = reader == 0 ? mine : MANY_BLOCKS;
    if (a->reader_ops && reader == 0) a->reader_ops[g] = (uint32_t)op->index;
  }
  worker->words_read_tagged += fresh;
}

static void mark_written(const struct worker *worker, struct allocation *a, const struct memo *memo,
                         uint64_t offset, int bytes) {
  if (a->all_initialised) return;
  if (access_enough(worker)) { /* nobody looks any more */
    memory_mark_initialised(a, 0, a->size);
    return;
  }
  for (uint32_t left = memo->mask; left; left &= left - 1) {
    uint64_t at = offset + (uint64_t)memo->delta[__builtin_ctz(left)];
    if (bytes == 4)
      a->initialised[at / 4] = 0xf;
    else if (bytes > 4)
      memset(a->initialised + at / 4, 0xf, (size_t)bytes / 4);
    else
      __atomic_fetch_or(&a->initialised[at / 4], (uint8_t)(((1u << bytes) - 1) << (at & 3)),
                        __ATOMIC_RELAXED);
  }
}

/* Lanes of one instruction that store different values at one address. */
static void check_collision(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset, const char *frame) {
  for (int k = 0; k < memo->granule_count; k++) {
    if (memo->granule_lane[k] != LANES) continue;
    int first, differs = differing_lane(frame, op, memo, memo->granule[k], &first);
    if (differs < 0) continue;
    const struct allocation *a = memo->allocation;
    bool fresh;
    struct hazard *h = access_hazard(warp, HAZARD_race, op->line, op->line, a->name, 1, &fresh);
    char who[96], what[150];
    if (h && fresh)
      snprintf(h->message, sizeof h->message,
               "%s and another lane of its warp write different values to %s at once; which one "
               "stays is left to chance. Give each element to one thread.",
               access_thread_text(warp, warp->index * LANES + differs, who, sizeof who),
               access_element_text(a,
                                   (long long)((offset + (uint64_t)memo->granule[k]) /
                                               (a->element ? a->element : op->size)),
                                   what, sizeof what));
    return;
  }
}

/* Leaves the block's tags on what it writes, if no other block's are there. Each is read once: other
 * workers of an optimistic launch may write them meanwhile, and what is counted as untouched must be
 * what was seen so (memory_tags_are_sound). */
static bool tag_own(const struct allocation *a, const struct memo *memo, uint64_t first,
                    uint32_t mine, uint32_t op, uint64_t *fresh) {
  uint32_t *writers = a->writers + first, *ops = a->writer_ops ? a->writer_ops + first : NULL;
  const uint32_t *readers = a->readers + first;
  uint32_t others = 0, untouched = 0;
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    uint32_t writer = writers[g], reader = readers[g];
    others |= ((writer != 0) & (writer != mine)) | ((reader != 0) & (reader != mine));
    untouched += writer == 0;
  }
  if (others) return false;
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    writers[g] = mine;
    if (ops) ops[g] = op;
  }
  *fresh += untouched;
  return true;
}

void access_global_write(struct warp *warp, const struct op *op, const struct memo *memo,
                         uint64_t offset, const char *frame) {
  struct allocation *a = memo->allocation;
  struct worker *worker = warp->worker;
  uint32_t mine = worker->block.tag;
  uint64_t fresh = 0, first = offset >> memo->granule_shift;
  bool looks = a->tracked && !access_enough(worker);
  if (memo->collides) check_collision(warp, op, memo, offset, frame);
  if (warp->stop) return;
  if (looks) a->tagged = true;
  if (looks && !tag_own(a, memo, first, mine, (uint32_t)op->index, &worker->words_tagged)) {
    for (int k = 0; k < memo->granule_count; k++) {
      uint64_t at = offset + (uint64_t)memo->granule[k], g = at >> memo->granule_shift;
      uint32_t writer = a->writers[g], reader = a->readers[g];
      if ((writer != 0 && writer != mine) || (reader != 0 && reader != mine)) {
        if (!worker->launch->canonical) {
          atomic_store_explicit(&worker->launch->conflict, true, memory_order_relaxed);
          warp->stop = true;
          return;
        }
        int lane = granule_thread(warp, op, memo, k, -1) % LANES;
        unsigned char value[4];
        stored_granule(frame, op, memo, lane, memo->granule[k], value);
        bool same = memcmp(a->data + at, value, (size_t)1 << memo->granule_shift) == 0;
        if (writer != 0 && writer != mine)
          note_global_race(warp, op, a, at, lane, "writes", "writes too", writer, a->writer_ops, g,
                           same);
        else if (!worker->launch->program->has_fence)
          note_global_race(warp, op, a, at, lane, "writes", "reads", reader, a->reader_ops, g,
                           false);
      }
      fresh += writer == 0;
      a->writers[g] = mine;
      if (a->writer_ops) a->writer_ops[g] = (uint32_t)op->index;
    }
    worker->words_tagged += fresh;
  }
  mark_written(worker, a, memo, offset, op->size * op->count);
}
