/* exec.c: runs a warp. Compiled once for every instruction set (KIT_ISA names it), so it holds only
 * what kernels spend their time in: the operations of ops_hot.h, loads, stores and the loop over
 * basic blocks. The rest is in cold.c, pattern.c and access.c. */
#include "harness/sim/base/claims.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/await.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/integers.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/paths.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/race.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/special.h"
#include "harness/sim/exec/tensor_tile.h"
#include "harness/sim/exec/touch.h"
#include "harness/sim/exec/vector.h"
#include "harness/sim/exec/watch.h"

#ifndef KIT_ISA
#define KIT_ISA generic
#endif
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

#if VECTOR_FMA
#define FMA(name, keys, flops, D, A, B, C, expr)                                                \
  OPERATION(name, void *sums_ = frame + op->slot[0];                                            \
            vector_fma32(sums_, frame + op->slot[1], frame + op->slot[2], frame + op->slot[3]); \
            if (__builtin_expect(vector_any_nan32(sums_), 0)) lanes_one_nan(sums_);)
#else
#define FMA OP3
#endif
#include "harness/sim/exec/ops_hot.h"

static const struct op_info hot_ops[] = {
#undef FMA
#undef OP1
#undef OP2
#undef OP3
#undef SETP
#define OP1 ENTRY1
#define OP2 ENTRY2
#define OP3 ENTRY3
#define FMA ENTRY3
#define SETP ENTRYP
#include "harness/sim/exec/ops_hot.h"
};

/* Runs an operation for the lanes of warp->mask: runs it for all, then restores the other lanes. */
static void run_masked(char *frame, const struct op *op, struct warp *warp) {
  uint32_t mask = warp->mask;
  if (op->predicate) {
    uint32_t *p = (uint32_t *)(frame + op->slot[0]), old = *p;
    op->body(frame, op, warp);
    *p = (*p & mask) | (old & ~mask);
  } else if (op->wide) {
    uint64_t *d = SLOT(frame, op, 0, uint64_t), old[LANES];
    memcpy(old, d, sizeof old);
    op->body(frame, op, warp);
    EACH_LANE d[i] = mask >> i & 1 ? d[i] : old[i];
  } else {
    uint32_t *d = SLOT(frame, op, 0, uint32_t), old[LANES];
    memcpy(old, d, sizeof old);
    op->body(frame, op, warp);
    EACH_LANE d[i] = mask >> i & 1 ? d[i] : old[i];
  }
}

#include "harness/sim/exec/tensor_multiply.h"

/* ---- loads and stores ---- */

/* Do the addresses have the memo's distances between lanes? */
static inline bool same_deltas(const struct memo *memo, const uint64_t *address, uint32_t mask,
                               int first) {
  if (memo->mask != mask) return false;
  if (mask == 0xffffffffu) return vector_same_deltas(address, address[0], memo->delta);
  uint64_t origin = address[first], differ = 0;
  for (int i = first; !memo->gaps && i < first + memo->lane_count; i++)
    differ |= (address[i] - origin) ^ (uint64_t)memo->delta[i];
  EACH_ACTIVE (i, memo->gaps ? mask : 0) differ |= (address[i] - origin) ^ (uint64_t)memo->delta[i];
  return differ == 0;
}

/* Copies elements of size bytes at `from` (+ delta of the lane) into the slots of op, extended. */
static inline void load_data(char *frame, const struct op *op, const struct memo *memo,
                             const unsigned char *from, uint32_t mask) {
  if (op->size == 4 && !op->wide && mask == 0xffffffffu) {
    for (int e = 0; e < op->count; e++) {
      uint32_t *d = SLOT(frame, op, 1 + e, uint32_t);
      const unsigned char *source = from + e * 4;
      if (memo->pattern == PATTERN_UNIFORM) {
        uint32_t value;
        memcpy(&value, source, 4);
        EACH_LANE d[i] = value;
      } else if (memo->pattern == PATTERN_CONTIGUOUS && op->count == 1) {
        memcpy(d, source, SLOT32);
      } else if (memo->layout == AFFINE_ROWS || memo->layout == AFFINE_REPEATED) {
        for (int p = 0; p < AFFINE_PARTS; p++)
          memcpy(d + p * PART, source + memo->part[p], PART * 4);
      } else if (memo->layout == AFFINE_SAMES) {
        uint32_t value[AFFINE_PARTS];
        for (int p = 0; p < AFFINE_PARTS; p++) memcpy(&value[p], source + memo->part[p], 4);
        EACH_LANE d[i] = value[i / PART];
      } else {
        for (int i = 0; i < LANES; i++) memcpy(&d[i], source + memo->delta[i], 4);
      }
    }
    return;
  }
  if (op->size == 4 && !op->wide) {
    int first = __builtin_ctz(mask), end = first + (memo->gaps ? 0 : memo->lane_count);
    for (int e = 0; e < op->count; e++) {
      uint32_t *d = SLOT(frame, op, 1 + e, uint32_t);
      for (int i = first; i < end; i++) memcpy(&d[i], from + memo->delta[i] + e * 4, 4);
      EACH_ACTIVE (i, memo->gaps ? mask : 0) memcpy(&d[i], from + memo->delta[i] + e * 4, 4);
    }
    return;
  }
  for (int e = 0; e < op->count; e++)
    EACH_ACTIVE (i, mask) {
      uint64_t value = extended(op, from + memo->delta[i] + e * op->size);
      memcpy(lane_element(frame, op, e, i), &value, op->wide ? 8 : 4);
    }
}

static inline void store_data(char *frame, const struct op *op, const struct memo *memo,
                              unsigned char *to, uint32_t mask) {
  if (op->size == 4 && op->count == 1 && !op->wide && mask == 0xffffffffu &&
      memo->pattern == PATTERN_CONTIGUOUS) {
    memcpy(to, frame + op->slot[1], SLOT32);
    return;
  }
  if (op->size == 4 && op->count == 1 && !op->wide && mask == 0xffffffffu &&
      memo->layout == AFFINE_ROWS && !memo->collides) {
    for (int p = 0; p < AFFINE_PARTS; p++)
      memcpy(to + memo->part[p], SLOT(frame, op, 1, const uint32_t) + p * PART, PART * 4);
    return;
  }
  if (op->size == 4 && op->count == 1 && !op->wide && memo->pattern == PATTERN_CONTIGUOUS) {
    int first = __builtin_ctz(mask);
    memcpy(to, SLOT(frame, op, 1, const uint32_t) + first, memo->lane_count * sizeof(uint32_t));
    return;
  }
  if (op->size == 4 && !op->wide) {
    EACH_ACTIVE (i, mask) /* in order: of several lanes at one address the last one wins */
      for (int e = 0; e < op->count; e++)
        memcpy(to + memo->delta[i] + e * 4, SLOT(frame, op, 1 + e, const uint32_t) + i, 4);
    return;
  }
  EACH_ACTIVE (i, mask)
    for (int e = 0; e < op->count; e++)
      memcpy(to + memo->delta[i] + e * op->size, lane_element(frame, op, e, i), op->size);
}

/* Gives poison to lanes that may not read. */
static void load_poison(char *frame, const struct op *op, uint32_t mask) {
  for (int e = 0; e < op->count; e++) {
    if (op->size == 4 && !op->wide) {
      uint32_t *d = SLOT(frame, op, 1 + e, uint32_t);
      EACH_LANE d[i] = mask >> i & 1 ? POISON_BYTE * 0x01010101u : d[i];
      continue;
    }
    EACH_ACTIVE (i, mask) {
      memset(lane_element(frame, op, e, i), 0, op->wide ? 8 : 4);
      memset(lane_element(frame, op, e, i), POISON_BYTE, op->size);
    }
  }
}

/* Has nothing written the byte at this offset of an allocation, or of shared memory (NULL)? */
static inline bool is_unwritten(const struct block *block, const struct allocation *a, int shift,
                                uint64_t at) {
  const struct shadow *shadow = &block->shadow;
  if (a) return !(a->initialised[at / 4] >> (at & 3) & 1);
  uint64_t g = at >> shift;
  return shadow->writes[g] < block->start && shadow->atomics[g] < block->start;
}

/* The same where words are written as a whole: in shared memory of 4-byte granules. */
static void poison_words(char *frame, const struct op *op, const struct block *block,
                         const struct memo *memo, uint64_t offset, uint32_t mask) {
  EACH_ACTIVE (i, mask)
    for (int e = 0; e < op->count; e++)
      if (is_unwritten(block, NULL, 2, offset + (uint64_t)(memo->delta[i] + e * 4)))
        SLOT(frame, op, 1 + e, uint32_t)[i] = POISON_BYTE * 0x01010101u;
}

/* Only those bytes become poison that nothing has written: the rest of a structure is valid. */
static void poison_unwritten(char *frame, const struct op *op, const struct warp *warp,
                             const struct memo *memo, uint64_t offset, uint32_t mask) {
  if (memo->is_shared && memo->granule_shift == 2 && op->size == 4 && !op->wide) {
    poison_words(frame, op, warp->block, memo, offset, mask);
    return;
  }
  EACH_ACTIVE (i, mask)
    for (int at = 0; at < op->count * op->size; at++) {
      char *element = lane_element(frame, op, at / op->size, i);
      int byte = at % op->size, behind = byte + 1;
      if (!is_unwritten(warp->block, memo->is_shared ? NULL : memo->allocation, memo->granule_shift,
                        offset + (uint64_t)(memo->delta[i] + at)))
        continue;
      element[byte] = POISON_BYTE;
      if (behind == op->size) memset(element + behind, 0, (op->wide ? 8 : 4) - (size_t)behind);
    }
}

static inline bool in_known_bounds(const struct op *op, const struct memo *memo, uint64_t base) {
  uint64_t low = base + (uint64_t)memo->low, high = base + (uint64_t)memo->high;
  return low >= memo->from && high <= memo->to &&
         low < high && /* no lane is left of shared memory */
         memo->aligned && (base & (uint64_t)(op_width(op) - 1)) == 0;
}

#include "harness/sim/exec/access_tags.h"

/* Are no more races of this block reported? Then of shared memory it only matters what has been
 * written at all. */
static inline bool is_beyond_report(const struct block *block) {
  return block->parted || access_enough(block->worker, HAZARD_race);
}
/* The span of the block's time for that. */
static inline access_tag whole_span(const struct block *block) { return INT64_MAX - block->start; }

static void flush_reads(struct block *block) {
  struct worker *worker = block->worker;
  const struct affine_form *form = worker->launch->program->affine;
  struct span span = shared_span(block);
  int count = is_beyond_report(block) ? 0 : block->read_count;
  if (count) block->reads_tagged = worker->now;
  for (int i = 0; i < count; i++) {
    const struct read_entry *r = &block->reads[i];
    const struct memo *memo = r->memo;
    const struct op *const *ops = r->group ? form->grouped + r->group->first_op : &r->op;
    for (int w = 0; w < r->warps; w++)
      for (int k = 0; k < (r->group ? r->group->op_count : 1); k++) {
        struct warp *warp = &block->warps[r->warp + w];
        uint32_t offset =
            r->offset + (uint32_t)(r->over * w) + (r->group ? (uint32_t)ops[k]->access.offset : 0);
        struct place place = race_place(warp, memo, offset, true);
        tag_reads(warp, ops[k], memo, &place, &span);
      }
  }
  block->read_count = 0;
}

/* Logs a load, of a pattern that the memo holds at this moment. */
static inline void log_read(struct block *block, struct memo *memo, struct read_entry entry) {
  if (!block->read_count) block->worker->kept_count = 0;
  entry.memo = memo;
  memo->last_read = block->read_count;
  block->reads[block->read_count++] = entry;
  if (block->read_count == READ_LOG) flush_reads(block);
}

/* A load that may be polling, or that acquires what a flag releases. */
static __attribute__((noinline)) void poll_load(char *frame, const struct op *op, struct warp *warp,
                                                const struct memo *memo,
                                                const struct place *place) {
  slice_charge(warp, VOLATILE_INSTRUCTIONS * __builtin_popcount(memo->mask));
  if (warp->worker->launch->sync) race_flag_read(warp, op, memo, place);
  uint64_t seen = place->offset;
  if (place->allocation) await_note(warp, place->allocation, place->offset);
  EACH_ACTIVE (i, memo->mask) {
    uint64_t value = 0;
    memcpy(&value, lane_element(frame, op, 0, i), op->wide ? 8 : 4);
    seen = seen * 31 + value + (uint64_t)memo->delta[i];
  }
  control_poll(warp, op, seen);
}

/* Do all tags of a shared array lie within the first `span` of the block's time? */
static __attribute__((noinline)) bool array_is_within(struct block *block, int index,
                                                      access_tag span) {
  const struct launch_state *launch = block->worker->launch;
  const struct shared_array *array = &launch->arrays[index];
  access_tag start = block->start;
  uint32_t g = array->start >> launch->shared_shift,
           end = (array->start + array->size) >> launch->shared_shift;
  const access_tag *writes = block->shadow.writes, *atomics = block->shadow.atomics;
  bool clean = true;
  if (block->has_atomics) {
    for (; g < end && clean; g++)
      clean = (writes[g] > atomics[g] ? writes[g] : atomics[g]) - start < span;
    return clean;
  }
  for (; g + LANES <= end && clean; g += LANES) clean = vector_tags_within(writes + g, start, span);
  return clean && vector_some_tags_within(writes + g, (int)(end - g), start, span);
}

/* Has every element of a shared array been written in this block, and none since the last barrier,
 * so that loads need no check? Found out once per interval. */
static inline bool array_is_clean(struct block *block, int index) {
  access_tag now = block->span.interval;
  if (block->clean[index] == now) return true;
  if (block->unclean[index] == now) return false;
  bool clean = array_is_within(block, index, now - block->start);
  *(clean ? &block->clean[index] : &block->unclean[index]) = now;
  return clean;
}

/* Is that so of all of a shared array? Looked at once per interval until it is. */
static inline bool array_is_written(struct block *block, int index) {
  if (block->written[index] == block->start) return true;
  if (block->unwritten_in[index] == block->span.interval) return false;
  bool written = array_is_within(block, index, whole_span(block));
  *(written ? &block->written[index] : &block->unwritten_in[index]) =
      written ? block->start : block->span.interval;
  return written;
}

/* Was all that a load reads written before the block's last barrier, or by this warp before its
 * last
 * __syncwarp? */
static bool is_synced(const struct warp *warp, const struct memo *memo, uint64_t g) {
  const struct block *block = warp->block;
  access_tag start = block->start, interval = block->span.interval;
  uint64_t open = block->has_atomics || warp->lane_synced;
  for (int k = 0; k < memo->granule_count; k++) {
    access_tag tag = block->shadow.writes[g + (uint64_t)(memo->granule[k] >> memo->granule_shift)];
    bool own = !(tag & (TAG_WARPS | TAG_BLOCKS)) && tag_thread(tag) / LANES == warp->index;
    open |= tag < start || tag >= (own ? warp->synced : interval);
  }
  return !open;
}

static inline void shared_load(char *frame, const struct op *op, struct warp *warp,
                               struct memo *memo, uint32_t offset, uint32_t mask) {
  struct worker *worker = warp->worker;
  struct block *block = warp->block;
  uint32_t never = 0;
  worker->hits[op->index]++;
  bool beyond = is_beyond_report(block);
  if (beyond ? !array_is_written(block, memo->array) : !array_is_clean(block, memo->array)) {
    access_tag start = block->start, interval = block->span.interval;
    struct span span = shared_span(block);
    uint64_t g = offset >> memo->granule_shift;
    if (!tags_within(block->shadow.writes + g, memo, start,
                     beyond ? whole_span(block) : interval - start) ||
        (!beyond && block->has_atomics &&
         !tags_settled(block->shadow.atomics + g, memo, &span, first_tag(warp)))) {
      struct place place = race_place(warp, memo, offset, true);
      if (!beyond && is_synced(warp, memo, g)) /* charged as by race_load */
        slice_charge(warp, ELEMENT_INSTRUCTIONS * memo->granule_count);
      else
        never = race_load(warp, op, memo, &place);
    }
  }
  if (!op->polls) {
    log_read(block, memo,
             (struct read_entry){.op = op, .offset = offset, .warp = warp->index, .warps = 1});
  }
  load_data(frame, op, memo, block->shared + offset, mask);
  if (never) poison_unwritten(frame, op, warp, memo, offset, never);
  if (op->is_volatile) {
    struct place place = race_place(warp, memo, offset, true);
    poll_load(frame, op, warp, memo, &place);
  }
}

static inline void shared_store(char *frame, const struct op *op, struct warp *warp,
                                struct memo *memo, uint32_t offset, uint32_t mask) {
  struct worker *worker = warp->worker;
  struct block *block = warp->block;
  struct span span = shared_span(block);
  uint64_t g = offset >> memo->granule_shift;
  const struct shadow *shadow = &block->shadow;
  uint32_t *writers = worker->launch->canonical ? shadow->writers + g : NULL; /* for reports */
  worker->hits[op->index]++;
  worker->stores++;
  block->clean[memo->array] = 0;
  block->unclean[memo->array] = block->span.interval;
  if (block->read_count) flush_reads(block);
  bool was_read = block->reads_tagged >= span.interval;
  bool flags = op->is_volatile && worker->launch->sync,
       beyond = is_beyond_report(block) && !op->is_volatile && !block->has_atomics;
  if (beyond ||
      (!memo->collides && !flags &&
       (!block->has_atomics || tags_settled(shadow->atomics + g, memo, &span, first_tag(warp))) &&
       ((tags_within(shadow->writes + g, memo, 0, span.interval) &&
         (!was_read || tags_within(shadow->reads + g, memo, 0, span.interval))) ||
        (tags_settled(shadow->writes + g, memo, &span, first_tag(warp)) &&
         tags_settled(shadow->reads + g, memo, &span, first_tag(warp)))))) {
    set_tags(shadow->writes + g, writers, memo,
             first_tag(warp) | (op->is_volatile ? TAG_VOLATILE : 0), (uint32_t)op->index, 0);
    if (op->is_volatile) slice_charge(warp, VOLATILE_INSTRUCTIONS * __builtin_popcount(memo->mask));
  } else {
    struct place place = race_place(warp, memo, offset, true);
    race_store(warp, op, memo, &place, frame);
  }
  store_data(frame, op, memo, block->shared + offset, mask);
}

static inline void count_global(struct warp *warp, const struct op *op, struct memo *memo,
                                uint64_t base, enum access access) {
  pattern_count_global(warp->worker, op, memo, base, 1);
  touch_global(warp->worker, memo, base, access == ACCESS_LOAD, access == ACCESS_STORE);
  warp->worker->hits[op->index]++;
}

/* Checks and sets the tags of a load from an allocation that keeps them. */
static __attribute__((noinline)) void check_global_load(struct warp *warp, const struct op *op,
                                                        const struct memo *memo, uint64_t offset) {
  const struct span *span = &warp->block->span;
  struct place place = race_place(warp, memo, offset, false);
  if (memo->allocation->only_read) {
    name_reads(warp, op, memo, &place, span->history);
    return;
  }
  if (access_enough(warp->worker, HAZARD_race)) return;
  const struct shadow *shadow = place.shadow;
  uint64_t g = offset >> memo->granule_shift;
  if (memo->allocation->written) race_loosen(warp, memo, &place, false);
  if (!memo->allocation->written ||
      (tags_settled(shadow->writes + g, memo, span, first_tag(warp)) &&
       (!shadow->atomics || tags_settled(shadow->atomics + g, memo, span, first_tag(warp))))) {
    if (!op->polls) tag_reads(warp, op, memo, &place, span);
  } else {
    race_load(warp, op, memo, &place);
  }
}

static inline void global_load(char *frame, const struct op *op, struct warp *warp,
                               struct memo *memo, uint64_t base, uint32_t mask) {
  struct allocation *a = memo->allocation;
  uint64_t offset = base - a->address;
  uint32_t never = 0;
  count_global(warp, op, memo, base, ACCESS_LOAD);
  if (!a->all_initialised) never = race_never_written(warp, op, memo, offset);
  if (a->tracked) check_global_load(warp, op, memo, offset);
  load_data(frame, op, memo, a->data + offset, mask);
  if (never) poison_unwritten(frame, op, warp, memo, offset, never);
  if (op->is_volatile) {
    struct place place = race_place(warp, memo, offset, false);
    poll_load(frame, op, warp, memo, &place);
  }
}

/* A store to whole rows that meets nothing leaves one tag a row. False: it is not such a one. */
static inline bool tag_rows(struct warp *warp, const struct memo *memo, struct allocation *a,
                            uint64_t g) {
  const struct shadow *shadow = &a->shadow;
  const struct span *span = &warp->block->span;
  access_tag first = first_tag(warp);
  bool open = false;
  uint64_t untouched = 0;
  if (!memo->row_count || g & (ROW_GRANULES - 1) || !shadow->rows || shadow->atomics ||
      warp->worker->launch->canonical)
    return false;
  struct row_tags *rows = shadow->rows + (g >> ROW_SHIFT);
  for (int k = 0; k < memo->row_count; k++) {
    const struct row_tags *row = &rows[memo->row[k]];
    open |= row->loose >= span->history;
    open |= !tag_settled(row->first, span, first + memo->row_lane[k]);
  }
  if (open || (a->was_read && !tags_settled(shadow->reads + g, memo, span, first))) return false;
  for (int k = 0; k < memo->row_count; k++) {
    struct row_tags *row = &rows[memo->row[k]];
    untouched += row->first < span->history;
    row->first = first + memo->row_lane[k];
  }
  tag_counts(warp->worker, a)->written += untouched * ROW_GRANULES;
  return true;
}

/* Checks and sets the tags of a store, in rows or granule by granule. */
static inline void tag_global_store(const char *frame, const struct op *op, struct warp *warp,
                                    const struct memo *memo, struct allocation *a,
                                    uint64_t offset) {
  const struct span *span = &warp->block->span;
  const struct shadow *shadow = &a->shadow;
  uint64_t g = offset >> memo->granule_shift;
  bool plain = !memo->collides && !op->is_volatile && a->tracked;
  if (plain && tag_rows(warp, memo, a, g)) return;
  struct place place = race_place(warp, memo, offset, false);
  if (plain) race_loosen(warp, memo, &place, true);
  if (plain && tags_settled(shadow->writes + g, memo, span, first_tag(warp)) &&
      (!a->was_read || tags_settled(shadow->reads + g, memo, span, first_tag(warp))) &&
      (!shadow->atomics || tags_settled(shadow->atomics + g, memo, span, first_tag(warp))))
    tag_counts(warp->worker, a)->written +=
        set_tags(shadow->writes + g, shadow->writers ? shadow->writers + g : NULL, memo,
                 first_tag(warp), (uint32_t)op->index, span->history);
  else if (a->tracked || memo->collides)
    race_store(warp, op, memo, &place, frame);
}

/* A store to an array that the launch only stores to claims what it writes. */
static inline void claim_store(struct warp *warp, const struct op *op, const struct memo *memo,
                               struct allocation *a, uint64_t offset) {
  uint8_t *claims = a->claims + (offset >> memo->granule_shift);
  uint32_t taken = memo->collides || op->is_volatile;
  if (is_row(memo)) {
    for (int i = 0; i < LANES; i++) taken |= claims[i];
    memset(claims, CLAIMED, LANES);
  } else {
    for (int k = 0; k < memo->granule_count; k++) {
      uint8_t *claim = &claims[memo->granule[k] >> memo->granule_shift];
      taken |= *claim;
      *claim = CLAIMED;
    }
  }
  tag_counts(warp->worker, a)->written += (uint64_t)memo->granule_count;
  if (__builtin_expect(!taken, 1)) return;
  __atomic_store_n(&warp->worker->launch->memory->surprised, true, __ATOMIC_RELAXED);
  atomic_store_explicit(&warp->worker->launch->conflict, true, memory_order_relaxed);
  warp->stop = true;
}

static inline void global_store(char *frame, const struct op *op, struct warp *warp,
                                struct memo *memo, uint64_t base, uint32_t mask) {
  struct allocation *a = memo->allocation;
  struct worker *worker = warp->worker;
  uint64_t offset = base - a->address;
  count_global(warp, op, memo, base, ACCESS_STORE);
  worker->stores++;
  if (a->claimed)
    claim_store(warp, op, memo, a, offset);
  else
    tag_global_store(frame, op, warp, memo, a, offset);
  if (warp->stop) return;
  if (!a->claimed) race_mark_written(worker, a, op, memo, offset);
  store_data(frame, op, memo, a->data + offset, mask);
}

/* Runs an access in bounds. base: the first lane's address, or its offset in shared memory. */
static inline __attribute__((always_inline)) void run_checked(char *frame, const struct op *op,
                                                              struct warp *warp, struct memo *memo,
                                                              uint64_t base, uint32_t mask,
                                                              enum ptx_space space,
                                                              enum access access) {
  if (space == PTX_SHARED && access == ACCESS_LOAD)
    shared_load(frame, op, warp, memo, (uint32_t)base, mask);
  else if (space == PTX_SHARED)
    shared_store(frame, op, warp, memo, (uint32_t)base, mask);
  else if (access == ACCESS_LOAD)
    global_load(frame, op, warp, memo, base, mask);
  else
    global_store(frame, op, warp, memo, base, mask);
}

/* Do the active lanes all have the same address? */
static inline bool same_address(const uint64_t *address, uint32_t mask) {
  uint64_t origin = address[__builtin_ctz(mask)], differ = 0;
  for (int i = 0; i < LANES; i++) differ |= mask >> i & 1 ? address[i] ^ origin : 0;
  return differ == 0;
}

/* One lane's access to its local memory; the address has been checked. */
static void local_lane(char *frame, const struct op *op, unsigned char *own, uint64_t offset,
                       int lane, enum access access) {
  for (int e = 0; e < op->count; e++) {
    char *slot = lane_element(frame, op, e, lane);
    uint64_t at = offset + (uint64_t)(e * op->size), value = 0;
    if (access == ACCESS_STORE) {
      planes_put(own, at, lane, slot, op->size);
    } else {
      planes_get(own, at, lane, &value, op->size);
      value = extended(op, &value);
      memcpy(slot, &value, op->wide ? 8 : 4);
    }
  }
}

/* Local memory: accesses are counted as instructions only. If all lanes have one address, each word
 * is one row. */
static void local_access(char *frame, const struct op *op, struct warp *warp,
                         const uint64_t *address, uint32_t mask, enum access access) {
  struct worker *worker = warp->worker;
  size_t bytes = (size_t)op_width(op), room = worker->local_bytes;
  unsigned char *own = warp->block->local + (size_t)warp->index * LANES * room;
  uint64_t shift = (uint64_t)op->access.offset - (op->space == PTX_GENERIC ? LOCAL_WINDOW : 0);
  uint64_t first = address[__builtin_ctz(mask)] + shift;
  worker->op_counts[op->index].requests++;
  if (op->size == 4 && !op->wide && first <= room && bytes <= room - first &&
      (first & (bytes - 1)) == 0 && same_address(address, mask)) {
    for (int e = 0; e < op->count; e++) {
      uint32_t *row = planes_row(own, first + (uint64_t)(4 * e)),
               *slot = SLOT(frame, op, 1 + e, uint32_t);
      if (access == ACCESS_LOAD) {
        EACH_LANE slot[i] = mask >> i & 1 ? row[i] : slot[i];
      } else {
        EACH_LANE row[i] = mask >> i & 1 ? slot[i] : row[i];
      }
    }
    return;
  }
  EACH_ACTIVE (i, mask) {
    uint64_t offset = address[i] + shift;
    if (offset <= room && bytes <= room - offset && (offset & (bytes - 1)) == 0) {
      local_lane(frame, op, own, offset, i, access);
      continue;
    }
    struct memo *memo = worker->memos[op->group];
    memo->mask = 0;
    memo->key = 0;
    uint32_t later;
    access_resolve(warp, op, memo, address, offset, 1u << i, PTX_LOCAL, access, &later);
    if (access == ACCESS_LOAD) load_poison(frame, op, 1u << i);
  }
}

/* Loads or stores for the lanes in mask; lanes that fail a check are reported and left out. */
static __attribute__((noinline)) void access_memory(char *frame, const struct op *op,
                                                    struct warp *warp, uint32_t mask,
                                                    enum access access) {
  if (warp->stop) return;
  const uint64_t *address = SLOT(frame, op, 0, const uint64_t);
  struct memo *memo = warp->worker->memos[op->group];
  for (uint32_t left = mask; left && !warp->stop;) {
    int first = __builtin_ctz(left);
    uint64_t base = address[first] + (uint64_t)op->access.offset;
    enum ptx_space space = access_space(op, base);
    uint32_t now = left; /* lanes in another space take another turn */
    EACH_ACTIVE (i, op->space == PTX_GENERIC ? left : 0)
      if (access_space(op, address[i] + (uint64_t)op->access.offset) != space) now &= ~(1u << i);
    left &= ~now;
    if (space == PTX_LOCAL) {
      slice_charge(warp, LOCAL_INSTRUCTIONS * __builtin_popcount(now));
      local_access(frame, op, warp, address, now, access);
      continue;
    }
    if (space == PTX_SHARED && op->space == PTX_GENERIC) base -= SHARED_WINDOW;
    uint64_t key = warp->worker->block_key | now;
    bool known = same_deltas(memo, address, now, first) && memo->phase == (base & memo->phase_mask);
    if (!known || memo->key != key) {
      slice_charge_pattern(warp, memo, now);
      if (!known) memo = pattern_learn(warp, op, address, base, now, space);
      memo->key = key;
    }
    if (!in_known_bounds(op, memo, base)) {
      uint32_t later = 0,
               passed = access_resolve(warp, op, memo, address, base, now, space, access, &later);
      left |= later;
      uint64_t passed_base = passed ? base + address[__builtin_ctz(passed)] - address[first] : 0;
      if (access == ACCESS_LOAD)
        load_poison(frame, op, now & ~(passed | later)); /* which may overwrite the addresses */
      if (warp->stop || !passed) continue;
      if (passed != now) { /* those that passed lie in one array: repeat for them alone */
        base = passed_base;
        now = passed;
        memo = pattern_learn(warp, op, address, base, now, space);
        if (access_resolve(warp, op, memo, address, base, now, space, access, &later) != now)
          continue;
      }
    }
    run_checked(frame, op, warp, memo, base, now, space, access);
  }
}

/* The fast path: the memo's pattern, all of it in bounds. False: access_memory must check it. */
static inline bool access_known(char *frame, const struct op *op, struct warp *warp,
                                enum access access) {
  const uint64_t *address = SLOT(frame, op, 0, const uint64_t);
  struct memo *memo = warp->worker->memos[op->group];
  uint32_t mask = warp->mask;
  if (memo->key != (warp->worker->block_key | mask) ||
      (op->space != PTX_SHARED && op->space != PTX_GLOBAL))
    return false;
  int first = __builtin_ctz(mask);
  uint64_t base = address[first] + (uint64_t)op->access.offset;
  if (!op->follows && !same_deltas(memo, address, mask, first)) return false;
  if (!in_known_bounds(op, memo, base) || memo->phase != (base & memo->phase_mask)) return false;
  run_checked(frame, op, warp, memo, base, mask, op->space, access);
  return true;
}

static void run_load(char *frame, const struct op *op, struct warp *warp) {
  if (!access_known(frame, op, warp, ACCESS_LOAD))
    access_memory(frame, op, warp, warp->mask, ACCESS_LOAD);
}

static void run_store(char *frame, const struct op *op, struct warp *warp) {
  if (!access_known(frame, op, warp, ACCESS_STORE))
    access_memory(frame, op, warp, warp->mask, ACCESS_STORE);
}

#include "harness/sim/exec/affine_run.h"
#include "harness/sim/exec/lockstep.h"

/* ---- the loop over basic blocks ---- */

static inline void push(struct warp *warp, int block, int reconverge, uint32_t mask) {
  warp->stack[warp->stack_size++] = (struct stack_entry){block, reconverge, mask};
}

/* Lanes go both ways. The entry at the top of the stack waits at the reconvergence point; each side
 * that has something to do before it gets an entry of its own. A side's entry is never reused for
 * the other, whose pc would be lost. */
static void diverge(struct warp *warp, const struct basic_block *block, uint32_t taken,
                    uint32_t mask) {
  struct stack_entry *top = &warp->stack[warp->stack_size - 1];
  int meet = block->reconverge;
  if (top->reconverge == meet)
    warp->stack_size--; /* the entry below waits for these lanes at the same point */
  else
    top->block = meet;
  if (warp->stack_size + 2 > warp->stack_limit) {
    control_overflow(warp, block->line);
    return;
  }
  if (block->next != meet) push(warp, block->next, meet, mask & ~taken);
  if (block->target != meet) push(warp, block->target, meet, taken);
}

/* Will the entry's lanes, those that do not leave a loop, come by the block before they are where
 * the entry ends? */
static bool comes_by(const struct program *program, const struct stack_entry *entry, int block) {
  int at = entry->block, steps = program->block_count;
  while (at != NO_BLOCK && at != entry->reconverge && at != block && steps-- > 0)
    at = program->blocks[at].reconverge;
  return at == block;
}

/* The topmost entry whose lanes wait at a block, or come by it; -1: there is none. */
static int find_waiting(const struct warp *warp, const struct program *program, int block) {
  int at = warp->stack_size - 1, base = warp->calls[warp->call_depth].stack_base;
  for (; at >= base; at--)
    if (warp->stack[at].reconverge == block || comes_by(program, &warp->stack[at], block))
      return at;
  return -1;
}

/* Lanes leave a loop sideways. They wait where they meet the others again, the first place by which
 * the lanes of an entry come: these wait there from now on, on their way. From all entries above
 * they are taken out. */
static void leave(struct warp *warp, const struct program *program, const struct basic_block *block,
                  uint32_t lanes) {
  struct stack_entry *stack = warp->stack;
  int top = warp->stack_size - 1, meet = block->beyond, at = -1;
  if (warp->stack_size + 2 > warp->stack_limit) {
    control_overflow(warp, block->line);
    return;
  }
  while (meet != NO_BLOCK && (at = find_waiting(warp, program, meet)) < 0)
    meet = program->blocks[meet].beyond;
  if (meet == NO_BLOCK) at = warp->calls[warp->call_depth].stack_base;
  bool waits = meet != NO_BLOCK && at < top && stack[at].block == meet;
  for (int i = at + waits; i <= top; i++) stack[i].mask &= ~lanes;
  if (!waits && meet != NO_BLOCK && stack[at].reconverge != meet) {
    memmove(stack + at + 1, stack + at, (size_t)(warp->stack_size++ - at) * sizeof *stack);
    stack[at] = (struct stack_entry){meet, stack[at + 1].reconverge, stack[at + 1].mask | lanes};
    stack[at + 1].reconverge = meet;
  }
  if (block->leaves != meet) push(warp, block->leaves, meet, lanes);
}

/* Is a barrier that these lanes have come to nothing but the end of an interval, because the block
 * is one warp, all of which is here? */
static inline bool meets_nobody(const struct warp *warp, const struct basic_block *at,
                                uint32_t mask) {
  const struct block *block = warp->block;
  const struct launch_state *launch = warp->worker->launch;
  return block->warp_count == 1 && mask == warp->exist && !at->named && !at->reduce_op &&
         !launch->sync && !launch->program->has_polls && !warp->path_count && !block->named &&
         !block->unwritten_count && !atomic_load_explicit(&launch->conflict, memory_order_relaxed);
}

/* control_release for such a warp. */
static inline void end_interval(struct warp *warp) {
  struct block *block = warp->block;
  struct worker *worker = warp->worker;
  block->read_count = 0;
  worker->now += TAG_TICK;
  block->span.interval = warp->synced = worker->now & ~TAG_LOW;
}

static void run_warp(struct warp *warp) {
  struct worker *worker = warp->worker;
  struct block *own = warp->block;
  struct affine_state *affine = warp->affine;
  if (warp->path_count) paths_wake(warp, false);
  while (!warp->stop) {
    struct frame_record *call = &warp->calls[warp->call_depth];
    if (__builtin_expect(warp->yields, 0)) {
      if (own->interrupted || !control_waits_for_lanes(warp) || !paths_give_way(warp)) return;
    } else if (__builtin_expect(warp->path_count, 0) && paths_several(warp)) {
      if (!paths_choose(warp)) return;
    }
    if (warp->stack_size == call->stack_base) { /* all lanes have returned */
      if (__builtin_expect(warp->path_count, 0) && paths_several(warp) && paths_end(warp)) {
        if (warp->state != WARP_READY) return;
        continue;
      }
      if (!control_return(warp)) return;
      continue;
    }
    struct stack_entry *top = &warp->stack[warp->stack_size - 1];
    uint32_t mask = top->mask & warp->live & ~call->returned;
    if (!mask || top->block == top->reconverge) {
      warp->stack_size--;
      continue;
    }
    const struct program *program = call->program;
    const struct basic_block *block = &program->blocks[top->block];
    struct block_counts *counts = &worker->block_counts[program->block_base + top->block];
    bool resumes = warp->resume;
    if (!resumes) {
      counts->executed++;
      counts->lanes += (uint64_t)__builtin_popcount(mask);
      own->budget -= block->count + 1;
    }
    if (__builtin_expect(own->budget < 0, 0) && warp->affine && warp->affine->any_stale)
      affine_settle(warp);
    if (__builtin_expect(own->budget < 0, 0) && !slice_next(warp, block->line)) return;
    warp->mask = mask;
    int masked = mask != warp->live;
    const struct op *op = &program->ops[block->first], *end = op + block->count;
    char *frame = call->frame;
    if (__builtin_expect(warp->awaited_count, 0)) control_settle_members(warp);
    int again = NO_BLOCK;
    if (__builtin_expect(resumes, 0)) {
      op = warp->resume;
      warp->resume = NULL;
      if (op < end) affine_leave(warp, program, top->block);
      for (; op < end; op++) op->run[masked](frame, op, warp);
    } else if (__builtin_expect(worker->watched, false)) {
      if (affine) affine_leave(warp, program, top->block);
      watch_basic_block(warp, program, top->block);
      for (; op < end; op++) {
        watch_operation(warp, frame, op);
        op->run[masked](frame, op, warp);
      }
    } else {
      if (affine) op = run_affine(warp, program, top->block, mask == warp->exist);
      if (affine && op == end) again = program->affine->blocks[top->block].again;
      for (; op < end; op++) op->run[masked](frame, op, warp);
    }
    if (affine && block->end > END_BRANCH && affine->any_stale) affine_settle(warp);
    if (warp->stop) return;
    warp->mask = mask;
    switch (block->end) {
      case END_NEXT:
        top->block = block->next;
        break;
      case END_JUMP:
        top->block = block->target;
        break;
      case END_BRANCH: {
        uint32_t p = *(const uint32_t *)(frame + block->predicate);
        uint32_t taken = (block->negated ? ~p : p) & mask;
        if (again != NO_BLOCK && (taken == mask || !taken) &&
            (taken ? block->target : block->next) == again && top->reconverge != again) {
          run_loop(warp, program, top->block, frame);
          p = *(const uint32_t *)(frame + block->predicate);
          taken = (block->negated ? ~p : p) & mask;
        }
        bool alone = warp->stack_size == call->stack_base + 1;
        if (block->leaves != NO_BLOCK && !(alone && (taken == mask || !taken))) {
          bool by_target = block->leaves == block->target;
          uint32_t lanes = by_target ? taken : mask & ~taken;
          top->block = by_target ? block->next : block->target;
          counts->divergent += taken && taken != mask;
          if (lanes) leave(warp, program, block, lanes);
        } else if (taken == mask) {
          top->block = block->target;
        } else if (!taken) {
          top->block = block->next;
        } else {
          counts->divergent++;
          diverge(warp, block, taken, mask);
        }
        break;
      }
      case END_RETURN:
        if (warp->call_depth > 0) {
          call->returned |= mask;
          break;
        }
        /* fall through */
      case END_EXIT:
        control_exit(warp, mask, block->line);
        break;
      case END_BARRIER:
        top->block = block->next;
        if (meets_nobody(warp, block, mask))
          end_interval(warp);
        else if (control_barrier(warp, block))
          return;
        break;
      case END_CALL:
        top->block = block->next;
        control_call(warp, block);
        break;
      case END_TRAP:
        control_trap(warp, block->line);
        return;
    }
  }
}

const struct isa JOIN(isa_, KIT_ISA) = {
    .name = TEXT(KIT_ISA),
    .hot = hot_ops,
    .hot_count = sizeof hot_ops / sizeof hot_ops[0],
    .load = run_load,
    .store = run_store,
    .masked = run_masked,
    .flush_reads = flush_reads,
    .multiply_tile = multiply_tile,
    .multiply_doubles = multiply_doubles,
    .run_warp = run_warp,
    .run_lockstep = run_lockstep,
};
