/* pattern.c: learns the access pattern of a warp and counts its sectors, lines and wavefronts.
 *
 * Rules of cost, as measured on an H100 (tests/counters holds the figures):
 *
 *   global   a request an instruction; sectors of 32 bytes and lines of 128 bytes that the active
 *            lanes touch; an atomic's sectors are those of several turns, in each of which an
 *            address is that of one lane only
 *
 *   shared   up to 32 bits a lane: a wavefront for each distinct word in the busiest of 32 banks.
 *            64 and 128 bits: the same for each half or quarter of the warp that has an active
 *            lane; a load takes two halves, or two quarters of one half, in one turn if each lane i
 *            reads what lane i ^ 1 reads, or each what lane i ^ 2 reads
 */
#include "harness/sim/exec/pattern.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/tally.h"

void pattern_flush(struct worker *worker, const struct op *op, const struct memo *memo) {
  uint64_t hits = worker->hits[op->index];
  if (!hits) return;
  struct op_counts *c = &worker->op_counts[op->index];
  uint64_t bytes = (uint64_t)op_width(op);
  c->requests += hits;
  c->bytes += hits * memo->lane_count * bytes;
  c->used += hits * memo->distinct_bytes;
  c->words += hits * (bytes > 4 ? bytes / 4 : 1);
  c->wavefronts += hits * (op->kind == OP_LOAD ? memo->wavefronts : memo->store_wavefronts);
  c->ideal += hits * (op->kind == OP_LOAD ? memo->ideal : memo->store_ideal);
  worker->hits[op->index] = 0;
}

/* Counts a load `apart` from where the phases were counted. */
static void fold_phases(struct worker *worker, const struct op *load, struct memo *memo,
                        const uint32_t *phases, int64_t apart) {
  enum { TOGETHER = 16 }; /* most have none, or one in four */
  for (int first = 0; first < 128; first += TOGETHER) {
    uint32_t any = 0;
    for (int i = first; i < first + TOGETHER; i++) any |= phases[i];
    for (int i = first; any && i < first + TOGETHER; i++)
      if (phases[i])
        pattern_count_global(worker, load, memo, (UINT64_C(1) << 40) + (uint64_t)(i + apart),
                             phases[i]);
  }
}

/* Moves what the affine form has counted for the loads of a memo to the loads. */
static void fold(struct worker *worker, const struct op *op, struct memo *memo) {
  const struct launch_state *launch = worker->launch;
  const struct affine_form *form = launch->program->affine;
  if (!form) return;
  for (int i = op->group; i >= 0; i = launch->ops[i]->next_in_group) {
    const struct op *load = launch->ops[i];
    int g = load->affine_group;
    if (g < 0 || !worker->group_hits[g]) continue;
    worker->hits[i] += worker->group_hits[g];
    if (load->space != PTX_GLOBAL) continue;
    int64_t apart = load->access.offset - form->groups[g].lead->access.offset;
    fold_phases(worker, load, memo, worker->group_phases[g], apart);
  }
  for (int i = op->group; i >= 0; i = launch->ops[i]->next_in_group) {
    int g = launch->ops[i]->affine_group;
    if (g < 0 || !worker->group_hits[g]) continue;
    worker->group_hits[g] = 0;
    memset(worker->group_phases[g], 0, sizeof worker->group_phases[g]);
  }
}

void pattern_book(struct worker *worker, const struct op *op, struct memo *memo,
                  const struct allocation *now) {
  uint64_t window = memo->counted ? (uint64_t)memo->counted->window : NO_WINDOW;
  fold(worker, op, memo);
  for (int i = op->group; i >= 0; i = worker->launch->ops[i]->next_in_group) {
    pattern_flush(worker, worker->launch->ops[i], memo);
    tally_book(worker, i, window);
  }
  memo->counted = now;
}

/* Fills order[] with one lane for each distinct address, and lanes[] with all that have it. All
 * lanes access the same aligned size, so two of them touch the same bytes or none in common. */
static int distinct_lanes(const struct memo *memo, uint32_t mask, uint8_t *order, uint32_t *lanes) {
  int count = 0;
  int64_t last = INT64_MIN;
  bool rising = true;
  EACH_ACTIVE (i, mask) {
    if (memo->delta[i] > last) {
      last = memo->delta[i];
    } else {
      rising = false;
      break;
    }
  }
  EACH_ACTIVE (i, mask) {
    int found = -1;
    if (!rising)
      for (int j = 0; j < count && found < 0; j++)
        if (memo->delta[order[j]] == memo->delta[i]) found = j;
    if (found < 0) {
      found = count++;
      order[found] = (uint8_t)i;
      lanes[found] = 0;
    }
    lanes[found] |= 1u << i;
  }
  return count;
}

/* Wavefronts of the lanes of one turn: distinct 4-byte words in the busiest bank. Adds the
 * wavefronts without conflicts to *ideal. */
static uint16_t turn_wavefronts(const struct memo *memo, const struct op *op, uint64_t base,
                                uint32_t mask, uint16_t *ideal) {
  uint8_t lanes[LANES];
  uint32_t same[LANES];
  uint64_t words[LANES * 4];
  int word_count = 0, load[32] = {0}, busiest = 0, bytes = op_width(op);
  int count = distinct_lanes(memo, mask, lanes, same);
  for (int k = 0; k < count; k++) {
    uint64_t at = base + (uint64_t)memo->delta[lanes[k]];
    for (uint64_t word = at >> 2; word <= (at + (uint64_t)bytes - 1) >> 2; word++) {
      bool seen = false;
      if (bytes < 4)
        for (int j = 0; j < word_count && !seen; j++) seen = words[j] == word;
      if (seen) continue;
      words[word_count++] = word;
      if (++load[word & 31] > busiest) busiest = load[word & 31];
    }
  }
  *ideal = (uint16_t)(*ideal + (word_count + 31) / 32);
  return (uint16_t)busiest;
}

/* Does every lane read the address that lane ^ distance reads? Inactive lanes match any. */
static bool lanes_agree(const struct memo *memo, uint32_t mask, int distance) {
  EACH_ACTIVE (i, mask) {
    int other = i ^ distance;
    if (mask >> other & 1 && memo->delta[i] != memo->delta[other]) return false;
  }
  return true;
}

void pattern_count_wavefronts(struct memo *memo, const struct op *op, uint64_t base,
                              uint32_t mask) {
  int bytes = op_width(op), turns = bytes > 4 ? bytes / 4 : 1, width = LANES / turns;
  uint32_t lanes = turns == 1 ? 0xffffffffu : (1u << width) - 1;
  memo->wavefronts = memo->store_wavefronts = memo->ideal = memo->store_ideal = 0;
  for (int t = 0; t < turns; t += 2) {
    uint32_t one = mask & lanes << (t * width),
             two = turns == 1 ? 0 : mask & lanes << ((t + 1) * width);
    uint16_t ideal = 0;
    uint16_t apart = (uint16_t)(turn_wavefronts(memo, op, base, one, &ideal) +
                                turn_wavefronts(memo, op, base, two, &ideal));
    memo->store_wavefronts = (uint16_t)(memo->store_wavefronts + apart);
    memo->store_ideal = (uint16_t)(memo->store_ideal + ideal);
    if (one && two && (lanes_agree(memo, one | two, 1) || lanes_agree(memo, one | two, 2))) {
      ideal = 0;
      apart = turn_wavefronts(memo, op, base, one | two, &ideal);
    }
    memo->wavefronts = (uint16_t)(memo->wavefronts + apart);
    memo->ideal = (uint16_t)(memo->ideal + ideal);
  }
}

/* Rows of ROW_GRANULES granules that consecutive lanes access, each by one lane. None if others are
 * left. */
static void find_rows(struct memo *memo) {
  memo->row_count = 0;
  if (memo->granule_count % ROW_GRANULES || memo->granule_count > LANES) return;
  for (int k = 0; k < memo->granule_count; k += ROW_GRANULES) {
    int32_t at = memo->granule[k] >> memo->granule_shift;
    int lane = memo->granule_lane[k];
    if (at % ROW_GRANULES) return;
    for (int i = 0; i < ROW_GRANULES; i++)
      if (memo->granule[k + i] >> memo->granule_shift != at + i ||
          memo->granule_lane[k + i] != lane + i || lane + i >= LANES)
        return;
    memo->row[k / ROW_GRANULES] = at >> ROW_SHIFT;
    memo->row_lane[k / ROW_GRANULES] = (uint8_t)lane;
  }
  memo->row_count = memo->granule_count / ROW_GRANULES;
}

static void copy_memo(struct memo *to, const struct memo *from) {
  memcpy(to, from, offsetof(struct memo, granule_lane));
  memcpy(to->granule_lane, from->granule_lane, (size_t)from->granule_count);
  memcpy(to->granule, from->granule, (size_t)from->granule_count * sizeof *to->granule);
}

/* The memo is about to change: loads that are logged with it keep what it was. */
static void keep_logged(struct block *block, const struct memo *memo) {
  if (memo->last_read >= block->read_count || block->reads[memo->last_read].memo != memo) return;
  struct worker *worker = block->worker;
  if (worker->kept_count == KEPT_MEMOS) {
    worker->launch->isa->flush_reads(block);
    return;
  }
  struct memo *kept = &worker->kept[worker->kept_count++];
  copy_memo(kept, memo);
  for (int i = memo->last_read; i >= 0; i--)
    if (block->reads[i].memo == memo) block->reads[i].memo = kept;
}

/* Are the lanes' addresses affine in the lane, in a way that loads and stores are made for? */
static void find_layout(struct memo *memo, int element, const struct affine_state *state) {
  memo->layout = AFFINE_IRREGULAR;
  if (!state || memo->mask != state->mask) return;
  int shift = state->shift;
  int64_t x = state->columns ? memo->delta[1] : 0, y = state->rows ? memo->delta[1 << shift] : 0;
  for (int i = 0; i < state->lanes; i++) {
    struct affine apart = {0, x, y, 0};
    if ((uint64_t)memo->delta[i] != affine_at(&apart, i, shift)) return;
  }
  memo->x = x;
  memo->y = y;
  /* A part of which no lane exists is taken to be the first one; none may have only some. */
  bool parts = shift >= 3, whole = state->lanes % PART == 0;
  memo->repeats = shift == 3 && y == 0;
  if (!x && !y)
    memo->layout = AFFINE_SAME;
  else if (x == 4 && element == 4 && state->lanes == LANES &&
           (shift == 5 || y == (int64_t)4 << shift))
    memo->layout = AFFINE_ROW;
  else if (x == 0 && parts)
    memo->layout = AFFINE_SAMES;
  else if (x == 4 && element == 4 && parts && (whole || memo->repeats))
    memo->layout = memo->repeats ? AFFINE_REPEATED : AFFINE_ROWS;
  else
    memo->layout = AFFINE_SCATTERED;
  for (int p = 0; p < AFFINE_PARTS; p++) memo->part[p] = memo->delta[p * 8];
}

/* Does the memo have this pattern? */
static bool has_pattern(const struct memo *memo, const uint64_t *addresses, uint64_t base,
                        uint32_t mask, enum ptx_space space) {
  if (memo->mask != mask || memo->is_shared != (space == PTX_SHARED) ||
      memo->phase != (base & memo->phase_mask))
    return false;
  uint64_t origin = addresses[__builtin_ctz(mask)], differ = 0;
  EACH_ACTIVE (i, mask) differ |= (addresses[i] - origin) ^ (uint64_t)memo->delta[i];
  return !differ;
}

/* Which of the formers a pattern of this mask is to be learned in: a new one, or the one that was
 * learned before the others. -1: none. */
static int room_among(struct formers *formers, uint32_t mask) {
  bool grows = formers->count < MAX_FORMERS;
  for (int k = 0; k < formers->count; k++) grows &= formers->memo[k]->mask != mask;
  struct memo *more = grows ? calloc(1, sizeof *more) : NULL;
  if (more) {
    formers->made[formers->count] = formers->memo[formers->count] = more;
    return formers->count++;
  }
  if (formers->count) formers->next = (formers->next + 1) % formers->count;
  return formers->count ? formers->next : -1;
}

/* Makes a memo the operation's that has this pattern (*known), or in which it is to be learned. The
 * one before is kept: its pattern may come back. */
static struct memo *change_memo(struct warp *warp, const struct op *op, const uint64_t *addresses,
                                uint64_t base, uint32_t mask, enum ptx_space space, bool *known) {
  struct memo **current = &warp->worker->memos[op->group], *last = *current;
  struct formers *formers = &warp->worker->formers[op->group];
  int k = last->mask ? formers->count - 1 : -1;
  while (k >= 0 && !has_pattern(formers->memo[k], addresses, base, mask, space)) k--;
  *known = k >= 0;
  if (k < 0 && last->mask) k = room_among(formers, mask);
  struct memo *next = k < 0 ? last : formers->memo[k];
  if (!*known) keep_logged(warp->block, next);
  if (k < 0) return last;
  formers->memo[k] = last;
  next->counted = last->counted;
  return *current = next;
}

struct memo *pattern_learn(struct warp *warp, const struct op *op, const uint64_t *addresses,
                           uint64_t base, uint32_t mask, enum ptx_space space) {
  struct worker *worker = warp->worker;
  struct memo *memo = worker->memos[op->group];
  bool known;
  fold(worker, op, memo);
  for (int i = op->group; i >= 0; i = worker->launch->ops[i]->next_in_group)
    pattern_flush(worker, worker->launch->ops[i], memo);
  int bytes = op->size * op->count, width = op_width(op), first = __builtin_ctz(mask);
  memo = change_memo(warp, op, addresses, base, mask, space, &known);
  memo->key = worker->block_key | mask;
  memo->from = 1; /* bounds are not known yet */
  memo->to = 0;
  memo->allocation = NULL;
  if (known) return memo;
  int64_t origin = (int64_t)addresses[first];
  bool uniform = true, contiguous = true;
  memo->mask = mask;
  memo->is_shared = space == PTX_SHARED;
  memo->phase_mask = bytes < 4 ? 3 : 0;
  memo->phase = (uint8_t)(base & memo->phase_mask);
  memo->low = 0;
  memo->high = 0;
  memo->aligned = true;
  memo->lane_count = (uint16_t)__builtin_popcount(mask);
  memo->requested_bytes = (uint32_t)(memo->lane_count * width);
  for (int i = 0; i < LANES; i++) {
    memo->delta[i] = mask >> i & 1 ? (int64_t)(addresses[i] - (uint64_t)origin) : 0;
    if (!(mask >> i & 1)) continue;
    int64_t d = memo->delta[i];
    if (d < memo->low) memo->low = d;
    if (d > memo->high) memo->high = d;
    if (d & (width - 1)) memo->aligned = false;
    uniform = uniform && d == 0;
    contiguous = contiguous && d == (int64_t)(i - first) * bytes;
  }
  if (memo->high > INT64_MAX / 2 || memo->low < INT64_MIN / 2) memo->aligned = false;
  memo->high += bytes;
  /* Gaps between active lanes are gaps between granules. */
  uint32_t run = mask >> first;
  memo->gaps = run & (run + 1);
  contiguous = contiguous && !memo->gaps;
  memo->far = memo->high - memo->low > INT32_MAX;
  memo->pattern = uniform ? PATTERN_UNIFORM : contiguous ? PATTERN_CONTIGUOUS : PATTERN_GENERAL;
  find_layout(memo, bytes, warp->own_affine);
  memset(memo->sectors, 0, sizeof memo->sectors);

  const struct launch_state *launch = worker->launch;
  memo->granule_shift = space == PTX_SHARED ? launch->shared_shift : launch->global_shift;
  uint8_t order[LANES];
  int distinct = distinct_lanes(memo, mask, order, memo->lanes),
      granules = bytes >> memo->granule_shift;
  memo->distinct_bytes = (uint32_t)(distinct * width);
  memo->granules_each = granules;
  memo->granule_count = 0;
  memo->collides = false;
  for (int k = 0; k < distinct; k++) {
    bool several = memo->lanes[k] & (memo->lanes[k] - 1);
    memo->collides = memo->collides || several;
    for (int g = 0; g < granules; g++) {
      memo->granule[memo->granule_count] =
          (int32_t)(memo->delta[order[k]] + ((int64_t)g << memo->granule_shift));
      memo->granule_lane[memo->granule_count++] = several ? LANES : order[k];
    }
  }
  memo->dense = memo->in_order = true;
  for (int k = 0; k < memo->granule_count; k++) {
    memo->dense &= memo->granule[k] == k << memo->granule_shift;
    memo->in_order &= memo->dense && memo->granule_lane[k] == memo->granule_lane[0] + k &&
                      memo->granule_lane[k] < LANES;
  }
  if (space == PTX_SHARED)
    pattern_count_wavefronts(memo, op, base, mask);
  else
    find_rows(memo);
  return memo;
}

struct memo pattern_memo(const uint64_t *addresses, uint32_t mask) {
  struct memo memo = {.mask = mask};
  EACH_ACTIVE (i, mask) memo.delta[i] = (int64_t)(addresses[i] - addresses[__builtin_ctz(mask)]);
  return memo;
}

int pattern_distinct(const struct memo *memo, uint64_t base, uint32_t mask, int shift) {
  uint64_t seen[LANES];
  int count = 0;
  EACH_ACTIVE (i, mask) {
    uint64_t unit = (base + (uint64_t)memo->delta[i]) >> shift;
    bool found = false;
    for (int j = count - 1; j >= 0 && !found; j--) found = seen[j] == unit;
    if (!found) seen[count++] = unit;
  }
  return count;
}

void pattern_count_sectors(struct memo *memo, uint64_t base) {
  int sectors = pattern_distinct(memo, base, memo->mask, 5);
  memo->sectors[base & 127] = (uint8_t)sectors;
  memo->spread[base & 127] = (uint8_t)traffic_spread((uint64_t)sectors, memo->requested_bytes);
  memo->lines[base & 127] = (uint8_t)pattern_distinct(memo, base, memo->mask, 7);
}

int pattern_atomic_sectors(const struct memo *memo, uint64_t base) {
  int sectors = 0;
  for (uint32_t left = memo->mask; left;) {
    uint8_t lanes[LANES];
    uint32_t same[LANES], turn = 0;
    for (int k = distinct_lanes(memo, left, lanes, same) - 1; k >= 0; k--) turn |= 1u << lanes[k];
    sectors += pattern_distinct(memo, base, turn, 5);
    left &= ~turn;
  }
  return sectors;
}
