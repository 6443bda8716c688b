/* slots.c: gives every virtual register a slot of the frame, shared by registers that are never
 * live at once, and writes the finished program. Linear scan over the instruction order, on
 * intervals from block liveness.
 *
 * A slot may be shared by registers live on different sides of a divergent branch: each lane goes
 * one way only, and an operation under a partial mask leaves the other lanes' values alone.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/draft.h"

struct live {
  int words;          /* 64-bit words of a set */
  uint64_t *in, *out; /* by block */
  int *start,
      *end; /* by register: positions, 2 an operation: sources at even, destinations at odd ones */
  int peak; /* most 32-bit registers live at once */
};

static bool bit(const uint64_t *set, int i) { return set[i / 64] >> (i % 64) & 1; }
static void bit_set(uint64_t *set, int i) { set[i / 64] |= UINT64_C(1) << (i % 64); }
static void bit_clear(uint64_t *set, int i) { set[i / 64] &= ~(UINT64_C(1) << (i % 64)); }

/* What the end of a block reads and writes. */
static int end_sources(const struct draft_block *block, vreg regs[4]) {
  int n = 0;
  if (block->predicate != NO_VREG && block->predicate >= 0) regs[n++] = block->predicate;
  if (block->reduce_from != NO_VREG && block->reduce_from >= 0) regs[n++] = block->reduce_from;
  if (block->barrier_number != NO_VREG && block->barrier_number >= 0)
    regs[n++] = block->barrier_number;
  if (block->barrier_threads != NO_VREG && block->barrier_threads >= 0)
    regs[n++] = block->barrier_threads;
  return n;
}

/* Walks a block backwards from the registers live at its end to those live at its start; notes
 * intervals if live->start. */
static void walk_block(const struct draft *draft, struct live *live, int b, uint64_t *set,
                       bool note) {
  const struct draft_block *block = &draft->blocks[b];
  int units = 0;
  if (note)
    for (int r = 0; r < draft->vreg_count; r++) {
      if (!bit(set, r)) continue;
      units += draft->widths[r] == 'd' ? 2 : draft->widths[r] == 'w';
      int end = 2 * (block->first + block->count) + 2 * b + 1;
      if (end > live->end[r]) live->end[r] = end;
    }
#define POSITION(i) (2 * (i) + 2 * b)
#define ADD(r, at)                                                                            \
  do {                                                                                        \
    if (note && !bit(set, r)) units += draft->widths[r] == 'd' ? 2 : draft->widths[r] == 'w'; \
    bit_set(set, r);                                                                          \
    if (note && (at) > live->end[r]) live->end[r] = (at);                                     \
    if (note && (at) < live->start[r]) live->start[r] = (at);                                 \
  } while (0)
  vreg ends[4];
  int after = POSITION(block->first + block->count);
  if (block->reduce_to != NO_VREG) {
    if (note && after + 1 > live->end[block->reduce_to]) live->end[block->reduce_to] = after + 1;
    if (note && after < live->start[block->reduce_to]) live->start[block->reduce_to] = after;
    bit_clear(set, block->reduce_to);
  }
  for (int n = end_sources(block, ends); n-- > 0;) ADD(ends[n], after);
  for (int i = block->first + block->count - 1; i >= block->first; i--) {
    const struct draft_op *d = &draft->ops[i];
    if (d->dead) continue;
    if (note && units > live->peak) live->peak = units;
    for (int k = 0; k < d->used; k++) {
      vreg r = d->reg[k];
      if (!(d->writes >> k & 1) || r < 0 || r == NO_VREG) continue;
      int at = POSITION(i) + (d->in_place ? 1 : 0);
      if (note && at > live->end[r]) live->end[r] = at;
      if (note && at < live->start[r]) live->start[r] = at;
      if (d->op.guarded) continue; /* lanes that are left out keep the old value */
      if (note && bit(set, r)) units -= draft->widths[r] == 'd' ? 2 : draft->widths[r] == 'w';
      bit_clear(set, r);
    }
    for (int k = 0; k < d->used; k++) {
      vreg r = d->reg[k];
      if (d->writes >> k & 1 || r < 0 || r == NO_VREG) continue;
      ADD(r, POSITION(i));
    }
    if (d->op.guarded) {
      if (d->guard >= 0) ADD(d->guard, POSITION(i));
      for (int k = 0; k < d->used; k++)
        if (d->writes >> k & 1 && d->reg[k] >= 0 && d->reg[k] != NO_VREG)
          ADD(d->reg[k], POSITION(i));
    }
  }
  if (note && units > live->peak) live->peak = units;
  if (note)
    for (int r = 0; r < draft->vreg_count; r++)
      if (bit(set, r) && 2 * block->first + 2 * b - 1 < live->start[r])
        live->start[r] = 2 * block->first + 2 * b - 1;
#undef ADD
#undef POSITION
}

static void block_successors(const struct basic_block *end, int to[2]) {
  to[0] = to[1] = NO_BLOCK;
  if (end->end == END_JUMP || end->end == END_BRANCH) to[0] = end->target;
  if (end->end == END_BRANCH || end->end == END_NEXT || end->end == END_BARRIER ||
      end->end == END_CALL)
    to[1] = end->next;
}

/* Limits on the words of all sets and on the words processed: some hundred times what a large
 * kernel needs. */
static const size_t max_words = (size_t)1 << 22, max_work = (size_t)1 << 31;

static bool find_liveness(struct draft *draft, struct live *live) {
  int n = draft->block_count;
  live->words = (draft->vreg_count + 63) / 64 + 1;
  size_t words = (size_t)live->words, round = (size_t)n * words + (size_t)draft->op_count, work = 0;
  if ((size_t)n * words > max_words) {
    draft_fail(draft, 0, "a function of %d blocks and %d registers is not supported", n,
               draft->vreg_count);
    return false;
  }
  live->in = calloc((size_t)n * words, sizeof *live->in);
  live->out = calloc((size_t)n * words, sizeof *live->out);
  uint64_t *set = malloc(words * sizeof *set);
  live->start = malloc(((size_t)draft->vreg_count + 1) * sizeof *live->start);
  live->end = malloc(((size_t)draft->vreg_count + 1) * sizeof *live->end);
  bool ok = live->in && live->out && set && live->start && live->end;
  for (int r = 0; ok && r < draft->vreg_count; r++) {
    live->start[r] = INT32_MAX;
    live->end[r] = -1;
  }
  for (bool changed = true; ok && changed;) {
    changed = false;
    if ((work += round) > max_work) {
      draft_fail(draft, 0, "a function whose branches are that entangled is not supported");
      ok = false;
    }
    for (int b = n - 1; b >= 0 && ok; b--) {
      uint64_t *out = live->out + (size_t)b * words, *in = live->in + (size_t)b * words;
      int to[2];
      block_successors(&draft->blocks[b].end, to);
      for (int s = 0; s < 2; s++)
        if (to[s] != NO_BLOCK)
          for (size_t w = 0; w < words; w++) out[w] |= live->in[(size_t)to[s] * words + w];
      memcpy(set, out, words * sizeof *set);
      walk_block(draft, live, b, set, false);
      if (memcmp(set, in, words * sizeof *set) != 0) {
        memcpy(in, set, words * sizeof *set);
        changed = true;
      }
    }
  }
  for (int b = 0; ok && b < n; b++) {
    memcpy(set, live->out + (size_t)b * words, words * sizeof *set);
    walk_block(draft, live, b, set, true);
  }
  free(set);
  return ok;
}

struct interval {
  int reg, start, end;
};

static int by_start(const void *a, const void *b) {
  const struct interval *x = a, *y = b;
  return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->reg - y->reg;
}

/* A heap by end: the interval that releases its slot first is on top. */
struct heap {
  struct interval *items;
  int count;
};

static void heap_push(struct heap *heap, struct interval item) {
  int i = heap->count++;
  for (; i > 0 && heap->items[(i - 1) / 2].end > item.end; i = (i - 1) / 2)
    heap->items[i] = heap->items[(i - 1) / 2];
  heap->items[i] = item;
}

static struct interval heap_pop(struct heap *heap) {
  struct interval top = heap->items[0], last = heap->items[--heap->count];
  int i = 0;
  for (int child; (child = 2 * i + 1) < heap->count; i = child) {
    if (child + 1 < heap->count && heap->items[child + 1].end < heap->items[child].end) child++;
    if (heap->items[child].end >= last.end) break;
    heap->items[i] = heap->items[child];
  }
  heap->items[i] = last;
  return top;
}

/* Numbers slots of each width (0: 32-bit, 1: 64-bit, 2: predicate); slot[r] is the number of r
 * among those of its width. */
static bool scan(const struct draft *draft, const struct live *live, int *slot, int counts[3]) {
  int n = draft->vreg_count;
  struct interval *intervals = malloc(((size_t)n + 1) * sizeof *intervals);
  struct heap heap = {malloc(((size_t)n + 1) * sizeof *heap.items), 0};
  int *free_slots[3], free_count[3] = {0, 0, 0};
  for (int c = 0; c < 3; c++) free_slots[c] = malloc(((size_t)n + 1) * sizeof(int));
  bool ok = intervals && heap.items && free_slots[0] && free_slots[1] && free_slots[2];
  int count = 0;
  for (int r = 0; ok && r < n; r++)
    if (live->end[r] >= 0) intervals[count++] = (struct interval){r, live->start[r], live->end[r]};
  if (ok) qsort(intervals, (size_t)count, sizeof *intervals, by_start);
  for (int k = 0; k < count; k++) {
    while (heap.count && heap.items[0].end < intervals[k].start) {
      int r = heap_pop(&heap).reg, c = draft->widths[r] == 'w'   ? 0
                                       : draft->widths[r] == 'd' ? 1
                                                                 : 2;
      free_slots[c][free_count[c]++] = slot[r];
    }
    int r = intervals[k].reg, c = draft->widths[r] == 'w' ? 0 : draft->widths[r] == 'd' ? 1 : 2;
    slot[r] = free_count[c] ? free_slots[c][--free_count[c]] : counts[c]++;
    heap_push(&heap, intervals[k]);
  }
  free(intervals);
  free(heap.items);
  for (int c = 0; c < 3; c++) free(free_slots[c]);
  return ok;
}

struct layout {
  const struct draft *draft;
  const int *slot;
  uint32_t base[3];    /* of the slots of each width */
  uint32_t *constants; /* offsets */
};

static uint32_t offset_of(const struct layout *layout, vreg r) {
  if (r == NO_VREG) return 0;
  if (r < 0) return layout->constants[~r];
  char width = layout->draft->widths[r];
  uint32_t number = (uint32_t)layout->slot[r];
  return width == 'w'   ? layout->base[0] + number * SLOT32
         : width == 'd' ? layout->base[1] + number * SLOT64
                        : layout->base[2] + number * 4;
}

static bool write_constants(const struct draft *draft, struct program *program, uint32_t *offsets) {
  size_t bytes = 0;
  for (int i = 0; i < draft->constant_count; i++) {
    offsets[i] = (uint32_t)bytes;
    bytes += draft->constants[i].width == 'd' ? SLOT64 : SLOT32;
  }
  program->constants = malloc(bytes + 1);
  if (!program->constants) return false;
  program->constant_bytes = bytes;
  for (int i = 0; i < draft->constant_count; i++)
    for (int lane = 0; lane < LANES; lane++) {
      if (draft->constants[i].width == 'd') {
        memcpy(program->constants + offsets[i] + lane * 8, &draft->constants[i].value, 8);
      } else {
        uint32_t value = (uint32_t)draft->constants[i].value;
        memcpy(program->constants + offsets[i] + lane * 4, &value, 4);
      }
    }
  return true;
}

static bool write_program(const struct draft *draft, const struct layout *layout) {
  struct program *program = draft->program;
  program->ops = calloc((size_t)draft->op_count + 1, sizeof *program->ops);
  program->blocks = calloc((size_t)draft->block_count + 1, sizeof *program->blocks);
  if (!program->ops || !program->blocks) return false;
  for (int b = 0; b < draft->block_count; b++) {
    const struct draft_block *from = &draft->blocks[b];
    struct basic_block *to = &program->blocks[program->block_count++];
    *to = from->end;
    to->first = program->op_count;
    to->predicate = offset_of(layout, from->predicate);
    to->reduce_from = offset_of(layout, from->reduce_from);
    to->reduce_to = offset_of(layout, from->reduce_to);
    to->barrier_number = offset_of(layout, from->barrier_number);
    to->barrier_threads = offset_of(layout, from->barrier_threads);
    to->counted = to->end != END_NEXT;
    for (int i = from->first; i < from->first + from->count; i++) {
      const struct draft_op *d = &draft->ops[i];
      if (d->dead) continue;
      struct op *op = &program->ops[program->op_count++];
      *op = d->op;
      for (int k = 0; k < d->used; k++) op->slot[k] = offset_of(layout, d->reg[k]);
      op->written = d->writes;
      op->base = d->reg[0];
      op->shares_memo = !op->guarded && (op->kind == OP_LOAD || op->kind == OP_STORE) &&
                        op->space != PTX_GENERIC && op->space != PTX_LOCAL;
      if (op->guarded) op->guard = offset_of(layout, d->guard);
      to->counted += op->counted;
    }
    to->count = program->op_count - to->first;
  }
  return true;
}

bool slots_assign(struct draft *draft) {
  struct live live = {0};
  int *slot = calloc((size_t)draft->vreg_count + 1, sizeof *slot), counts[3] = {0, 0, 0};
  uint32_t *constants = calloc((size_t)draft->constant_count + 1, sizeof *constants);
  struct program *program = draft->program;
  bool ok = slot && constants && find_liveness(draft, &live) && scan(draft, &live, slot, counts) &&
            write_constants(draft, program, constants);
  for (int w = 0; ok && w < live.words; w++) program->reads_unset |= live.in[w] != 0;
  if (ok) {
    struct layout layout = {.draft = draft, .slot = slot, .constants = constants};
    layout.base[0] = (uint32_t)program->constant_bytes;
    layout.base[1] = layout.base[0] + (uint32_t)counts[0] * SLOT32;
    layout.base[2] = layout.base[1] + (uint32_t)counts[1] * SLOT64;
    program->slots64 = layout.base[1];
    program->predicates = layout.base[2];
    program->frame_bytes =
        (layout.base[2] + (uint32_t)counts[2] * 4 + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
    program->registers = live.peak;
    ok = write_program(draft, &layout);
  }
  free(live.in);
  free(live.out);
  free(live.start);
  free(live.end);
  free(slot);
  free(constants);
  return ok;
}
