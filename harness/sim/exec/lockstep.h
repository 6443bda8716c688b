/* lockstep.h: runs all warps of a block in lockstep. Part of exec.c.
 *
 * Between two barriers the warps of a block usually run the same code, and their registers are as
 * regular from warp to warp as they are from lane to lane: base + x, y * lane + w * warp. So the
 * steps of a segment (decode/affine.h) are executed, and its groups of loads checked, once for all
 * warps; only the items are each warp's own.
 *
 * Warps in lockstep share one affine state. They come together where all of them are ready at the
 * same basic block with all lanes, which is where a block begins and behind its barriers, and they
 * part where a check fails, a branch depends on the warp, or something is to be executed that
 * lockstep does not know: each then goes on by itself, in run_warp, from that operation.
 *
 * Accesses of different warps between two barriers come in another order than if each ran by
 * itself. That changes nothing, save for races, and these are found in any order. Most launches
 * that run canonically do so for other hazards; so their warps run in lockstep, too, up to the
 * operation that finds something, from which on each runs by itself, in order. A launch that has a
 * race between two barriers where warps were in lockstep, or finds anything while they are, is run
 * once more, warp after warp (access_note).
 */

static inline bool is_in_lockstep(const struct block *block) {
  return block->warps[0].affine == block->lockstep;
}

static bool is_at_block(const struct warp *warp, int b) {
  return warp->state == WARP_READY && warp->call_depth == 0 && warp->stack_size == 1 &&
         warp->stack[0].block == b && warp->stack[0].reconverge == NO_BLOCK &&
         warp->stack[0].mask == 0xffffffffu && warp->live == 0xffffffffu && !warp->path_count &&
         !warp->awaited_count && !warp->yields && !warp->resume;
}

/* What is affine over each warp, and even from warp to warp, is known from now on. */
static void join_values(struct block *block, const struct affine_form *form) {
  struct affine_state *all = block->lockstep;
  affine_begin(all, form);
  const struct affine_state *first = block->warps[0].own_affine;
  for (int w = 0; w < form->word_count; w++) {
    uint64_t known = first->known.word[w] & ~all->known.word[w];
    for (int i = 1; i < block->warp_count; i++) known &= block->warps[i].own_affine->known.word[w];
    for (; known; known &= known - 1) {
      int r = w * 64 + __builtin_ctzll(known);
      struct affine a = first->value[r];
      bool even = true;
      for (int i = 1; i < block->warp_count && even; i++)
        even =
            follows_evenly(&a, &block->warps[i].own_affine->value[r], i, set_has(&form->wide, r));
      if (!even) continue;
      all->value[r] = a;
      set_add(&all->known, r);
    }
  }
}

/* False: they are not at the same place, or may not run together from there. */
static bool come_together(struct block *block, const struct affine_form *form) {
  struct warp *warps = block->warps;
  int b = warps[0].stack[0].block;
  if (block->worker->attempts[b].partings == MAX_PARTINGS) return false;
  for (int i = 0; i < block->warp_count; i++)
    if (!is_at_block(&warps[i], b)) return false;
  for (int i = 0; i < block->warp_count; i++)
    if (warps[i].affine->any_stale) affine_settle(&warps[i]);
  join_values(block, form);
  for (int i = 0; i < block->warp_count; i++) {
    warps[i].affine = block->lockstep;
    warps[i].mask = 0xffffffffu;
  }
  return true;
}

/* Each warp is in basic block b and goes on there by itself: from `op`, or, if NULL, from its
 * start. */
static void part(struct block *block, const struct affine_form *form, int b, const struct op *op) {
  if (block->lockstep->any_stale) affine_settle(&block->warps[0]);
  for (int i = 0; i < block->warp_count; i++) {
    struct warp *warp = &block->warps[i];
    struct affine_state *own = warp->own_affine;
    own->known = warp->affine->known;
    for (int w = 0; w < form->word_count; w++)
      for (uint64_t left = own->known.word[w]; left; left &= left - 1) {
        int r = w * 64 + __builtin_ctzll(left);
        own->value[r] = value_in(warp, r);
        if (!set_has(&form->wide, r)) own->value[r] = narrow(own->value[r]);
      }
    warp->affine = own;
    warp->stack[0].block = b;
    warp->resume = op;
  }
}

/* Does the predicate hold in all lanes of all warps (1), in none (0), or only in some (-1)? */
static int branch_of_all(const struct block *block, const struct basic_block *at) {
  uint32_t first = *(const uint32_t *)(block->warps[0].calls[0].frame + at->predicate);
  if (first + 1 > 1) return -1;
  for (int i = 1; i < block->warp_count; i++)
    if (*(const uint32_t *)(block->warps[i].calls[0].frame + at->predicate) != first) return -1;
  return (first != 0) != at->negated;
}

/* In lockstep each round of a loop is looked at, but for all warps at once; by itself a warp runs
 * all of them at once (affine_loop.h), after a start that takes as long as so many rounds. Is the
 * block at hand such a loop, and longer? *rounds: of the loop in the block before, updated. */
enum { FEW_ROUNDS = 16 };
static bool is_long_loop(struct block *block, const struct affine_block *plan,
                         const struct basic_block *at, int b, int *rounds) {
  struct attempts *attempts = &block->worker->attempts[b];
  if (plan->again == NO_BLOCK) {
    if (at->count) *rounds = 0;
    return false;
  }
  attempts->is_long |= ++*rounds > FEW_ROUNDS;
  return attempts->is_long;
}

/* Can warps execute all of the block in lockstep, within what is left of the slice? */
static bool suits_lockstep(const struct block *block, const struct affine_block *plan,
                           const struct basic_block *at, int b) {
  return plan->in_lockstep && (plan->segment_count || !at->count) &&
         block->budget >= (int64_t)(at->count + 1) * block->warp_count &&
         block->worker->attempts[b].partings < MAX_PARTINGS;
}

/* Runs the operations of basic block b. False: the warps have parted. */
static bool run_block_together(struct block *block, const struct program *program, int b) {
  const struct affine_form *form = program->affine;
  const struct affine_block *plan = &form->blocks[b];
  struct warp *warps = block->warps;
  uint8_t *partings = &block->worker->attempts[b].partings;
  struct block_counts *counts = &block->worker->block_counts[program->block_base + b];
  if (!affine_enter(&warps[0], form, plan)) {
    ++*partings;
    part(block, form, b, NULL);
    return false;
  }
  counts->executed += (uint64_t)block->warp_count;
  counts->lanes += (uint64_t)block->warp_count * LANES;
  block->budget -= (int64_t)(program->blocks[b].count + 1) * block->warp_count;
  for (int s = 0; s < plan->segment_count; s++) {
    const struct affine_segment *segment = &form->segments[plan->first_segment + s];
    if (run_segment(&warps[0], form, segment)) continue;
    ++*partings;
    part(block, form, b, program->ops + segment->first_op);
    return false;
  }
  *partings = 0;
  return true;
}

/* All warps come to the end of a kernel: what their registers hold no longer matters. */
static void end_together(struct block *block, int line) {
  for (int i = 0; i < block->warp_count; i++) {
    block->warps[i].affine = block->warps[i].own_affine;
    control_exit(&block->warps[i], 0xffffffffu, line);
  }
}

/* All warps arrive at a barrier. */
static void wait_together(struct block *block, const struct basic_block *at) {
  for (int i = 0; i < block->warp_count; i++) {
    block->warps[i].stack[0].block = at->next;
    control_barrier(&block->warps[i], at);
  }
}

static bool any_stopped(const struct block *block) {
  for (int i = 0; i < block->warp_count; i++)
    if (block->warps[i].stop) return true;
  return false;
}

static bool run_lockstep(struct block *block) {
  const struct program *program = block->worker->launch->program;
  const struct affine_form *form = program->affine;
  if (!is_in_lockstep(block) && !come_together(block, form)) return true;
  block->together = block->span.interval;
  int rounds = 0;
  for (int b = block->warps[0].stack[0].block;;) {
    const struct basic_block *at = &program->blocks[b];
    if (is_long_loop(block, &form->blocks[b], at, b, &rounds) ||
        !suits_lockstep(block, &form->blocks[b], at, b)) {
      part(block, form, b, NULL);
      return true;
    }
    bool together = run_block_together(block, program, b);
    if (any_stopped(block)) return false;
    if (!together) return true;
    const struct op *end = program->ops + at->first + at->count;
    switch (at->end) {
      case END_NEXT:
        b = at->next;
        break;
      case END_JUMP:
        b = at->target;
        break;
      case END_BRANCH: {
        int taken = branch_of_all(block, at);
        if (taken < 0) {
          part(block, form, b, end);
          return true;
        }
        b = taken ? at->target : at->next;
        break;
      }
      case END_BARRIER:
        if (at->named || at->reduce_op) {
          part(block, form, b, end);
          return true;
        }
        wait_together(block, at);
        return true;
      case END_RETURN:
      case END_EXIT:
        end_together(block, at->line);
        return true;
      case END_CALL:
      case END_TRAP:
        part(block, form, b, end);
        return true;
    }
  }
}
