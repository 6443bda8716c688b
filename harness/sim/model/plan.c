/* plan.c: plans how an SM issues a kernel: finds the inputs of each operation and puts basic blocks
 * in the order of a list scheduler. */
#include "harness/sim/model/plan.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/trace.h"

/* ---- values ---- */

/* Numbers of the registers of a program, by their offset in the frame. */
struct values {
  int16_t *number; /* by offset / 4; -1: none yet */
  size_t offsets;
  size_t constants; /* offsets below are constants */
  int next;
};

static int value_of(struct values *values, uint32_t offset) {
  if (offset < values->constants || offset / 4 >= values->offsets) return -1;
  int16_t *number = &values->number[offset / 4];
  if (*number < 0) *number = (int16_t)values->next++;
  return *number;
}

/* ---- one block ---- */

struct planner {
  struct plan_block *to;
  const struct op *ops;
  struct values *values;
  int16_t *maker; /* by value: the operation of the block that made it last, or -1 */
  int predicate;  /* the value that the branch at the end tests, or -1 */
};

/* Of an unrolled loop, the operations come turn by turn. */
static const struct op *op_at(const struct planner *b, int i) {
  return &b->ops[i % (b->to->count / b->to->turns)];
}

static void add_input(struct plan_op *op, int input) {
  for (int i = 0; i < op->input_count; i++)
    if (op->inputs[i] == input) return;
  if (op->input_count < MAX_INPUTS) op->inputs[op->input_count++] = (int16_t)input;
}

static void add_source(struct planner *b, struct plan_op *op, uint32_t offset) {
  int value = value_of(b->values, offset);
  if (value < 0) return;
  add_input(op, b->maker[value] >= 0 ? b->maker[value] : ~value);
}

static bool copies(const struct op *op) {
  return (op->guarded ? op->guarded_run : op->run[0]) == cold_async_store;
}

/* A wait for asynchronous copies, at i: those that the block has issued before. What it issued in
 * earlier rounds counts as there. */
static void add_copies(struct planner *b, struct plan_op *plan, int i) {
  for (int j = i - 1; j >= 0; j--) {
    const struct op *op = op_at(b, j);
    if (!copies(op)) continue;
    for (int k = 1; k <= op->count; k++) {
      int value = value_of(b->values, op->slot[k]);
      if (value >= 0 && b->maker[value] >= 0) add_input(plan, b->maker[value]);
    }
  }
}

/* Does the operation add a constant to its result in the last turn? A compiler folds such steps
 * into the addresses of later accesses. */
static bool is_step(const struct plan_block *to, int i, int turn_ops) {
  const struct plan_op *op = &to->ops[i];
  if (op->cost.unit != UNIT_ADD || op->input_count != 1) return false;
  int from = op->inputs[0];
  while (from >= 0 && to->ops[from].cost.unit == UNIT_NONE && to->ops[from].input_count == 1 &&
         from != i - turn_ops)
    from = to->ops[from].inputs[0];
  return from >= 0 && from == i - turn_ops;
}

static void find_inputs(struct planner *b) {
  struct plan_block *to = b->to;
  int turn_ops = to->count / to->turns;
  for (int i = 0; i < to->count; i++) {
    const struct op *op = op_at(b, i);
    struct plan_op *plan = &to->ops[i];
    plan->cost = cost_of_op(op);
    plan->access = op_is_access(op) ? (int16_t)to->access_count++ : -1;
    if (op->guarded) add_source(b, plan, op->guard);
    if (copies(op)) /* it does not wait for what it copies; a wait does */
      add_source(b, plan, op->slot[0]);
    else
      for (int k = 0; k < OP_SLOTS; k++)
        if (!(op->written >> k & 1)) add_source(b, plan, op->slot[k]);
    for (int j = i; j > 0 && op->kind == OP_TENSOR && op_at(b, j - 1)->body == cold_tensor_operands;
         j--)
      for (int k = 0; k < op_at(b, j - 1)->tensor.count; k++)
        add_source(b, plan, op_at(b, j - 1)->slot[k]);
    if (op->body == cold_async_wait) add_copies(b, plan, i);
    for (int k = 0; k < OP_SLOTS && op->guarded; k++)
      if (op->written >> k & 1) add_source(b, plan, op->slot[k]);
    for (int k = 0; k < OP_SLOTS; k++) {
      int value = op->written >> k & 1 ? value_of(b->values, op->slot[k]) : -1;
      if (value >= 0) b->maker[value] = (int16_t)i;
    }
    bool tests = b->predicate >= 0 && b->maker[b->predicate] == i && i < to->count - turn_ops;
    plan->is_step = i >= turn_ops && is_step(to, i, turn_ops);
    if (tests || plan->is_step) plan->cost = (struct cost){UNIT_NONE, 0, 0, 0};
  }
}

/* ---- the order of issue ---- */

/* ptxas keeps a kernel to about 32 registers if it can, so that an SM holds all its warps. */
enum { WINDOW = 192, MAX_LOADED = 18 };

/* Earlier operations that have not been issued yet and hold others back: a bit per space; all bits
 * for generic addresses. */
struct pending {
  unsigned loads, stores;
  bool atomics, volatiles, convergent, fence;
};

static unsigned spaces_of(const struct op *op) {
  return op->space == PTX_GENERIC ? ~0u : 1u << op->space;
}

static bool is_convergent(const struct op *op) {
  return op->kind == OP_SHUFFLE || op->kind == OP_VOTE || op->kind == OP_MATCH ||
         op->kind == OP_REDUX;
}

static void add_pending(struct pending *pending, const struct op *op) {
  pending->fence |= op->orders_shared;
  pending->convergent |= is_convergent(op);
  if (!op_is_access(op)) return;
  pending->atomics |= op->kind == OP_ATOMIC;
  pending->volatiles |= op->is_volatile;
  if (op->kind == OP_STORE)
    pending->stores |= spaces_of(op);
  else if (!op->read_only)
    pending->loads |= spaces_of(op);
}

/* Must the operation wait for one of them, whatever its registers? */
static bool holds_back(const struct pending *pending, const struct op *op) {
  if (pending->fence) return true;
  if (op->orders_shared) return pending->loads || pending->stores || pending->atomics;
  if (is_convergent(op)) return pending->convergent;
  if (!op_is_access(op)) return false;
  if (pending->atomics || (op->is_volatile && pending->volatiles)) return true;
  if (op->kind == OP_ATOMIC) return pending->loads || pending->stores;
  if (op->kind == OP_STORE) return (pending->loads | pending->stores) & spaces_of(op);
  return !op->read_only && pending->stores & spaces_of(op);
}

static bool makes_load(const struct plan_op *plan, const struct op *op) {
  return plan->access >= 0 && op->kind != OP_STORE;
}

/* A list scheduler: of the next WINDOW operations, the one that could start first; of several, the
 * first load, then the first in the program. At most MAX_LOADED registers are loaded and unused. */
static bool order_ops(struct planner *b) {
  struct plan_block *to = b->to;
  int count = to->count, first = 0, now = 0, loaded = 0;
  struct {
    int ready; /* when the result is there */
    bool done, used;
  } *ops = calloc((size_t)count + 1, sizeof *ops);
  if (!ops) return false;
  for (int placed = 0; placed < count; placed++) {
    while (ops[first].done) first++;
    int best = -1, best_start = 0;
    bool best_loads = false;
    struct pending pending = {0};
    for (int i = first; i < count && i < first + WINDOW && !pending.fence; i++) {
      if (ops[i].done) continue;
      const struct plan_op *plan = &to->ops[i];
      const struct op *op = op_at(b, i);
      bool blocked = holds_back(&pending, op);
      int start = now;
      for (int k = 0; k < plan->input_count && !blocked; k++) {
        if (plan->inputs[k] < 0) continue;
        blocked = !ops[plan->inputs[k]].done;
        if (ops[plan->inputs[k]].ready > start) start = ops[plan->inputs[k]].ready;
      }
      bool loads = makes_load(plan, op);
      if (loads && loaded + op->count > MAX_LOADED && i != first) blocked = true;
      add_pending(&pending, op);
      if (blocked) continue;
      if (best < 0 || start < best_start || (start == best_start && loads && !best_loads)) {
        best = i;
        best_start = start;
        best_loads = loads;
      }
    }
    const struct plan_op *plan = &to->ops[best];
    ops[best].done = true;
    now = best_start + plan->cost.slots;
    ops[best].ready = best_start + (best_loads ? 40 : plan->cost.latency);
    if (best_loads) loaded += op_at(b, best)->count;
    for (int k = 0; k < plan->input_count; k++) {
      int from = plan->inputs[k];
      if (from < 0 || ops[from].used || !makes_load(&to->ops[from], op_at(b, from))) continue;
      ops[from].used = true;
      loaded -= op_at(b, from)->count;
    }
    to->order[placed] = (int16_t)best;
  }
  free(ops);
  return true;
}

/* ---- a program ---- */

static void release_block(struct plan_block *block) {
  free(block->ops);
  free(block->order);
  free(block->results);
}

/* Does the loop count in steps of a constant? Only then does a compiler know how many turns it has,
 * and unroll it. */
static bool has_step(const struct plan_block *to) {
  if (to->predicate < 0) return false;
  const struct plan_op *test = &to->ops[to->predicate];
  for (int i = 0; i < test->input_count; i++) {
    int from = test->inputs[i];
    while (from >= 0 && !to->ops[from].is_step && to->ops[from].cost.unit == UNIT_NONE &&
           to->ops[from].input_count == 1)
      from = to->ops[from].inputs[0];
    if (from >= 0 && to->ops[from].is_step) return true;
  }
  return false;
}

/* Plans `turns` turns of a block (a loop), or the block itself (1). */
static bool plan_turns(struct planner *b, const struct program *program,
                       const struct basic_block *block, int turns, struct plan_block *to) {
  *to = (struct plan_block){.block = block, .count = block->count * turns, .turns = turns};
  to->ops = calloc((size_t)to->count + 1, sizeof *to->ops);
  to->order = calloc((size_t)to->count + 1, sizeof *to->order);
  if (!to->ops || !to->order || to->count >= INT16_MAX) return false;
  b->to = to;
  b->ops = program->ops + block->first;
  b->predicate = block->end == END_BRANCH ? value_of(b->values, block->predicate) : -1;
  memset(b->maker, -1, b->values->offsets * sizeof *b->maker);
  find_inputs(b);
  to->predicate = INT16_MIN;
  if (b->predicate >= 0)
    to->predicate = b->maker[b->predicate] >= 0 ? b->maker[b->predicate] : (int16_t)~b->predicate;
  for (int v = 0; v < b->values->next; v++) to->result_count += b->maker[v] >= 0;
  to->results = calloc((size_t)to->result_count + 1, sizeof *to->results);
  if (!to->results) return false;
  int result = 0;
  for (int v = 0; v < b->values->next; v++) {
    if (b->maker[v] < 0) continue;
    to->results[result].value = (int16_t)v;
    to->results[result++].op = b->maker[v];
  }
  return order_ops(b);
}

/* The block itself or, if all it does is jump, where that leads. */
static int skip_jumps(const struct program *program, int number) {
  for (int i = 0; i < 4 && number != NO_BLOCK && trace_skips(&program->blocks[number]); i++)
    number = program->blocks[number].end == END_JUMP ? program->blocks[number].target
                                                     : program->blocks[number].next;
  return number;
}

/* How often ptxas unrolls a loop whose number of turns is known only at run time: until the body
 * has about 100 instructions, up to 16 times. */
static int turns_of(const struct program *program, int number) {
  enum { MAX_TURNS = 16, BODY = 100 };
  const struct basic_block *block = &program->blocks[number];
  int instructions = 1, turns = 1;
  if (block->end != END_BRANCH ||
      (skip_jumps(program, block->target) != number && skip_jumps(program, block->next) != number))
    return 1;
  for (int i = block->first; i < block->first + block->count; i++) {
    const struct op *op = &program->ops[i];
    if (op->orders_shared || is_convergent(op) || op->kind == OP_ATOMIC || op->is_volatile)
      return 1;
    instructions += op->counted;
  }
  while (turns < MAX_TURNS && 2 * turns * instructions <= BODY) turns *= 2;
  return turns;
}

/* Are the instructions that a branch skips so few that a compiler predicates them instead? */
static bool is_predicated(const struct program *program, const struct basic_block *block) {
  enum { FEW = 8 };
  if (block->end != END_BRANCH || block->reconverge == NO_BLOCK) return false;
  int sides[2] = {skip_jumps(program, block->target), skip_jumps(program, block->next)};
  int meet = skip_jumps(program, block->reconverge);
  for (int i = 0; i < 2; i++) {
    if (sides[i] == meet) continue;
    const struct basic_block *side = &program->blocks[sides[i]];
    bool joins = (side->end == END_JUMP && skip_jumps(program, side->target) == meet) ||
                 (side->end == END_NEXT && skip_jumps(program, side->next) == meet);
    if (!joins || side->counted > FEW) return false;
  }
  return true;
}

static bool plan_block_of(struct planner *b, const struct program *program, int number,
                          struct plan_block *to) {
  const struct basic_block *block = &program->blocks[number];
  int turns = turns_of(program, number);
  if (!plan_turns(b, program, block, 1, to)) return false;
  to->predicated = is_predicated(program, block);
  if (turns == 1) return true;
  to->unrolled = calloc(1, sizeof *to->unrolled);
  if (!to->unrolled || !plan_turns(b, program, block, turns, to->unrolled)) return false;
  if (has_step(to->unrolled)) return true;
  release_block(to->unrolled);
  free(to->unrolled);
  to->unrolled = NULL;
  return true;
}

static bool plan_program(struct plan *plan, const struct program *program) {
  struct values values = {
      .offsets = program->frame_bytes / 4 + 1, .constants = program->constant_bytes, .next = 0};
  values.number = malloc(values.offsets * sizeof *values.number);
  struct planner b = {.values = &values};
  b.maker = malloc(values.offsets * sizeof *b.maker);
  bool ok = values.number && b.maker;
  if (ok) memset(values.number, -1, values.offsets * sizeof *values.number);
  for (int i = 0; ok && i < program->block_count; i++) {
    struct plan_block *to = &plan->blocks[program->block_base + i];
    ok = plan_block_of(&b, program, i, to);
    if (to->count > plan->max_ops) plan->max_ops = to->count;
    if (ok && to->unrolled && to->unrolled->count > plan->max_ops)
      plan->max_ops = to->unrolled->count;
  }
  if (values.next > plan->value_count) plan->value_count = values.next;
  free(values.number);
  free(b.maker);
  return ok;
}

struct plan *plan_make(const struct kernel *kernel) {
  struct plan *plan = calloc(1, sizeof *plan);
  if (!plan) return NULL;
  plan->block_count = kernel->block_count;
  plan->blocks = calloc((size_t)plan->block_count + 1, sizeof *plan->blocks);
  bool ok = plan->blocks != NULL;
  for (int p = 0; ok && p < kernel->program_count; p++)
    ok = plan_program(plan, kernel->programs[p]);
  if (ok) return plan;
  plan_free(plan);
  return NULL;
}

void plan_free(struct plan *plan) {
  if (!plan) return;
  for (int i = 0; plan->blocks && i < plan->block_count; i++) {
    if (plan->blocks[i].unrolled) release_block(plan->blocks[i].unrolled);
    free(plan->blocks[i].unrolled);
    release_block(&plan->blocks[i]);
  }
  free(plan->blocks);
  free(plan);
}
