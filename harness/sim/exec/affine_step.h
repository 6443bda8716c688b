/* affine_step.h: executes the steps of the affine form (decode/affine.h): scalar operations, and
 * the checks of groups of loads. Part of exec.c. */

/* What a segment's checks have found out about its groups of loads. One more stands for the frame:
 * factors that are rows of it (FROM_FRAME). */
enum { MAX_SAVED = 128 };
static const int64_t FAR = INT64_C(1) << 40; /* bytes from one warp's accesses to the next's */

/* Where the parts of factors are, but for the products' offsets. */
struct side {
  const unsigned char *part[AFFINE_PARTS];
  enum side_kind {
    ROWS,     /* 8 elements a part */
    SAMES,    /* one element a part */
    REPEATED, /* 8 elements, for all parts */
  } kind;
};

struct found {
  const unsigned char *data[MAX_SEGMENT_GROUPS];     /* where the first lane's address points */
  const unsigned char *base[MAX_SEGMENT_GROUPS + 1]; /* the same, or scratch rows, for chains */
  struct memo *memo[MAX_SEGMENT_GROUPS + 1];
  uint64_t origin[MAX_SEGMENT_GROUPS]; /* that address, or the offset in shared memory */
  int64_t over[MAX_SEGMENT_GROUPS];    /* from one warp's to the next's */
  uint8_t
      layout[MAX_SEGMENT_GROUPS + 1]; /* of what chains read: if it is gathered first, of that */
  bool gathered[MAX_SEGMENT_GROUPS + 1], any_gathered;
  int group_count;
  struct side sides[MAX_SEGMENT_GROUPS + 1];
  bool has_sides;
};

/* ---- rows ---- */

/* The warps whose state a warp's is: itself, or all of its block. */
static inline struct warp *affine_warps(struct warp *warp) {
  return warp->affine->warps > 1 ? warp->block->warps : warp;
}

/* A register's value in this warp, for which w no longer counts. */
static inline struct affine value_in(const struct warp *warp, int r) {
  const struct affine *a = &warp->affine->value[r];
  return (struct affine){a->base + (uint64_t)a->w * (uint64_t)warp->index, a->x, a->y, 0};
}

/* Makes a register's row of the warp's frame. */
static void fill_row(const struct warp *warp, const struct affine_form *form, int r) {
  struct affine a = value_in(warp, r);
  int shift = warp->affine->shift, within = (1 << shift) - 1;
  char *frame = warp->calls[0].frame;
  if (set_has(&form->wide, r)) {
    uint64_t *row = __builtin_assume_aligned(frame + (size_t)r * SLOT32, FRAME_ALIGN);
    uint64_t base = a.base, x = (uint64_t)a.x, y = (uint64_t)a.y;
    if (!a.x && !a.y) {
      EACH_LANE row[i] = base;
    } else if (shift == 5) {
      EACH_LANE row[i] = base + x * (uint64_t)i;
    } else {
      EACH_LANE row[i] = base + x * (uint64_t)(i & within) + y * (uint64_t)(i >> shift);
    }
    return;
  }
  uint32_t *row = __builtin_assume_aligned(frame + (size_t)r * SLOT32, FRAME_ALIGN);
  uint32_t base = (uint32_t)a.base, x = (uint32_t)a.x, y = (uint32_t)a.y;
  if (!a.x && !a.y) {
    EACH_LANE row[i] = base;
  } else {
    EACH_LANE row[i] = base + x * (uint32_t)(i & within) + y * (uint32_t)(i >> shift);
  }
}

static void fill_rows(struct warp *warp, const struct affine_form *form, int r) {
  struct warp *warps = affine_warps(warp);
  for (int i = 0; i < warp->affine->warps; i++) fill_row(&warps[i], form, r);
}

static void fill_if_stale(struct warp *warp, const struct affine_form *form, int r) {
  struct affine_state *state = warp->affine;
  if (!set_has(&state->stale, r)) return;
  fill_rows(warp, form, r);
  set_remove(&state->stale, r);
}

/* Makes all rows that are not there. */
static __attribute__((noinline)) void affine_settle(struct warp *warp) {
  struct affine_state *state = warp->affine;
  const struct affine_form *form = warp->worker->launch->program->affine;
  for (int w = 0; w < form->word_count; w++)
    for (uint64_t left = state->stale.word[w]; left; left &= left - 1)
      fill_rows(warp, form, w * 64 + __builtin_ctzll(left));
  memset(&state->stale, 0, sizeof state->stale);
  state->any_stale = false;
}

/* Are the first so many values so? */
static inline __attribute__((always_inline)) bool is_affine_64(const uint64_t *v, int lanes,
                                                               int shift, const struct affine *a) {
  uint64_t x = (uint64_t)a->x, y = (uint64_t)a->y, within = (1u << shift) - 1, differ = 0;
  for (int i = 0; i < lanes; i++)
    differ |= v[i] ^ (a->base + x * ((uint64_t)i & within) + y * (uint64_t)(i >> shift));
  return !differ;
}
static inline __attribute__((always_inline)) bool is_affine_32(const uint32_t *v, int lanes,
                                                               int shift, const struct affine *a) {
  uint32_t x = (uint32_t)a->x, y = (uint32_t)a->y, within = (1u << shift) - 1, differ = 0;
  for (int i = 0; i < lanes; i++)
    differ |= v[i] ^ ((uint32_t)a->base + x * ((uint32_t)i & within) + y * (uint32_t)(i >> shift));
  return !differ;
}

/* Is a register's row of the warp's frame affine? */
static bool is_affine_row(const struct warp *warp, const struct affine_form *form, int r,
                          struct affine *a) {
  const struct affine_state *state = warp->affine;
  int shift = state->shift, lanes = state->lanes, below = state->rows ? 1 << shift : 0,
      beside = state->columns > 0;
  const void *row =
      __builtin_assume_aligned(warp->calls[0].frame + (size_t)r * SLOT32, FRAME_ALIGN);
  if (set_has(&form->wide, r)) {
    const uint64_t *v = row;
    *a = (struct affine){v[0], (int64_t)(v[beside] - v[0]), (int64_t)(v[below] - v[0]), 0};
    return lanes == LANES ? is_affine_64(v, LANES, shift, a) : is_affine_64(v, lanes, shift, a);
  }
  const uint32_t *v = row;
  *a = (struct affine){v[0], (int32_t)(v[beside] - v[0]), (int32_t)(v[below] - v[0]), 0};
  return lanes == LANES ? is_affine_32(v, LANES, shift, a) : is_affine_32(v, lanes, shift, a);
}

/* Does b follow a by the same step as the second warp's value does the first's? Sets the step. */
static bool follows_evenly(struct affine *a, const struct affine *b, int warp, bool wide) {
  if (warp == 1)
    a->w = wide ? (int64_t)(b->base - a->base) : (int32_t)(uint32_t)(b->base - a->base);
  uint64_t base = a->base + (uint64_t)a->w * (uint64_t)warp;
  return b->x == a->x && b->y == a->y && b->base == (wide ? base : (uint32_t)base);
}

/* Are a register's rows affine? Then it becomes known. */
static bool affine_verify(struct warp *warp, const struct affine_form *form, int r) {
  struct affine_state *state = warp->affine;
  struct warp *warps = affine_warps(warp);
  struct affine a, b;
  if (!is_affine_row(&warps[0], form, r, &a)) return false;
  for (int i = 1; i < state->warps; i++)
    if (!is_affine_row(&warps[i], form, r, &b) ||
        !follows_evenly(&a, &b, i, set_has(&form->wide, r)))
      return false;
  state->value[r] = a;
  set_add(&state->known, r);
  return true;
}

/* ---- steps ---- */

static inline bool is_uniform(const struct affine *a) { return !(a->x | a->y | a->w); }

/* The least and the greatest distance of a lane's value from the base. */
static inline void extent(const struct affine *a, const struct affine_state *state, int64_t *low,
                          int64_t *high) {
  int64_t across = a->x * state->columns, down = a->y * state->rows,
          over = a->w * (state->warps - 1);
  *low = (across < 0 ? across : 0) + (down < 0 ? down : 0) + (over < 0 ? over : 0);
  *high = (across > 0 ? across : 0) + (down > 0 ? down : 0) + (over > 0 ? over : 0);
}

/* A 32-bit value as a 64-bit one. False: some lane would wrap around. */
static inline bool widen(const struct affine *a, bool is_signed, const struct affine_state *state,
                         struct affine *to) {
  int64_t base = is_signed ? (int64_t)(int32_t)a->base : (int64_t)(uint32_t)a->base, low, high;
  *to = (struct affine){(uint64_t)base, a->x, a->y, a->w};
  if (is_uniform(a)) return true;
  extent(a, state, &low, &high);
  return is_signed ? base + low >= INT32_MIN && base + high <= INT32_MAX
                   : base + low >= 0 && base + high <= UINT32_MAX;
}

static inline struct affine narrow(struct affine a) {
  return (struct affine){(uint32_t)a.base, (int32_t)(uint32_t)a.x, (int32_t)(uint32_t)a.y,
                         (int32_t)(uint32_t)a.w};
}

static inline struct affine plus(const struct affine *a, const struct affine *b) {
  return (struct affine){a->base + b->base, (int64_t)((uint64_t)a->x + (uint64_t)b->x),
                         (int64_t)((uint64_t)a->y + (uint64_t)b->y),
                         (int64_t)((uint64_t)a->w + (uint64_t)b->w)};
}

static inline struct affine times(const struct affine *a, uint64_t factor) {
  return (struct affine){a->base * factor, (int64_t)((uint64_t)a->x * factor),
                         (int64_t)((uint64_t)a->y * factor), (int64_t)((uint64_t)a->w * factor)};
}

/* a times b, of which one is uniform. */
static inline bool multiply(const struct affine *a, const struct affine *b, struct affine *to) {
  if (!is_uniform(b)) {
    const struct affine *swap = a;
    a = b;
    b = swap;
    if (!is_uniform(b)) return false;
  }
  *to = times(a, b->base);
  return true;
}

/* Bits that are set in no lane of the other operand: or adds them. */
static inline bool is_disjoint(const struct affine *a, const struct affine *bits) {
  uint64_t steps = (uint64_t)a->x | (uint64_t)a->y | (uint64_t)a->w;
  if (!is_uniform(bits) || (a->base & bits->base)) return false;
  return !steps || bits->base < (steps & -steps);
}

static inline struct affine uniform(uint64_t value) { return (struct affine){value, 0, 0, 0}; }

static inline bool special_step(const struct warp *warp, const struct op *op, struct affine *to) {
  const struct launch_state *launch = warp->worker->launch;
  const struct affine_state *state = warp->affine;
  switch (op->special) {
    case SPECIAL_TID_X ... SPECIAL_TID_Z:
      *to = warp->affine->tid[op->special - SPECIAL_TID_X];
      return warp->affine->tid_is_affine[op->special - SPECIAL_TID_X];
    case SPECIAL_NTID_X ... SPECIAL_NTID_Z:
      *to = uniform(launch->dim[op->special - SPECIAL_NTID_X]);
      return true;
    case SPECIAL_CTAID_X ... SPECIAL_CTAID_Z:
      *to = uniform(warp->block->ctaid[op->special - SPECIAL_CTAID_X]);
      return true;
    case SPECIAL_NCTAID_X ... SPECIAL_NCTAID_Z:
      *to = uniform(launch->grid[op->special - SPECIAL_NCTAID_X]);
      return true;
    case SPECIAL_LANEID:
      *to = (struct affine){0, state->columns ? 1 : 0, state->rows ? 1 << state->shift : 0, 0};
      return true;
    default:
      return false;
  }
}

static inline bool param_step(const struct warp *warp, const struct op *op, struct affine *to) {
  const struct launch_state *launch = warp->worker->launch;
  size_t room = launch->kernel->info.param_bytes, at = (size_t)op->access.offset;
  uint64_t value = 0;
  if (at <= room && op->size <= room - at) value = extended(op, launch->params + at);
  *to = uniform(op->wide ? value : (uint32_t)value);
  return true;
}

/* Does an access at these addresses have the memo's pattern? What the worker knows from the block
 * before is as good, and free of charge (slice_charge_pattern). */
static inline bool pattern_is_known(const struct warp *warp, struct memo *memo,
                                    const struct affine *at) {
  const struct affine_state *state = warp->affine;
  uint64_t key = warp->worker->block_key | state->mask;
  if (memo->key != key && (memo->key >> 32 == key >> 32 || memo->mask != state->mask)) return false;
  if (memo->phase_mask) return false;
  if (memo->layout == AFFINE_IRREGULAR || memo->x != at->x || memo->y != at->y || !memo->aligned)
    return false;
  memo->key = key;
  return true;
}

/* Has all that the loads of the group read been written within the first `span` of the block's
 * time? For arrays of which the rest may be as it will: many are padded. */
static bool group_is_within(const struct warp *warp, const struct affine_group *group,
                            const struct memo *memo, const struct affine *at, access_tag span) {
  const struct affine_form *form = warp->worker->launch->program->affine;
  const struct block *block = warp->block;
  access_tag start = block->start;
  if (block->has_atomics) return false;
  for (int w = 0; w < warp->affine->warps; w++)
    for (int k = 0; k < group->op_count; k++) {
      const struct op *op = form->grouped[group->first_op + k];
      uint64_t offset = at->base + (uint64_t)at->w * (uint64_t)w + (uint64_t)op->access.offset;
      if (!tags_within(block->shadow.writes + (offset >> memo->granule_shift), memo, start, span))
        return false;
    }
  return true;
}

/* Are the loads of the group from shared memory of values that are there and that nobody may be
 * writing, or, where no more races are reported, that are there? whole: is that true of all of the
 * array? */
static inline bool group_is_settled(const struct warp *warp, const struct affine_group *group,
                                    const struct memo *memo, const struct affine *at, bool whole) {
  struct block *block = warp->block;
  bool beyond = is_beyond_report(block);
  if (beyond ? array_is_written(block, memo->array) : array_is_clean(block, memo->array))
    return true;
  access_tag span = beyond ? whole_span(block) : block->span.interval - block->start;
  return !whole && group_is_within(warp, group, memo, at, span);
}

/* Would all loads of the group be plain, in all warps: of the known pattern, within one array, of
 * values that are there and that nobody may be writing? whole: of shared memory, that must be true
 * of all of the array. */
static inline bool check_group(struct warp *warp, const struct affine_group *group, int g,
                               bool whole, struct found *found) {
  const struct op *lead = group->lead;
  struct worker *worker = warp->worker;
  struct memo *memo = worker->memos[lead->group];
  const struct affine *at = &warp->affine->value[group->address];
  uint64_t origin = at->base, width = (uint64_t)op_width(lead);
  int64_t over = 0;
  if (!pattern_is_known(warp, memo, at) || group->misfit) return false;
  if (at->w) {
    if (at->w > FAR || at->w < -FAR || (uint64_t)at->w & (width - 1)) return false;
    over = at->w * (warp->affine->warps - 1);
  }
  uint64_t low = origin + (uint64_t)(memo->low + group->min + (over < 0 ? over : 0)),
           high = origin + (uint64_t)(memo->high + group->max + (over > 0 ? over : 0));
  if ((int64_t)low < (int64_t)memo->from || (int64_t)high > (int64_t)memo->to ||
      (origin + (uint64_t)lead->access.offset) & (width - 1))
    return false;
  if (lead->space == PTX_SHARED) {
    struct block *block = warp->block;
    if (!group_is_settled(warp, group, memo, at, whole)) return false;
    found->data[g] = block->shared + origin;
  } else {
    const struct allocation *a = memo->allocation;
    if (!(a->all_initialised || access_enough(worker, HAZARD_uninit)) || a->tracked) return false;
    found->data[g] = a->data + (int64_t)(origin - a->address);
  }
  found->memo[g] = memo;
  found->origin[g] = origin;
  found->over[g] = at->w;
  found->gathered[g] = memo->layout == AFFINE_SCATTERED;
  found->any_gathered |= found->gathered[g];
  found->base[g] = found->gathered[g] ? (const unsigned char *)worker->scratch : found->data[g];
  found->layout[g] = !found->gathered[g] ? memo->layout
                     : memo->repeats     ? (uint8_t)AFFINE_REPEATED
                                         : (uint8_t)AFFINE_ROW;
  return true;
}

/* ---- comparisons ---- */

enum truth { NEVER, ALWAYS, DEPENDS /* on the lane */, UNKNOWN };

/* What of p < 0 (or_equal: p <= 0) is true of all values from low to high. */
static inline enum truth is_below(int64_t low, int64_t high, bool or_equal) {
  if (or_equal ? high <= 0 : high < 0) return ALWAYS;
  return (or_equal ? low > 0 : low >= 0) ? NEVER : DEPENDS;
}

/* Compares 32-bit values in all lanes at once, if they differ by enough; *apart: how far they do.
 */
static enum truth compare_all(enum affine_code code, const struct affine *a, const struct affine *b,
                              const struct affine_state *state, struct affine *apart) {
  bool is_signed = code == AFFINE_lt_s32 || code == AFFINE_le_s32;
  struct affine p, q;
  int64_t low, high;
  if (code >= AFFINE_eq_64 || !widen(a, is_signed, state, &p) || !widen(b, is_signed, state, &q))
    return UNKNOWN;
  q = times(&q, UINT64_MAX);
  *apart = plus(&p, &q);
  extent(apart, state, &low, &high);
  low += (int64_t)apart->base, high += (int64_t)apart->base;
  if (code == AFFINE_eq_32) return low > 0 || high < 0 ? NEVER : !low && !high ? ALWAYS : DEPENDS;
  return is_below(low, high, code == AFFINE_le_s32 || code == AFFINE_le_u32);
}

/* One lane's values. */
static inline bool compare_values(enum affine_code code, uint64_t p, uint64_t q) {
  switch (code) {
    case AFFINE_eq_32:
      return (uint32_t)p == (uint32_t)q;
    case AFFINE_lt_s32:
      return (int32_t)p < (int32_t)q;
    case AFFINE_le_s32:
      return (int32_t)p <= (int32_t)q;
    case AFFINE_lt_u32:
      return (uint32_t)p < (uint32_t)q;
    case AFFINE_le_u32:
      return (uint32_t)p <= (uint32_t)q;
    case AFFINE_eq_64:
      return p == q;
    case AFFINE_lt_s64:
      return (int64_t)p < (int64_t)q;
    case AFFINE_le_s64:
      return (int64_t)p <= (int64_t)q;
    case AFFINE_lt_u64:
      return p < q;
    default:
      return p <= q;
  }
}

/* The lanes of a warp in which the comparison holds. */
static uint32_t compare_lanes(enum affine_code code, const struct affine *a, const struct affine *b,
                              int shift, int warp) {
  uint32_t lanes = 0;
  uint64_t more_a = (uint64_t)a->w * (uint64_t)warp, more_b = (uint64_t)b->w * (uint64_t)warp;
  for (int i = 0; i < LANES; i++) {
    uint64_t p = affine_at(a, i, shift) + more_a, q = affine_at(b, i, shift) + more_b;
    lanes |= (uint32_t)compare_values(code, p, q) << i;
  }
  return lanes;
}

/* The first so many lanes. */
static inline uint32_t first_lanes(int64_t count) {
  return count <= 0 ? 0 : count >= LANES ? ~0u : (1u << count) - 1;
}

/* The lanes i in which base + x * i < 0. */
static inline uint32_t lanes_below(int64_t base, int64_t x) {
  if (x > 0) return base < 0 ? first_lanes((-base - 1) / x + 1) : 0;
  if (x < 0) return base < 0 ? ~0u : ~first_lanes(base / -x + 1);
  return base < 0 ? ~0u : 0;
}

/* The same for 32-bit values of which it is known how far they are apart. */
static uint32_t compare_apart(enum affine_code code, const struct affine *apart,
                              const struct affine_state *state, int warp) {
  int64_t base = (int64_t)apart->base + apart->w * warp;
  bool equal = code == AFFINE_eq_32, or_equal = code == AFFINE_le_s32 || code == AFFINE_le_u32;
  uint32_t lanes = 0, row = state->shift < 5 ? (1u << (1 << state->shift)) - 1 : ~0u;
  for (int r = 0; r <= state->rows; r++, base += apart->y) {
    uint32_t below = lanes_below(base - or_equal, apart->x);
    if (equal) below = lanes_below(base - 1, apart->x) & ~lanes_below(base, apart->x);
    lanes |= (below & row) << (r << (state->shift & 31));
  }
  return lanes;
}

/* A comparison: leaves its predicate in the frames. */
static void compare_step(struct warp *warp, const struct affine_step *step) {
  const struct affine_state *state = warp->affine;
  enum affine_code code = (enum affine_code)step->code;
  const struct affine *a = &state->value[step->a], *b = &state->value[step->b];
  struct affine apart = {0};
  struct warp *warps = affine_warps(warp);
  uint32_t flip = step->op->negated ? ~0u : 0, lanes = 0;
  enum truth truth = is_uniform(a) && is_uniform(b)
                         ? (enum truth)compare_values(code, a->base, b->base)
                         : compare_all(code, a, b, state, &apart);
  if (truth == ALWAYS) lanes = ~0u;
  for (int i = 0; i < state->warps; i++) {
    if (truth == DEPENDS) lanes = compare_apart(code, &apart, state, i);
    if (truth == UNKNOWN) lanes = compare_lanes(code, a, b, state->shift, i);
    *(uint32_t *)(void *)(warps[i].calls[0].frame + step->op->slot[0]) = lanes ^ flip;
  }
}

/* Executes a scalar operation. False: it cannot be one now. */
static inline bool run_step(struct warp *warp, const struct affine_step *step) {
  const struct affine_state *state = warp->affine;
  struct affine *v = warp->affine->value, r;
  const struct affine *a = &v[step->a], *b = &v[step->b], *c = &v[step->c];
  switch ((enum affine_code)step->code) {
    case AFFINE_mov_32:
    case AFFINE_mov_64:
      r = *a;
      break;
    case AFFINE_add_32:
      r = narrow(plus(a, b));
      break;
    case AFFINE_sub_32:
      r = times(b, UINT64_MAX);
      r = narrow(plus(a, &r));
      break;
    case AFFINE_neg_s32:
      r = narrow(times(a, UINT64_MAX));
      break;
    case AFFINE_mul_lo_32:
      if (!multiply(a, b, &r)) return false;
      r = narrow(r);
      break;
    case AFFINE_mad_lo_32:
      if (!multiply(a, b, &r)) return false;
      r = narrow(plus(&r, c));
      break;
    case AFFINE_shl_32:
      if (!is_uniform(b)) return false;
      r = narrow(times(a, b->base < 32 ? UINT64_C(1) << b->base : 0));
      break;
    case AFFINE_add_64:
      r = plus(a, b);
      break;
    case AFFINE_sub_64:
      r = times(b, UINT64_MAX);
      r = plus(a, &r);
      break;
    case AFFINE_mul_lo_64:
      if (!multiply(a, b, &r)) return false;
      break;
    case AFFINE_mad_lo_64:
      if (!multiply(a, b, &r)) return false;
      r = plus(&r, c);
      break;
    case AFFINE_shl_64:
      if (!is_uniform(b)) return false;
      r = times(a, b->base < 64 ? UINT64_C(1) << b->base : 0);
      break;
    case AFFINE_or_32:
    case AFFINE_or_64:
      if (is_disjoint(a, b))
        r = plus(a, b);
      else if (is_disjoint(b, a))
        r = plus(b, a);
      else if (is_uniform(a) && is_uniform(b))
        r = uniform(a->base | b->base);
      else
        return false;
      break;
    case AFFINE_mul_wide_s32:
    case AFFINE_mul_wide_u32:
    case AFFINE_mad_wide_s32:
    case AFFINE_mad_wide_u32: {
      bool is_signed = step->code == AFFINE_mul_wide_s32 || step->code == AFFINE_mad_wide_s32;
      struct affine wide_a, wide_b;
      if (!widen(a, is_signed, state, &wide_a) || !widen(b, is_signed, state, &wide_b) ||
          !multiply(&wide_a, &wide_b, &r))
        return false;
      if (step->code == AFFINE_mad_wide_s32 || step->code == AFFINE_mad_wide_u32) r = plus(&r, c);
      break;
    }
    case AFFINE_cvt_s64_s32:
    case AFFINE_cvt_u64_u32:
      if (!widen(a, step->code == AFFINE_cvt_s64_s32, state, &r)) return false;
      break;
    case AFFINE_cvt_u32_u64:
      r = narrow(*a);
      break;
    case AFFINE_PARAM:
      if (!param_step(warp, step->op, &r)) return false;
      break;
    case AFFINE_SPECIAL:
      if (!special_step(warp, step->op, &r)) return false;
      break;
    case AFFINE_not_32:
      if (!is_uniform(a)) return false;
      r = uniform((uint32_t)~a->base);
      break;
#define UNIFORM2(name, expr)                               \
  case AFFINE_##name: {                                    \
    if (!is_uniform(a) || !is_uniform(b)) return false;    \
    uint32_t p = (uint32_t)a->base, q = (uint32_t)b->base; \
    int32_t s = (int32_t)p, t = (int32_t)q;                \
    (void)p, (void)q, (void)s, (void)t;                    \
    r = uniform((uint32_t)(expr));                         \
    break;                                                 \
  }
#define UNIFORM2_64(name, expr)                         \
  case AFFINE_##name: {                                 \
    if (!is_uniform(a) || !is_uniform(b)) return false; \
    uint64_t p = a->base, q = b->base;                  \
    r = uniform((uint64_t)(expr));                      \
    break;                                              \
  }
      UNIFORM2(and_32, p & q)
      UNIFORM2(xor_32, p ^ q)
      UNIFORM2(shr_u32, q < 32 ? p >> (q & 31) : 0)
      UNIFORM2(shr_s32, s >> (q < 32 ? q : 31))
      UNIFORM2(min_s32, s < t ? s : t)
      UNIFORM2(max_s32, s > t ? s : t)
      UNIFORM2(min_u32, p < q ? p : q)
      UNIFORM2(max_u32, p > q ? p : q)
      UNIFORM2_64(and_64, p & q)
      UNIFORM2_64(xor_64, p ^ q)
      UNIFORM2_64(shr_u64, (uint32_t)q < 64 ? p >> (q & 63) : 0)
      UNIFORM2_64(shr_s64, (int64_t)p >> ((uint32_t)q < 64 ? q & 63 : 63))
#undef UNIFORM2
#undef UNIFORM2_64
    case AFFINE_eq_32 ... AFFINE_le_u64:
      compare_step(warp, step);
      return true;
    case AFFINE_CHECK:
    case AFFINE_CODES:
      return false;
  }
  v[step->to] = r;
  return true;
}
