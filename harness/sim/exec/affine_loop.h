/* affine_loop.h: runs many iterations of an affine loop at once (decode/affine_loop.c). Part of
 * exec.c.
 *
 * The steps of three iterations are tried: the next one, the one after it, and the last, whose
 * values follow from how far the first two lie apart. What decides whether a step holds (addresses,
 * comparisons, and values that are widened and so must not wrap around) is a probe. If all probes
 * of the last iteration lie where a straight line through the first two leads, as plain integers,
 * then so do those between, and each of them is within the bounds that both ends keep. */

enum { MAX_PROBES = 256, FEW_ITERATIONS = 4, MAX_FLAT = 64 };

struct probes {
  int64_t at[MAX_PROBES];
  int count;
  int first_compared, groups[MAX_SEGMENT_GROUPS]; /* where to look for them */
};

/* A value as the step that takes it sees it. */
static inline int64_t probed(const struct affine *a, enum affine_code code) {
  switch (code) {
    case AFFINE_mul_wide_u32:
    case AFFINE_mad_wide_u32:
    case AFFINE_cvt_u64_u32:
    case AFFINE_lt_u32:
    case AFFINE_le_u32:
    case AFFINE_eq_32:
      return (int64_t)(uint32_t)a->base;
    case AFFINE_mul_wide_s32:
    case AFFINE_mad_wide_s32:
    case AFFINE_cvt_s64_s32:
    case AFFINE_lt_s32:
    case AFFINE_le_s32:
      return (int64_t)(int32_t)(uint32_t)a->base;
    default:
      return (int64_t)a->base;
  }
}

static inline bool is_probed(enum affine_code code) {
  switch (code) {
    case AFFINE_mul_wide_u32:
    case AFFINE_mad_wide_u32:
    case AFFINE_cvt_u64_u32:
    case AFFINE_mul_wide_s32:
    case AFFINE_mad_wide_s32:
    case AFFINE_cvt_s64_s32:
      return true;
    default:
      return false;
  }
}

/* Adds the values that a comparison compares. Where they differ by lane, and as long as it holds in
 * all of them the loop goes on (goes_on false: as long as it holds in none), they are those of the
 * lane that is the first to end it. False: that is not known. */
static bool probe_compared(struct probes *probes, enum affine_code code, const struct affine *a,
                           const struct affine *b, const struct affine_state *state, bool decides,
                           bool goes_on) {
  struct affine apart = {0};
  int64_t low = 0, high = 0;
  if (!is_uniform(a) || !is_uniform(b)) {
    if (!decides || code < AFFINE_lt_s32 || code > AFFINE_le_u32 ||
        compare_all(code, a, b, state, &apart) == UNKNOWN)
      return false;
    extent(&apart, state, &low, &high);
  }
  probes->at[probes->count++] = probed(a, code) + (goes_on ? high : low);
  probes->at[probes->count++] = probed(b, code);
  return true;
}

/* Runs the steps of an iteration. False: one of them does not hold. goes_on: what the comparison
 * that decides yields as long as there are more. */
static bool try_iteration(struct warp *warp, const struct affine_form *form,
                          const struct affine_block *plan, bool goes_on, struct found *found,
                          struct probes *probes) {
  const struct affine_segment *segment = &form->segments[plan->first_segment];
  const struct affine *value = warp->affine->value;
  probes->count = 0;
  found->any_gathered = false;
  for (int i = 0; i < segment->step_count; i++) {
    const struct affine_step *step = &form->steps[segment->first_step + i];
    if (probes->count + 2 > MAX_PROBES) return false;
    if (step->code == AFFINE_CHECK) {
      const struct affine_group *group = &form->groups[segment->first_group + step->group];
      probes->groups[step->group] = probes->count;
      probes->at[probes->count++] = (int64_t)value[group->address].base;
      if (!check_group(warp, group, step->group, true, found)) return false;
      continue;
    }
    if (i == plan->last_compare) probes->first_compared = probes->count;
    enum affine_code code = (enum affine_code)step->code;
    if (step->op->predicate) {
      if (!probe_compared(probes, code, &value[step->a], &value[step->b], warp->affine,
                          i == plan->last_compare, goes_on))
        return false;
    } else if (is_probed(code)) {
      probes->at[probes->count++] = probed(&value[step->a], code);
      probes->at[probes->count++] = probed(&value[step->b], code);
    }
    if (!run_step(warp, step)) return false;
  }
  return true;
}

/* Do the probes of an iteration that is `apart` after the first lie on the line through both? */
static bool probes_agree(const struct probes *first, const struct probes *second,
                         const struct probes *last, int64_t apart) {
  for (int i = 0; i < first->count; i++) {
    int64_t one, all, way;
    if (__builtin_sub_overflow(second->at[i], first->at[i], &one) ||
        __builtin_mul_overflow(one, apart, &way) ||
        __builtin_sub_overflow(last->at[i], first->at[i], &all) || all != way)
      return false;
  }
  return true;
}

/* How many iterations there are, from the first one tried to the one that ends the loop; `most` if
 * there are more or it cannot be told. goes_on: what the comparison yields as long as there are. */
static int64_t iterations(enum affine_code code, bool goes_on, const struct probes *first,
                          const struct probes *second, int64_t most) {
  int at = first->first_compared;
  int64_t d, e, step, zero = 0;
  bool is_unsigned_64 = code == AFFINE_lt_u64 || code == AFFINE_le_u64;
  if (is_unsigned_64 && (first->at[at] < 0 || first->at[at + 1] < 0)) return 0;
  if (__builtin_sub_overflow(first->at[at], first->at[at + 1], &d) ||
      __builtin_sub_overflow(second->at[at], second->at[at + 1], &e) ||
      __builtin_sub_overflow(e, d, &step) || d < -(INT64_MAX / 4) || d > INT64_MAX / 4)
    return 0;
  if (code == AFFINE_eq_32 || code == AFFINE_eq_64) {
    if ((d == 0) != goes_on) return 1;
    if (step == 0) return most;
    if (goes_on) return 2;
    return -d % step == 0 && -d / step > 0 ? -d / step + 1 : most;
  }
  /* It goes on as long as d <= zero. */
  bool is_less = code == AFFINE_lt_s32 || code == AFFINE_lt_u32 || code == AFFINE_lt_s64 ||
                 code == AFFINE_lt_u64;
  if (is_less == goes_on) zero = -1;
  if (!goes_on) {
    d = -d;
    step = -step;
  }
  if (d > zero) return 1;
  return step <= 0 ? most : (zero - d) / step + 2;
}

/* Lets the loop's registers be as they are when the iteration after so many begins. */
static void advance(struct affine_state *state, const struct affine_form *form,
                    const struct affine_block *plan, const struct affine *start,
                    const struct affine *next, int64_t times) {
  for (int i = 0; i < plan->carried_count; i++) {
    int r = plan->carried[i];
    struct affine *v = &state->value[r];
    uint64_t base = start[i].base + (next[i].base - start[i].base) * (uint64_t)times,
             x = (uint64_t)start[i].x + (uint64_t)(next[i].x - start[i].x) * (uint64_t)times,
             y = (uint64_t)start[i].y + (uint64_t)(next[i].y - start[i].y) * (uint64_t)times;
    *v = (struct affine){base, (int64_t)x, (int64_t)y, 0};
    if (!set_has(&form->wide, r)) *v = narrow(*v);
  }
}

static void get_carried(const struct affine_state *state, const struct affine_block *plan,
                        struct affine *to) {
  for (int i = 0; i < plan->carried_count; i++) to[i] = state->value[plan->carried[i]];
}

/* ---- the items of many iterations ---- */

/* One element times a row, in every iteration. */
struct flat_term {
  const unsigned char *one, *row;
  int64_t one_apart, row_apart;
};

/* Makes the flat form of a chain, if it has one: its sum stays where it is, and it has only
 * products of an element and a row. Returns how many, 0 if there is none. */
static int flatten(const struct affine_form *form, const struct affine_item *item,
                   const struct found *found, const int64_t *apart, struct flat_term *flat) {
  int count = 0;
  if (item->from != item->to || found->any_gathered) return 0;
  for (int i = 0; i < item->count; i++) {
    const struct affine_run *run = &form->runs[item->first + i];
    if (run->a == FROM_FRAME || run->b == FROM_FRAME || count + run->count > MAX_FLAT) return 0;
    int a = found->layout[run->a], b = found->layout[run->b];
    bool swaps = a == AFFINE_ROW && b == AFFINE_SAME;
    if (!swaps && !(a == AFFINE_SAME && b == AFFINE_ROW)) return 0;
    int one = swaps ? run->b : run->a, row = swaps ? run->a : run->b;
    for (int k = 0; k < run->count; k++) {
      const int32_t *offset = form->terms[run->first + k].offset;
      flat[count++] = (struct flat_term){found->base[one] + offset[swaps],
                                         found->base[row] + offset[!swaps], apart[one], apart[row]};
    }
  }
  return count;
}

static void run_flat(char *row, struct flat_term *flat, int count, int64_t times) {
  struct sums s = sums_at(row);
  for (int64_t j = 0; j < times; j++)
    for (struct flat_term *t = flat, *end = flat + count; t < end; t++) {
      part_t same = part_same(t->one);
      for (int p = 0; p < AFFINE_PARTS; p++)
        s.part[p] = part_fma(same, part_row(t->row + p * 32), s.part[p]);
      t->one += t->one_apart;
      t->row += t->row_apart;
    }
  put_sums(row, &s);
}

static void run_all_items(struct warp *warp, const struct affine_form *form, char *frame,
                          const struct affine_segment *segment, struct found *found,
                          const int64_t *apart, int64_t times) {
  const struct affine_item *item = form->items + segment->first_item;
  struct flat_term flat[MAX_FLAT];
  int count = segment->item_count == 1 && item->kind == ITEM_CHAIN
                  ? flatten(form, item, found, apart, flat)
                  : 0;
  if (count) {
    run_flat(frame + item->to, flat, count, times);
    return;
  }
  for (int64_t j = 0; j < times && !warp->stop; j++) {
    run_items(warp, form, frame, segment, found);
    for (int g = 0; g < segment->group_count; g++) {
      found->data[g] += apart[g];
      if (!found->gathered[g]) found->base[g] += apart[g];
    }
  }
}

/* Counts the loads of so many iterations. */
static void commit_loop(struct warp *warp, const struct affine_form *form,
                        const struct affine_segment *segment, struct found *found,
                        const int64_t *apart, int64_t times) {
  int warps = warp->affine->warps, shared[MAX_SEGMENT_GROUPS], shared_count = 0;
  for (int g = 0; g < segment->group_count; g++) {
    int number = segment->first_group + g;
    warp->worker->group_hits[number] += (uint64_t)(warps * times);
    if (form->groups[number].lead->space == PTX_SHARED)
      shared[shared_count++] = g;
    else
      commit_global(warp->worker, form, number, found, g, warps, apart[g], times);
  }
  for (int64_t j = 0; j < times && shared_count; j++) /* in the order in which they happen */
    for (int i = 0; i < shared_count; i++) {
      int g = shared[i];
      commit_shared(warp, &form->groups[segment->first_group + g], found, g);
      found->origin[g] += (uint64_t)apart[g];
    }
}

/* Instructions that an iteration is charged for. */
static inline int64_t loop_cost(const struct program *program, int b) {
  return program->blocks[b].count + 1 + (program->affine->blocks[b].again != b);
}

/* An iteration of the block has run, and another follows. Runs as many more of them as can be
 * foreseen and the budget allows; returns how many that was. The last one has left
 * everything as if it had run alone. */
static int64_t run_iterations(struct warp *warp, const struct program *program, int b,
                              char *frame) {
  const struct affine_form *form = program->affine;
  const struct affine_block *plan = &form->blocks[b];
  const struct basic_block *block = &program->blocks[b];
  const struct affine_segment *segment = &form->segments[plan->first_segment];
  const struct affine_step *compare = &form->steps[segment->first_step + plan->last_compare];
  struct affine_state *state = warp->affine;
  struct affine saved[MAX_SAVED], start[MAX_CARRIED], next[MAX_CARRIED];
  struct found found, later;
  struct probes first, second, last;
  int64_t most = warp->block->budget / loop_cost(program, b), times = 0, apart[MAX_SEGMENT_GROUPS];
  if (most < FEW_ITERATIONS || segment->saved_count > MAX_SAVED) return 0;
  const uint16_t *written = form->saved + segment->first_saved;
  for (int i = 0; i < segment->saved_count; i++) saved[i] = state->value[written[i]];
  get_carried(state, plan, start);
  bool predicate = (block->target == plan->again) != block->negated,
       goes_on = predicate != (compare->op->negated != 0);
  bool tried = try_iteration(warp, form, plan, goes_on, &found, &first);
  get_carried(state, plan, next);
  tried = tried && try_iteration(warp, form, plan, goes_on, &later, &second);
  if (tried) times = iterations((enum affine_code)compare->code, goes_on, &first, &second, most);
  if (times > most) times = most;
  for (tried = false; !tried && times >= FEW_ITERATIONS; times = tried ? times : times / 2) {
    advance(state, form, plan, start, next, times - 1);
    tried = try_iteration(warp, form, plan, goes_on, &later, &last) &&
            probes_agree(&first, &second, &last, times - 1);
  }
  if (!tried) {
    for (int i = 0; i < segment->saved_count; i++) state->value[written[i]] = saved[i];
    *(uint32_t *)(void *)(frame + block->predicate) = predicate ? ~0u : 0;
    return 0;
  }
  for (int g = 0; g < segment->group_count; g++)
    apart[g] = second.at[second.groups[g]] - first.at[first.groups[g]];
  commit_loop(warp, form, segment, &found, apart, times);
  run_all_items(warp, form, frame, segment, &found, apart, times);
  return times;
}

/* The same, counted. */
static __attribute__((noinline)) void run_loop(struct warp *warp, const struct program *program,
                                               int b, char *frame) {
  int again = program->affine->blocks[b].again;
  struct block_counts *counts = warp->worker->block_counts + program->block_base;
  int64_t times = run_iterations(warp, program, b, frame);
  for (int i = 0; i < 1 + (again != b); i++) {
    counts[i ? again : b].executed += (uint64_t)times;
    counts[i ? again : b].lanes += (uint64_t)times * (uint64_t)warp->affine->lanes;
  }
  warp->block->budget -= times * loop_cost(program, b);
}
