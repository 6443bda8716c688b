/* access_tags.h: compares and sets the race tags of all lanes of an access at once (base/shadow.h).
 * Part of exec.c, which includes it once for each instruction set; what it cannot settle goes to
 * race.h, granule by granule. */

/* Does each part of the warp access a row of granules? */
static inline bool has_parts(const struct memo *memo) {
  return memo->layout == AFFINE_ROWS && memo->granule_shift == 2 && !memo->collides &&
         memo->granule_count == LANES && memo->mask == 0xffffffffu;
}

/* True if no granule of the access has a tag outside [low, low + span). */
static inline bool tags_within(const access_tag *tags, const struct memo *memo, access_tag low,
                               access_tag span) {
  uint32_t outside = 0;
  if (memo->dense) {
    if (memo->granule_count == LANES) return vector_tags_within(tags, low, span);
    return vector_some_tags_within(tags, memo->granule_count, low, span);
  }
  if (has_parts(memo)) {
    uint64_t any = 0;
    for (int p = 0; p < AFFINE_PARTS; p++)
      for (int i = 0; i < PART; i++) any |= tags[memo->part[p] / 4 + i] - low >= span;
    return !any;
  }
  for (int i = 0; i < memo->granule_count; i++)
    outside |= tags[memo->granule[i] >> memo->granule_shift] - low >= span;
  return !outside;
}

/* Does each lane of the warp access a granule, one after the other? */
static inline bool is_row(const struct memo *memo) {
  return memo->in_order && memo->granule_count == LANES;
}

/* The tag that the granule's lane would leave, or, if there are several lanes, one of no thread. */
static inline access_tag own_tag(access_tag first, uint8_t lane) {
  return lane == LANES ? first | TAG_BLOCK_SCOPE | TAG_VOLATILE : first + lane;
}

/* tag_settled for granules side by side, of lanes from `first` on: in terms that gcc makes vectors
 * of. */
static inline __attribute__((always_inline)) bool row_settled(const access_tag *tags, int count,
                                                              const struct span *span,
                                                              access_tag first) {
  const access_tag turn = span->turn, interval = span->interval, history = span->history;
  const uint64_t all = ~(uint64_t)0;
  uint64_t open = 0;
  for (int i = 0; i < count; i++) {
    access_tag tag = tags[i], differ = tag ^ (first + (access_tag)i);
    uint64_t mine = tag >= turn ? all : 0, before = tag < interval ? all : 0,
             alike = (differ & (TAG_WORKER | TAG_BLOCKS)) == 0 ? all : 0,
             same = (differ & TAG_LOW) == 0 ? all : 0, old = tag < history ? all : 0;
    open |= ~(old | (mine & ((before & alike) | same)));
  }
  return !open;
}

/* Are the tags of an access those that its lanes would leave, so that it changes nothing? Looked at
 * only where that is quick. */
static inline bool tags_are_own(const access_tag *tags, const struct memo *memo, access_tag first) {
  if (is_row(memo)) return vector_tags_ascend(tags, LANES, first);
  if (!has_parts(memo)) return false;
  bool own = true;
  for (int p = 0; p < AFFINE_PARTS && own; p++)
    own = vector_tags_ascend(tags + memo->part[p] / 4, PART, first + (access_tag)(p * PART));
  return own;
}

/* Are all granules of the access settled, for the lanes that touch them? */
static inline bool tags_settled(const access_tag *tags, const struct memo *memo,
                                const struct span *span, access_tag first) {
  if (tags_are_own(tags, memo, first)) return first >= span->turn;
  if (is_row(memo)) return row_settled(tags, LANES, span, first);
  if (memo->in_order)
    return row_settled(tags, memo->granule_count, span, first + memo->granule_lane[0]);
  if (has_parts(memo)) {
    bool settled = true;
    for (int p = 0; p < AFFINE_PARTS; p++)
      settled &= row_settled(tags + memo->part[p] / 4, PART, span, first + (access_tag)(p * PART));
    return settled;
  }
  uint64_t open = 0;
  for (int k = 0; k < memo->granule_count; k++)
    open |= !tag_settled(tags[memo->granule[k] >> memo->granule_shift], span,
                         own_tag(first, memo->granule_lane[k]));
  return !open;
}

/* Notes by which operation, if that is kept (ops). */
static inline void set_ops(uint32_t *ops, const struct memo *memo, uint32_t index) {
  if (!ops) return;
  if (is_row(memo)) {
    for (int i = 0; i < LANES; i++) ops[i] = index;
  } else if (has_parts(memo)) {
    for (int p = 0; p < AFFINE_PARTS; p++)
      for (int i = 0; i < PART; i++) ops[memo->part[p] / 4 + i] = index;
  } else {
    for (int k = 0; k < memo->granule_count; k++)
      ops[memo->granule[k] >> memo->granule_shift] = index;
  }
}

/* Sets the tags of an access without conflicts. Returns how many were history. */
static inline uint32_t set_tags(access_tag *tags, uint32_t *ops, const struct memo *memo,
                                access_tag first, uint32_t index, access_tag history) {
  uint32_t untouched = 0;
  set_ops(ops, memo, index);
  if (tags_are_own(tags, memo, first)) return 0;
  if (is_row(memo)) {
    for (uint32_t i = 0; i < LANES; i++) {
      untouched += tags[i] < history;
      tags[i] = first + i;
    }
    return untouched;
  }
  if (memo->in_order) {
    first += memo->granule_lane[0];
    for (int i = 0; i < memo->granule_count; i++) {
      untouched += tags[i] < history;
      tags[i] = first + (access_tag)i;
    }
    return untouched;
  }
  if (has_parts(memo)) {
    for (int p = 0; p < AFFINE_PARTS; p++) {
      int64_t at = memo->part[p] / 4;
      for (uint32_t i = 0; i < PART; i++) {
        untouched += tags[at + i] < history;
        tags[at + i] = first + (uint32_t)(p * PART) + i;
      }
    }
    return untouched;
  }
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    uint8_t lane = memo->granule_lane[k];
    untouched += tags[g] < history;
    tags[g] =
        lane == LANES ? (first + (uint32_t)__builtin_ctz(memo->mask)) | TAG_LANES : first + lane;
  }
  return untouched;
}

static inline access_tag first_tag(const struct warp *warp) {
  return warp->worker->now + (access_tag)(warp->index * LANES);
}

/* The times to compare tags of the block's shared memory with. */
static inline struct span shared_span(const struct block *block) {
  return (struct span){block->start, block->start, block->span.interval};
}

/* Sets the read tags of an access if each granule is settled or already crowded. Adds how many were
 * history to *untouched. */
static inline bool set_read_tags(access_tag *tags, uint32_t *ops, const struct memo *memo,
                                 access_tag first, uint32_t index, const struct span *span,
                                 uint64_t *untouched) {
  uint64_t open = 0;
  if (tags_are_own(tags, memo, first)) {
    set_ops(ops, memo, index);
    return true;
  }
  if (is_row(memo)) {
    if (vector_tags_have(tags, TAG_BLOCKS, span->history)) return true;
    for (uint32_t i = 0; i < LANES; i++)
      open |= !((int)tag_settled(tags[i], span, first + i) | tag_is_crowded(tags[i], span, first));
    if (open) return false;
    uint64_t history = span->history, fresh = 0;
    for (uint32_t i = 0; i < LANES; i++) {
      bool crowded = tag_is_crowded(tags[i], span, first);
      fresh += tags[i] < history;
      if (ops) ops[i] = crowded ? ops[i] : index;
      tags[i] = crowded ? tags[i] : first + i;
    }
    *untouched += fresh;
    return true;
  }
  for (int k = 0; k < memo->granule_count; k++) {
    access_tag tag = tags[memo->granule[k] >> memo->granule_shift];
    open |= !((int)tag_settled(tag, span, own_tag(first, memo->granule_lane[k])) |
              tag_is_crowded(tag, span, first));
  }
  if (open) return false;
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    uint8_t lane = memo->granule_lane[k];
    if (tag_is_crowded(tags[g], span, first)) continue;
    *untouched += tags[g] < span->history;
    tags[g] =
        lane == LANES ? (first + (uint32_t)__builtin_ctz(memo->mask)) | TAG_LANES : first + lane;
    if (ops) ops[g] = index;
  }
  return true;
}

/* The tags of who was first to read, in this launch, each granule of an array that is only read. */
static inline void name_reads(struct warp *warp, const struct op *op, const struct memo *memo,
                              const struct place *place, access_tag history) {
  size_t at = place->offset >> memo->granule_shift;
  access_tag *tags = place->shadow->reads + at, first = first_tag(warp);
  uint32_t *ops = place->shadow->readers ? place->shadow->readers + at : NULL;
  if (is_row(memo) && vector_tags_have(tags, 0, history)) return;
  for (int k = 0; k < memo->granule_count; k++) {
    int32_t g = memo->granule[k] >> memo->granule_shift;
    if (tags[g] >= history) continue;
    uint8_t lane = memo->granule_lane[k];
    tags[g] =
        lane == LANES ? (first + (uint32_t)__builtin_ctz(memo->mask)) | TAG_LANES : first + lane;
    if (ops) ops[g] = (uint32_t)op->index;
  }
}

static inline void tag_reads(struct warp *warp, const struct op *op, const struct memo *memo,
                             const struct place *place, const struct span *span) {
  uint64_t g = place->offset >> memo->granule_shift, untouched = 0;
  const struct shadow *shadow = place->shadow;
  if (warp->worker->launch->sync ||
      !set_read_tags(shadow->reads + g, shadow->readers ? shadow->readers + g : NULL, memo,
                     first_tag(warp), (uint32_t)op->index, span, &untouched))
    race_tag_read(warp, op, memo, place);
  else if (place->allocation)
    tag_counts(warp->worker, place->allocation)->read += untouched;
}
