/* affine_run.h: executes the affine form of a basic block (decode/affine.h). Part of exec.c, which
 * includes it once for each instruction set: its loads and stores run the items. */
#include "harness/sim/exec/affine_step.h"

#include "harness/sim/exec/affine_chain.h"

static void run_affine_store(struct warp *warp, const struct affine_form *form, char *frame,
                             const struct affine_item *item) {
  const struct op *op = item->op;
  struct memo *memo = warp->worker->memos[op->group];
  struct affine at = value_in(warp, item->at);
  uint64_t base = at.base + (uint64_t)op->access.offset;
  if (pattern_is_known(warp, memo, &at) && in_known_bounds(op, memo, base)) {
    run_checked(frame, op, warp, memo, base, warp->affine->mask, op->space, ACCESS_STORE);
    return;
  }
  fill_if_stale(warp, form, item->at);
  op->run[0](frame, op, warp);
}

/* Adds so many executions by phase: the address modulo 128. */
static inline void count_phases(uint32_t *phases, uint64_t first, int64_t over, int64_t times) {
  if ((over & 127) == 0) {
    phases[first & 127] += (uint32_t)times;
    return;
  }
  for (int64_t i = 0; i < times; i++) phases[(first + (uint64_t)over * (uint64_t)i) & 127]++;
}

/* Marks lines `apart` bytes from one to the next. */
static inline void touch_row(uint8_t *lines, uint8_t stamp, uint64_t first, int64_t apart,
                             int64_t times) {
  if (apart >= 0 && apart <= 1 << TOUCHED_SHIFT) { /* none is left out */
    uint64_t from = first >> TOUCHED_SHIFT,
             to = (first + (uint64_t)(apart * (times - 1))) >> TOUCHED_SHIFT;
    memset(lines + from, stamp, to - from + 1);
    return;
  }
  for (int64_t i = 0; i < times; i++)
    lines[(first + (uint64_t)(apart * i)) >> TOUCHED_SHIFT] = stamp;
}

/* Marks the lines that a group's loads touch in so many iterations that are `apart`. */
static __attribute__((noinline)) void touch_group(const struct affine_form *form,
                                                  const struct affine_group *group,
                                                  const struct memo *memo, uint64_t origin,
                                                  int64_t apart, int64_t times, uint8_t stamp) {
  uint8_t *lines = memo->allocation->touched.loaded;
  if (!lines) return;
  uint64_t offset = origin - memo->allocation->address;
  int64_t low = memo->low + group->min, high = memo->high - 1 + group->max;
  if (high - low < 1 << TOUCHED_SHIFT) { /* one line or two */
    touch_row(lines, stamp, offset + (uint64_t)low, apart, times);
    touch_row(lines, stamp, offset + (uint64_t)high, apart, times);
    return;
  }
  for (int64_t j = 0; j < times; j++, offset += (uint64_t)apart)
    for (int i = 0; i < group->op_count; i++)
      touch_lines(lines, stamp, memo,
                  offset + (uint64_t)form->grouped[group->first_op + i]->access.offset);
}

/* Counts a group's loads from global memory, in all warps and so many iterations. */
static inline void commit_global(struct worker *worker, const struct affine_form *form, int number,
                                 const struct found *found, int g, int warps, int64_t apart,
                                 int64_t times) {
  const struct affine_group *group = &form->groups[number];
  const struct memo *memo = found->memo[g];
  uint8_t stamp = worker->launch->memory->stamp;
  uint64_t origin = found->origin[g];
  int64_t over = found->over[g];
  uint32_t *phases = worker->group_phases[number];
  for (int w = 0; w < (over & 127 ? warps : 1); w++)
    count_phases(phases, origin + (uint64_t)(group->lead->access.offset + over * w), apart,
                 over & 127 ? times : times * warps);
  if (!stamp) return;
  for (int w = 0; w < (over ? warps : 1); w++, origin += (uint64_t)over)
    touch_group(form, group, memo, origin, apart, times, stamp);
}

static inline void commit_shared(struct warp *warp, const struct affine_group *group,
                                 const struct found *found, int g) {
  log_read(warp->block, found->memo[g],
           (struct read_entry){.op = group->lead,
                               .group = group,
                               .offset = (uint32_t)found->origin[g],
                               .over = (int)found->over[g],
                               .warp = affine_warps(warp)->index,
                               .warps = warp->affine->warps});
}

/* Counts the loads of a segment whose checks have passed, in all warps. */
static inline void commit_groups(struct warp *warp, const struct affine_form *form,
                                 const struct affine_segment *segment, const struct found *found) {
  int warps = warp->affine->warps;
  for (int g = 0; g < segment->group_count; g++) {
    int number = segment->first_group + g;
    warp->worker->group_hits[number] += (uint64_t)warps;
    if (form->groups[number].lead->space == PTX_SHARED)
      commit_shared(warp, &form->groups[number], found, g);
    else
      commit_global(warp->worker, form, number, found, g, warps, 0, 1);
  }
}

/* Runs the items of a segment whose checks have passed. */
static inline void run_items(struct warp *warp, const struct affine_form *form, char *frame,
                             const struct affine_segment *segment, struct found *found) {
  found->base[FROM_FRAME] = (const unsigned char *)frame;
  found->layout[FROM_FRAME] = AFFINE_ROW;
  found->gathered[FROM_FRAME] = false;
  found->group_count = segment->group_count;
  found->has_sides = false;
  for (int i = 0; found->any_gathered && i < segment->elided_count; i++) {
    const struct affine_elided *elided = &form->elided[segment->first_elided + i];
    if (found->gathered[elided->group]) gather(warp->worker, elided, found);
  }
  const struct affine_item *item = form->items + segment->first_item,
                           *last = item + segment->item_count;
  for (; item < last; item++) {
    switch ((enum affine_item_kind)item->kind) {
      case ITEM_ROW:
        item->op->run[0](frame, item->op, warp);
        break;
      case ITEM_FILL:
        fill_if_stale(warp, form, item->at);
        break;
      case ITEM_LOAD:
        load_data(frame, item->op, found->memo[item->group],
                  found->data[item->group] + item->op->access.offset, warp->affine->mask);
        break;
      case ITEM_STORE:
        run_affine_store(warp, form, frame, item);
        break;
      case ITEM_CHAIN:
        run_chain(frame, form, item, found);
        break;
    }
  }
}

/* The next warp's loads. */
static inline void next_warp(struct found *found, int group_count) {
  for (int g = 0; g < group_count; g++) {
    found->data[g] += found->over[g];
    if (!found->gathered[g]) found->base[g] += found->over[g];
  }
}

static inline void keep(struct affine *to, const struct affine *from) {
  to->base = from->base; /* as they were stored: wider loads would have to wait for that */
  to->x = from->x;
  to->y = from->y;
  to->w = from->w;
}

/* Canonically, warps in lockstep find nothing: is the segment's store, if it has one, of the known
 * pattern and within its array in all of them? */
static inline bool store_holds(const struct warp *warp, const struct affine_form *form,
                               const struct affine_segment *segment) {
  const struct affine_state *state = warp->affine;
  if (state->warps == 1 || !warp->worker->launch->canonical || !segment->item_count) return true;
  const struct affine_item *item = form->items + segment->first_item + segment->item_count - 1;
  if (item->kind != ITEM_STORE) return true;
  const struct op *op = item->op;
  struct memo *memo = warp->worker->memos[op->group];
  const struct affine *at = &state->value[item->at];
  uint64_t base = at->base + (uint64_t)op->access.offset,
           last = base + (uint64_t)at->w * (uint64_t)(state->warps - 1);
  return pattern_is_known(warp, memo, at) && in_known_bounds(op, memo, base) &&
         in_known_bounds(op, memo, last) && at->w <= FAR && at->w >= -FAR;
}

/* Runs a segment, in all warps whose state the warp's is. False: it has done nothing, and must run
 * without its affine form. */
static inline bool run_segment(struct warp *warp, const struct affine_form *form,
                               const struct affine_segment *segment) {
  struct affine_state *state = warp->affine;
  struct found found;
  found.any_gathered = false;
  struct affine saved[MAX_SAVED];
  const uint16_t *written = form->saved + segment->first_saved;
  if (segment->saved_count > MAX_SAVED) return false;
  for (int i = 0; i < segment->saved_count; i++) keep(&saved[i], &state->value[written[i]]);
  const struct affine_step *step = form->steps + segment->first_step,
                           *end = step + segment->step_count;
  bool passed = true;
  for (; passed && step < end; step++)
    passed = step->code == AFFINE_CHECK
                 ? check_group(warp, &form->groups[segment->first_group + step->group], step->group,
                               false, &found)
                 : run_step(warp, step);
  if (__builtin_expect(!passed || !store_holds(warp, form, segment), 0)) {
    for (int i = 0; i < segment->saved_count; i++) state->value[written[i]] = saved[i];
    return false;
  }
  for (int w = 0; w < form->word_count; w++) {
    state->known.word[w] |= segment->scalars.word[w];
    state->stale.word[w] |= segment->scalars.word[w];
  }
  state->any_stale |= segment->saved_count > 0;
  commit_groups(warp, form, segment, &found);
  struct warp *each = affine_warps(warp);
  for (int left = state->warps; left > 0; left--, each++) {
    run_items(each, form, each->calls[0].frame, segment, &found);
    if (left == 1 || each->stop) break;
    next_warp(&found, segment->group_count);
  }
  for (int w = 0; w < form->word_count; w++) {
    state->known.word[w] &= ~segment->rows.word[w];
    state->stale.word[w] &= ~segment->rows.word[w];
  }
  return true;
}

#include "harness/sim/exec/affine_loop.h"

/* Makes sure that what the block expects to be affine is. */
static inline bool affine_enter(struct warp *warp, const struct affine_form *form,
                                const struct affine_block *plan) {
  struct affine_state *state = warp->affine;
  for (int w = 0; w < form->word_count; w++) {
    for (uint64_t left = plan->needs.word[w] & ~state->known.word[w]; left; left &= left - 1)
      if (!affine_verify(warp, form, w * 64 + __builtin_ctzll(left))) return false;
    for (uint64_t left = plan->reads.word[w] & state->stale.word[w]; left; left &= left - 1)
      fill_if_stale(warp, form, w * 64 + __builtin_ctzll(left));
  }
  return true;
}

/* Gives up what is known of registers that a block writes; all rows are there afterwards. */
static inline void affine_leave(struct warp *warp, const struct program *program, int b) {
  const struct affine_form *form = program->affine;
  struct affine_state *state = warp->affine;
  if (state->any_stale) affine_settle(warp);
  for (int w = 0; w < form->word_count; w++)
    state->known.word[w] &= ~form->blocks[b].writes.word[w];
}

/* Runs as many operations of a basic block as have an affine form that holds; returns the first one
 * that is left, for which all rows are there. full: all lanes of the warp that exist are active. */
static inline const struct op *run_affine(struct warp *warp, const struct program *program, int b,
                                          bool full) {
  const struct affine_form *form = program->affine;
  const struct affine_block *plan = &form->blocks[b];
  int first = program->blocks[b].first;
  struct attempts *attempts = &warp->worker->attempts[b];
  bool has_form = plan->segment_count || !program->blocks[b].count,
       tries = has_form && (plan->pays || warp->worker->launch->always_affine);
  if (attempts->skips) {
    attempts->skips--;
  } else if (full && tries) {
    int s = 0;
    if (affine_enter(warp, form, plan))
      while (s < plan->segment_count && !warp->stop &&
             run_segment(warp, form, &form->segments[plan->first_segment + s]))
        s++;
    if (s == plan->segment_count) {
      attempts->misses = 0;
      return program->ops + first + program->blocks[b].count;
    }
    first = s ? form->segments[plan->first_segment + s].first_op : first;
    attempts->skips = (uint8_t)((1 << attempts->misses / MISSES_A_SKIP) - 1);
    attempts->misses += attempts->misses < MAX_MISSES;
  }
  affine_leave(warp, program, b);
  return program->ops + first;
}
