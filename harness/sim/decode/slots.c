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
  const struct draft *draft;
  int words;          /* 64-bit words of a set */
  uint64_t *in, *out; /* by block */
  uint64_t *set;      /* live at the current place */
  int units, peak;    /* 32-bit registers in the set; the maximum */
  int *start, *end;   /* by register: positions, 2 per operation: sources even, destinations odd */
};

static bool bit(const uint64_t *set, int i) { return set[i / 64] >> (i % 64) & 1; }

static int units_of(const struct live *live, vreg r) {
  char width = live->draft->widths[r];
  return width == 'd' ? 2 : width == 'w' ? 1 : 0;
}

/* Makes the interval of a register include the position. */
static void extend(struct live *live, vreg r, int at) {
  if (at > live->end[r]) live->end[r] = at;
  if (at < live->start[r]) live->start[r] = at;
}

/* The register is live before this place. */
static void revive(struct live *live, vreg r, int at) {
  if (!is_register(r)) return;
  if (!bit(live->set, r)) live->units += units_of(live, r);
  live->set[r / 64] |= UINT64_C(1) << (r % 64);
  extend(live, r, at);
}

/* The register is not live before this place, where it is written. */
static void kill(struct live *live, vreg r) {
  if (bit(live->set, r)) live->units -= units_of(live, r);
  live->set[r / 64] &= ~(UINT64_C(1) << (r % 64));
}

/* Extends the intervals of all live registers; returns how many units they take. */
static int extend_all(struct live *live, int at) {
  int units = 0;
  for (int w = 0; w < live->words; w++)
    for (uint64_t left = live->set[w]; left; left &= left - 1) {
      vreg r = w * 64 + __builtin_ctzll(left);
      extend(live, r, at);
      units += units_of(live, r);
    }
  return units;
}

static void walk_op(struct live *live, const struct draft_op *d, int at) {
  if (live->units > live->peak) live->peak = live->units;
  for (int k = 0; k < d->used; k++) {
    if (!is_destination(d, k) || !is_register(d->reg[k])) continue;
    extend(live, d->reg[k], at + d->in_place);
    if (!d->op.guarded) kill(live, d->reg[k]); /* else some lanes keep the old value */
  }
  for (int k = 0; k < d->used; k++)
    if (!is_destination(d, k) || d->op.guarded) revive(live, d->reg[k], at);
  if (d->op.guarded) revive(live, d->guard, at);
}

/* Walks a block backwards from the registers live at its end to those live at its start. */
static void walk_block(struct live *live, int b) {
  const struct draft_block *block = &live->draft->blocks[b];
  const vreg sources[] = {block->predicate, block->reduce_from, block->barrier_number,
                          block->barrier_threads, block->call_pointer};
  int end = block->first + block->count, at = 2 * (end + b);
  live->units = extend_all(live, at + 1);
  if (block->reduce_to != NO_VREG) {
    extend(live, block->reduce_to, at);
    extend(live, block->reduce_to, at + 1);
    kill(live, block->reduce_to);
  }
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) revive(live, sources[i], at);
  for (int i = end - 1; i >= block->first; i--)
    if (!live->draft->ops[i].dead) walk_op(live, &live->draft->ops[i], 2 * (i + b));
  if (live->units > live->peak) live->peak = live->units;
  extend_all(live, 2 * (block->first + b) - 1);
}

void block_successors(const struct basic_block *end, int to[2]) {
  bool jumps = end->end == END_JUMP || end->end == END_BRANCH;
  bool ends = end->end == END_RETURN || end->end == END_EXIT || end->end == END_TRAP;
  to[0] = jumps ? end->target : NO_BLOCK;
  to[1] = ends || end->end == END_JUMP ? NO_BLOCK : end->next;
}

/* Limits on the words of all sets and on those processed: 100 times what a large kernel needs. */
static const size_t max_words = (size_t)1 << 22, max_work = (size_t)1 << 31;

static bool find_liveness(struct draft *draft, struct live *live) {
  int n = draft->block_count;
  size_t words = (size_t)(draft->vreg_count + 63) / 64 + 1, bytes = words * sizeof *live->set,
         round = (size_t)n * words + (size_t)draft->op_count, work = 0;
  live->words = (int)words;
  if ((size_t)n * words > max_words) {
    draft_fail(draft, 0, "a function of %d blocks and %d registers is not supported", n,
               draft->vreg_count);
    return false;
  }
  live->in = calloc((size_t)n, bytes);
  live->out = calloc((size_t)n, bytes);
  live->set = malloc(bytes);
  live->start = malloc(((size_t)draft->vreg_count + 1) * sizeof *live->start);
  live->end = malloc(((size_t)draft->vreg_count + 1) * sizeof *live->end);
  if (!live->in || !live->out || !live->set || !live->start || !live->end) return false;
  for (int r = 0; r < draft->vreg_count; r++) {
    live->start[r] = INT32_MAX;
    live->end[r] = -1;
  }
  for (bool changed = true; changed;) {
    changed = false;
    if ((work += round) > max_work) {
      draft_fail(draft, 0, "a function whose branches are that entangled is not supported");
      return false;
    }
    for (int b = n - 1; b >= 0; b--) {
      uint64_t *out = live->out + (size_t)b * words, *in = live->in + (size_t)b * words;
      int to[2];
      block_successors(&draft->blocks[b].end, to);
      for (int s = 0; s < 2; s++)
        for (size_t w = 0; to[s] != NO_BLOCK && w < words; w++)
          out[w] |= live->in[(size_t)to[s] * words + w];
      memcpy(live->set, out, bytes);
      walk_block(live, b);
      changed |= memcmp(live->set, in, bytes) != 0;
      memcpy(in, live->set, bytes);
    }
  }
  return true;
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

/* Slots are numbered by class: 32-bit ones, 64-bit ones, either with those of floats apart from
 * all others, and predicates. Addresses and counters that share no slot with data can run ahead of
 * them (affine.c). */
enum { CLASSES = 5, FIRST_64 = 2, PREDICATES = 4 };
static const uint32_t slot_bytes[CLASSES] = {SLOT32, SLOT32, SLOT64, SLOT64, 4};
static int class_of(const struct draft *draft, vreg r) {
  const struct ptx_function *f = draft->function;
  bool is_float =
      r < f->register_count && (f->registers[r].type == PTX_F32 || f->registers[r].type == PTX_F64);
  char width = draft->widths[r];
  return width == 'p' ? PREDICATES : (width == 'd' ? FIRST_64 : 0) + is_float;
}

/* slot[r]: the number of the slot of r. */
static bool scan(const struct draft *draft, const struct live *live, int *slot,
                 int counts[CLASSES]) {
  size_t room = (size_t)draft->vreg_count + 1;
  struct interval *intervals = malloc(room * sizeof *intervals);
  struct heap heap = {malloc(room * sizeof *heap.items), 0};
  int *free_slots[CLASSES], free_count[CLASSES] = {0};
  bool ok = intervals && heap.items;
  for (int c = 0; c < CLASSES; c++) ok &= (free_slots[c] = malloc(room * sizeof(int))) != NULL;
  int count = 0;
  for (int r = 0; ok && r < draft->vreg_count; r++)
    if (live->end[r] >= 0) intervals[count++] = (struct interval){r, live->start[r], live->end[r]};
  if (ok) qsort(intervals, (size_t)count, sizeof *intervals, by_start);
  for (int k = 0; k < count; k++) {
    while (heap.count && heap.items[0].end < intervals[k].start) {
      int r = heap_pop(&heap).reg, c = class_of(draft, r);
      free_slots[c][free_count[c]++] = slot[r];
    }
    int r = intervals[k].reg, c = class_of(draft, r);
    slot[r] = free_count[c] ? free_slots[c][--free_count[c]] : counts[c]++;
    heap_push(&heap, intervals[k]);
  }
  free(intervals);
  free(heap.items);
  for (int c = 0; c < CLASSES; c++) free(free_slots[c]);
  return ok;
}

struct layout {
  const struct draft *draft;
  const int *slot;
  uint32_t base[CLASSES + 1]; /* of the slots of each class, and the end */
  uint32_t *constants;        /* offsets */
};

static uint32_t offset_of(const struct layout *layout, vreg r) {
  if (r == NO_VREG) return 0;
  if (r < 0) return layout->constants[~r];
  int c = class_of(layout->draft, r);
  return layout->base[c] + (uint32_t)layout->slot[r] * slot_bytes[c];
}

static bool write_constants(const struct draft *draft, struct program *program, uint32_t *offsets) {
  size_t bytes = 0;
  for (int i = 0; i < draft->constant_count; i++) {
    offsets[i] = (uint32_t)bytes;
    bytes += draft->constants[i].width == 'd' ? SLOT64 : SLOT32;
  }
  program->constants = malloc(bytes + 1);
  program->constant_widths = calloc(bytes / SLOT32 + 1, 1);
  if (!program->constants || !program->constant_widths) return false;
  for (int i = 0; i < draft->constant_count; i++)
    program->constant_widths[offsets[i] / SLOT32] = draft->constants[i].width;
  program->constant_bytes = bytes;
  for (int i = 0; i < draft->constant_count; i++)
    for (int lane = 0; lane < LANES; lane++) {
      size_t size = draft->constants[i].width == 'd' ? 8 : 4; /* the low bytes come first */
      memcpy(program->constants + offsets[i] + (size_t)lane * size, &draft->constants[i].value,
             size);
    }
  return true;
}

/* Marks the operations that write what is live at the end of the block last. */
static void mark_results(const struct draft *draft, const struct draft_block *from, struct op *last,
                         uint64_t *live) {
  for (int i = from->first + from->count - 1; i >= from->first; i--) {
    const struct draft_op *d = &draft->ops[i];
    if (d->dead) continue;
    for (int k = 0; k < d->used; k++) {
      vreg r = d->reg[k];
      if (!is_destination(d, k) || !is_register(r) || !bit(live, r)) continue;
      last->lives_on |= (uint16_t)(1u << k);
      if (!d->op.guarded) live[r / 64] &= ~(UINT64_C(1) << (r % 64));
    }
    last--;
  }
}

static bool write_program(const struct draft *draft, const struct layout *layout,
                          struct live *live) {
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
    to->call_pointer = offset_of(layout, from->call_pointer);
    to->counted = to->end != END_NEXT;
    for (int i = from->first; i < from->first + from->count; i++) {
      const struct draft_op *d = &draft->ops[i];
      if (d->dead) continue;
      struct op *op = &program->ops[program->op_count++];
      *op = d->op;
      for (int k = 0; k < d->used; k++) op->slot[k] = offset_of(layout, d->reg[k]);
      op->written = d->writes;
      for (int k = 0; k < d->used; k++)
        if (!is_destination(d, k) && d->reg[k] != NO_VREG) op->read |= (uint16_t)(1u << k);
      op->base = d->reg[0];
      op->shares_memo = !op->guarded && !op->apart &&
                        (op->kind == OP_LOAD || op->kind == OP_STORE) && op->space != PTX_GENERIC &&
                        op->space != PTX_LOCAL;
      if (op->guarded) op->guard = offset_of(layout, d->guard);
      op->varies = (uint8_t)varying_of(op);
      to->counted += op->counted;
    }
    to->count = program->op_count - to->first;
    mark_results(draft, from, &program->ops[program->op_count - 1],
                 live->out + (size_t)b * (size_t)live->words);
  }
  return true;
}

bool slots_assign(struct draft *draft) {
  struct live live = {.draft = draft};
  int *slot = calloc((size_t)draft->vreg_count + 1, sizeof *slot), counts[CLASSES] = {0};
  uint32_t *constants = calloc((size_t)draft->constant_count + 1, sizeof *constants);
  struct program *program = draft->program;
  bool ok = slot && constants && find_liveness(draft, &live) && scan(draft, &live, slot, counts) &&
            write_constants(draft, program, constants);
  for (int w = 0; ok && w < live.words; w++) program->reads_unset |= live.in[w] != 0;
  if (ok) {
    struct layout layout = {.draft = draft, .slot = slot, .constants = constants};
    layout.base[0] = (uint32_t)program->constant_bytes;
    for (int c = 0; c < CLASSES; c++)
      layout.base[c + 1] = layout.base[c] + (uint32_t)counts[c] * slot_bytes[c];
    program->slots64 = layout.base[FIRST_64];
    program->predicates = layout.base[PREDICATES];
    program->frame_bytes = round_up(layout.base[CLASSES], FRAME_ALIGN);
    program->registers = registers_estimate(draft, live.out, (size_t)live.words);
    ok = program->registers >= 0 && write_program(draft, &layout, &live);
  }
  free(live.in);
  free(live.out);
  free(live.set);
  free(live.start);
  free(live.end);
  free(slot);
  free(constants);
  return ok;
}
