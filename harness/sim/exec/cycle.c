/* cycle.c: detects blocks that return to an earlier state, and so never end.
 *
 * Which registers count is found from the basic blocks that were executed since the state was kept,
 * by the analysis of live variables, where what is live is only what a branch, a barrier or an
 * address needs (Horwitz, Demers, Teitelbaum, "An efficient general iterative algorithm for
 * dataflow analysis", Acta Informatica 24, 1987: truly live variables).
 */
#include "harness/sim/exec/cycle.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/slice.h"

enum { WORD_BITS = 64, SLOT_UNIT = 4 /* slots begin at multiples of so many bytes */ };
enum { MAX_LOCAL = 1 << 20 }; /* bytes of local memory that are kept */
enum { MAX_SETS = 1 << 20 };  /* words of all sets of slots */
static const int64_t first_slice = 1 << 20;

struct warp_copy {
  enum warp_state state;
  uint32_t live, barrier_mask, returned;
  int call_depth, stack_size;
  struct stack_entry *stack;
  char *frame; /* of the current function */
};

struct cycle {
  int64_t slice, kept_at; /* kept_at: instructions executed by the block at that time */
  bool kept;              /* a state is */
  access_tag turn;        /* in which it was */
  int warp;               /* at whose basic block it was */
  struct warp_copy *warps;
  unsigned char *shared, *local; /* local NULL: too large to keep */
  uint64_t *counts;              /* of the worker's basic blocks */
  uint64_t *executed;            /* bits: those executed since, for which `live` holds */
  uint64_t **live;            /* slots that matter at the start of each basic block; by program */
  bool proves;                /* false: nothing can be proven about these basic blocks */
  bool needs[PTX_SHARED + 1]; /* memory that matters, by space */
};

/* ---- sets of bits ---- */

static bool bit(const uint64_t *set, size_t i) { return set[i / WORD_BITS] >> (i % WORD_BITS) & 1; }
static void bit_set(uint64_t *set, size_t i) {
  set[i / WORD_BITS] |= UINT64_C(1) << (i % WORD_BITS);
}
static void bit_clear(uint64_t *set, size_t i) {
  set[i / WORD_BITS] &= ~(UINT64_C(1) << (i % WORD_BITS));
}
static size_t words_of(size_t bits) { return bits / WORD_BITS + 1; }
static size_t slot_words(const struct program *program) {
  return words_of(program->frame_bytes / SLOT_UNIT);
}

/* ---- which slots count ---- */

struct analysis {
  struct cycle *cycle;
  const struct launch_state *launch;
  const struct program *program;
  uint64_t *set;
};

static bool is_executed(const struct analysis *a, int block) {
  return block != NO_BLOCK && bit(a->cycle->executed, (size_t)(a->program->block_base + block));
}

static void use(struct analysis *a, uint32_t slot) { bit_set(a->set, slot / SLOT_UNIT); }

static void use_sources(struct analysis *a, const struct op *op) {
  for (int k = 0; k < OP_SLOTS; k++)
    if (!(op->written >> k & 1)) use(a, op->slot[k]);
  if (op->guarded) use(a, op->guard);
}

static bool changes(const struct op *op, enum ptx_space space) {
  return (op->kind == OP_STORE || op->kind == OP_ATOMIC) &&
         (op->space == space || op->space == PTX_GENERIC);
}

/* Memory from which a value that matters is loaded matters, too. */
static void need_memory(struct analysis *a, const struct op *op) {
  bool *needs = a->cycle->needs;
  if (op->space == PTX_CONST || op->space == PTX_PARAM || op->read_only) return;
  if (op->space == PTX_GENERIC)
    needs[PTX_SHARED] = needs[PTX_LOCAL] = needs[PTX_GLOBAL] = true;
  else
    needs[op->space] = true;
}

/* Does the value depend on more than slots and memory? */
static bool is_opaque(const struct op *op) {
  return op->polls || op->body == cold_load_param || op->body == cold_load_param_at ||
         op->body == cold_intrinsic || (op->kind == OP_SPECIAL && op->special == SPECIAL_CLOCK);
}

static void walk_op(struct analysis *a, const struct op *op) {
  bool counts = false, memory = op_is_access(op);
  for (int k = 0; k < OP_SLOTS; k++)
    counts |= op->written >> k & 1 && bit(a->set, op->slot[k] / SLOT_UNIT);
  for (int k = 0; k < OP_SLOTS && counts && !op->guarded; k++)
    if (op->written >> k & 1) bit_clear(a->set, op->slot[k] / SLOT_UNIT);
  bool feeds = false; /* memory that counts */
  for (int space = 0; space <= PTX_SHARED; space++)
    feeds |= a->cycle->needs[space] && changes(op, space);
  if (counts || feeds) use_sources(a, op);
  if (counts && is_opaque(op)) a->cycle->proves = false;
  if (counts && memory) need_memory(a, op);
  if (memory) {
    use(a, op->slot[0]); /* the address */
    if (op->guarded) use(a, op->guard);
  }
}

static void walk_block(struct analysis *a, const struct basic_block *block) {
  if (block->end == END_BRANCH) use(a, block->predicate);
  if (block->end == END_BARRIER && block->named) {
    use(a, block->barrier_number);
    use(a, block->barrier_threads);
  }
  if (block->end == END_BARRIER && block->reduce_op) use(a, block->reduce_from);
  if (block->end == END_CALL) a->cycle->proves = false;
  for (int i = block->count; i-- > 0;) walk_op(a, &a->program->ops[block->first + i]);
}

static void join(struct analysis *a, const uint64_t *live, int successor) {
  size_t words = slot_words(a->program);
  if (!is_executed(a, successor)) return;
  for (size_t w = 0; w < words; w++) a->set[w] |= live[(size_t)successor * words + w];
}

/* One round over the executed blocks of a function. True: something is new. */
static bool walk_program(struct analysis *a, uint64_t *live) {
  const struct program *program = a->program;
  size_t words = slot_words(program);
  bool changed = false;
  for (int b = program->block_count; b-- > 0;) {
    const struct basic_block *block = &program->blocks[b];
    if (!is_executed(a, b)) continue;
    memset(a->set, 0, words * sizeof *a->set);
    if (block->end == END_BRANCH || block->end == END_JUMP) join(a, live, block->target);
    if (block->end != END_JUMP) join(a, live, block->next);
    walk_block(a, block);
    uint64_t *in = live + (size_t)b * words;
    changed |= memcmp(in, a->set, words * sizeof *a->set) != 0;
    memcpy(in, a->set, words * sizeof *a->set);
  }
  return changed;
}

/* Can global memory change while the block loops, by whomever? Then nothing can be proven. */
static bool global_changes(const struct analysis *a) {
  const struct program *kernel = a->launch->program;
  if (kernel->has_fence || kernel->has_polls || kernel->order_matters) return true;
  for (int p = 0; p < a->launch->kernel->program_count; p++) {
    const struct program *program = a->launch->kernel->programs[p];
    for (int b = 0; b < program->block_count; b++) {
      if (!bit(a->cycle->executed, (size_t)(program->block_base + b))) continue;
      for (int i = 0; i < program->blocks[b].count; i++)
        if (changes(&program->ops[program->blocks[b].first + i], PTX_GLOBAL)) return true;
    }
  }
  return false;
}

/* Finds the slots for the basic blocks in cycle->executed. False: no memory. */
static bool analyse(struct cycle *cycle, const struct launch_state *launch) {
  const struct kernel *kernel = launch->kernel;
  struct analysis a = {.cycle = cycle, .launch = launch};
  memset(cycle->needs, 0, sizeof cycle->needs);
  cycle->proves = true;
  size_t max = 0;
  for (int p = 0; p < kernel->program_count; p++) {
    const struct program *program = kernel->programs[p];
    size_t words = slot_words(program), blocks = (size_t)program->block_count;
    if (words * blocks > MAX_SETS) cycle->proves = false;
    if (!cycle->live[p]) cycle->live[p] = malloc((words * blocks + 1) * sizeof *cycle->live[p]);
    if (!cycle->live[p]) return false;
    memset(cycle->live[p], 0, words * blocks * sizeof *cycle->live[p]);
    if (words > max) max = words;
  }
  a.set = malloc(max * sizeof *a.set);
  if (!a.set) return false;
  for (bool changed = true; changed && cycle->proves;) {
    changed = false;
    for (int p = 0; p < kernel->program_count; p++) {
      a.program = kernel->programs[p];
      changed |= walk_program(&a, cycle->live[p]);
    }
  }
  if (cycle->needs[PTX_GLOBAL] && global_changes(&a)) cycle->proves = false;
  if (cycle->needs[PTX_LOCAL] && !cycle->local) cycle->proves = false;
  free(a.set);
  return true;
}

/* Updates `live`. False: nothing can be proven. */
static bool know_live(struct cycle *cycle, const struct warp *warp) {
  const struct launch_state *launch = warp->worker->launch;
  int blocks = launch->kernel->block_count;
  bool changed = false;
  for (int b = 0; b < blocks; b++) {
    if (warp->worker->block_counts[b].executed == cycle->counts[b] ||
        bit(cycle->executed, (size_t)b))
      continue;
    bit_set(cycle->executed, (size_t)b);
    changed = true;
  }
  return (!changed || analyse(cycle, launch)) && cycle->proves;
}

/* ---- states ---- */

static int program_number(const struct kernel *kernel, const struct program *program) {
  int p = 0;
  while (p < kernel->program_count && kernel->programs[p] != program) p++;
  return p;
}

static size_t local_bytes_of(const struct block *block) {
  size_t bytes = (size_t)block->warp_count * LANES * block->worker->local_bytes;
  return block->worker->launch->program->local_bytes && bytes <= MAX_LOCAL ? bytes : 0;
}

static struct cycle *open_cycle(const struct block *block) {
  const struct launch_state *launch = block->worker->launch;
  size_t blocks = (size_t)launch->kernel->block_count + 1, local = local_bytes_of(block);
  struct cycle *cycle = calloc(1, sizeof *cycle);
  if (!cycle) return NULL;
  cycle->warps = calloc((size_t)block->warp_count, sizeof *cycle->warps);
  cycle->shared = malloc(launch->shared_span + 1);
  cycle->local = local ? malloc(local) : NULL;
  cycle->counts = malloc(blocks * sizeof *cycle->counts);
  cycle->executed = calloc(words_of(blocks), sizeof *cycle->executed);
  cycle->live = calloc((size_t)launch->kernel->program_count, sizeof *cycle->live);
  return cycle;
}

static bool copy_warp(struct warp_copy *copy, const struct warp *warp) {
  const struct frame_record *call = &warp->calls[warp->call_depth];
  size_t stack = (size_t)warp->stack_size * sizeof *warp->stack, frame = call->program->frame_bytes;
  struct stack_entry *entries = realloc(copy->stack, stack + 1);
  if (entries) copy->stack = entries;
  char *registers = realloc(copy->frame, frame + 1);
  if (registers) copy->frame = registers;
  if (!entries || !registers) return false;
  memcpy(entries, warp->stack, stack);
  memcpy(registers, call->frame, frame);
  copy->state = warp->state;
  copy->live = warp->live;
  copy->barrier_mask = warp->barrier_mask;
  copy->returned = call->returned;
  copy->call_depth = warp->call_depth;
  copy->stack_size = warp->stack_size;
  return warp->path_count == 0;
}

static bool keep(struct cycle *cycle, const struct warp *warp) {
  const struct block *block = warp->block;
  const struct launch_state *launch = warp->worker->launch;
  if (!cycle->warps || !cycle->shared || !cycle->counts || !cycle->executed || !cycle->live)
    return false;
  for (int i = 0; i < block->warp_count; i++)
    if (!copy_warp(&cycle->warps[i], &block->warps[i])) return false;
  memcpy(cycle->shared, block->shared, launch->shared_span);
  if (cycle->local) memcpy(cycle->local, block->local, local_bytes_of(block));
  for (int b = 0; b < launch->kernel->block_count; b++)
    cycle->counts[b] = warp->worker->block_counts[b].executed;
  memset(cycle->executed, 0,
         words_of((size_t)launch->kernel->block_count + 1) * sizeof *cycle->executed);
  cycle->turn = block->span.turn;
  cycle->warp = warp->index;
  cycle->kept_at = slice_spent(block);
  return true;
}

static bool same_place(const struct warp_copy *copy, const struct warp *warp) {
  return copy->stack_size == warp->stack_size && copy->call_depth == warp->call_depth &&
         copy->live == warp->live && copy->state == warp->state &&
         copy->barrier_mask == warp->barrier_mask &&
         copy->returned == warp->calls[warp->call_depth].returned && warp->path_count == 0 &&
         memcmp(copy->stack, warp->stack, (size_t)warp->stack_size * sizeof *warp->stack) == 0;
}

/* Does the slot hold the same as in the copy, in the lanes that are left? What others hold means
 * nothing. */
static bool same_slot(const struct program *program, const char *copy, const char *frame,
                      size_t offset, uint32_t lanes) {
  if (offset >= program->predicates) {
    uint32_t a, b;
    memcpy(&a, copy + offset, sizeof a);
    memcpy(&b, frame + offset, sizeof b);
    return !((a ^ b) & lanes);
  }
  size_t bytes = offset >= program->slots64 ? 8 : 4;
  EACH_ACTIVE (i, lanes) {
    size_t at = offset + (size_t)i * bytes;
    if (memcmp(copy + at, frame + at, bytes) != 0) return false;
  }
  return true;
}

/* The slots that matter where the warp's lanes are. */
static bool same_slots(const struct cycle *cycle, const struct warp *warp) {
  const struct launch_state *launch = warp->worker->launch;
  const struct warp_copy *copy = &cycle->warps[warp->index];
  const struct frame_record *call = &warp->calls[warp->call_depth];
  const struct program *program = call->program;
  size_t words = slot_words(program);
  const uint64_t *live = cycle->live[program_number(launch->kernel, program)];
  for (int e = call->stack_base; e < warp->stack_size; e++) {
    int at = warp->stack[e].block;
    for (size_t w = 0; at != NO_BLOCK && w < words; w++)
      for (uint64_t left = live[(size_t)at * words + w]; left; left &= left - 1) {
        size_t offset = (w * WORD_BITS + (size_t)__builtin_ctzll(left)) * SLOT_UNIT;
        if (!same_slot(program, copy->frame, call->frame, offset, warp->live)) return false;
      }
  }
  return true;
}

static bool same_state(struct cycle *cycle, const struct warp *warp) {
  const struct block *block = warp->block;
  if (cycle->warp != warp->index || !same_place(&cycle->warps[warp->index], warp)) return false;
  if (!know_live(cycle, warp) || !same_slots(cycle, warp)) return false;
  for (int i = 0; i < block->warp_count; i++) {
    const struct warp *other = &block->warps[i];
    if (!same_place(&cycle->warps[i], other) || !same_slots(cycle, other)) return false;
  }
  if (cycle->needs[PTX_SHARED] &&
      memcmp(cycle->shared, block->shared, warp->worker->launch->shared_span) != 0)
    return false;
  return !cycle->needs[PTX_LOCAL] || memcmp(cycle->local, block->local, local_bytes_of(block)) == 0;
}

bool cycle_found(struct warp *warp, int64_t *slice) {
  struct block *block = warp->block;
  if (!block->cycle) block->cycle = open_cycle(block);
  struct cycle *cycle = block->cycle;
  if (!cycle) return false;
  if (!cycle->slice) cycle->slice = first_slice;
  if (cycle->kept && cycle->turn == block->span.turn) {
    if (same_state(cycle, warp)) return true;
    if (slice_spent(block) - cycle->kept_at > cycle->slice / 8) {
      cycle->kept = false;
      cycle->slice *= 2;
      *slice = cycle->slice;
      return false;
    }
  } else {
    cycle->kept = keep(cycle, warp);
    if (!cycle->kept) return false;
  }
  *slice = 0; /* a look at every basic block */
  return false;
}

void cycle_end(struct block *block) {
  if (!block->cycle) return;
  block->cycle->kept = false;
  block->cycle->slice = 0;
}

void cycle_close(struct block *block) {
  struct cycle *cycle = block->cycle;
  if (!cycle) return;
  for (int i = 0; cycle->warps && i < block->warp_count; i++) {
    free(cycle->warps[i].stack);
    free(cycle->warps[i].frame);
  }
  for (int p = 0; cycle->live && p < block->worker->launch->kernel->program_count; p++)
    free(cycle->live[p]);
  free(cycle->live);
  free(cycle->warps);
  free(cycle->shared);
  free(cycle->local);
  free(cycle->counts);
  free(cycle->executed);
  free(cycle);
  block->cycle = NULL;
}
