/* plan_order.c: in which order a compiler would issue the operations of a block. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/model/planner.h"

enum {
  WINDOW = 192,
  SHARED_LATENCY = 24, /* which ptxas assumes */
  GLOBAL_LATENCY = 100,
  UNUSED = 3, /* one is for the stack, two never hold anything */
};

/* Earlier operations that have not been issued yet and hold others back: a bit per space; all bits
 * for generic addresses. */
struct pending {
  unsigned loads, stores;
  bool atomics, volatiles, convergent, fence, any;
};

static unsigned spaces_of(const struct op *op) {
  return op->space == PTX_GENERIC ? ~0u : 1u << op->space;
}

static void add_pending(struct pending *pending, const struct op *op) {
  pending->fence |= is_fence(op) || op_branches(op);
  pending->any = true;
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
  if (op_branches(op)) return pending->any;
  if (is_fence(op)) return pending->loads || pending->stores || pending->atomics;
  if (is_convergent(op)) return pending->convergent;
  if (!op_is_access(op)) return false;
  if (pending->atomics || (op->is_volatile && pending->volatiles)) return true;
  if (op->kind == OP_ATOMIC) return pending->loads || pending->stores;
  if (op->kind == OP_STORE) return (pending->loads | pending->stores) & spaces_of(op);
  return !op->read_only && pending->stores & spaces_of(op);
}

static bool makes_load(const struct plan_op *plan, const struct op *op) {
  return plan->traced >= 0 && op_is_access(op) && op->kind != OP_STORE;
}

/* ---- registers ---- */

struct scheduled {
  int ready;     /* when the result is there */
  int registers; /* that the result takes until it was used for the last time in the block */
  int uses;      /* in the block, by operations that have no place yet */
  int depth;     /* loads of the block that it waits for, one after the other */
  bool done;
  bool locates; /* it makes the address of a load, or helps to */
};

static int registers_of(const struct plan_op *plan, const struct op *op) {
  if (plan->is_step || op->predicate) return 0;
  int count = 0;
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->written >> k & 1)
      count += op_is_access(op) ? (op->size > 4 ? 2 : 1) : k == 0 && op->wide ? 2 : 1;
  if (op_is_access(op) && op->count == 3) count++; /* the fourth of a vector, which nobody reads */
  return count;
}

/* Results that live on take the place of what the register held before. */
static void count_registers(const struct planner *b, struct scheduled *ops) {
  const struct plan_block *to = b->to;
  for (int i = 0; i < to->count; i++) {
    ops[i].registers = registers_of(&to->ops[i], op_at(b, i));
    for (int k = 0; k < to->ops[i].input_count; k++) {
      int from = to->ops[i].inputs[k];
      if (from < 0) continue;
      ops[from].uses++;
      ops[from].locates |= makes_load(&to->ops[i], op_at(b, i));
      int depth = ops[from].depth + makes_load(&to->ops[from], op_at(b, from));
      if (from < i && depth > ops[i].depth) ops[i].depth = depth;
    }
  }
  for (int i = to->count - 1; i >= 0; i--)
    for (int k = 0; k < to->ops[i].input_count && ops[i].locates; k++)
      if (to->ops[i].inputs[k] >= 0 && to->ops[i].inputs[k] < i)
        ops[to->ops[i].inputs[k]].locates |= !op_is_access(op_at(b, to->ops[i].inputs[k]));
  for (int i = 0; i < to->count; i++)
    if (!ops[i].uses || is_needed_after(b, i)) ops[i].registers = 0;
}

/* How many registers of this result are free after one more use: the words of a vector one by one.
 */
static int freed(const struct scheduled *op) {
  return op->uses == 1 ? op->registers : op->uses <= op->registers;
}

/* How many more registers are in use once the operation has its place. */
static int more_registers(const struct plan_op *plan, const struct scheduled *ops, int i) {
  int more = ops[i].registers;
  for (int k = 0; k < plan->input_count; k++)
    if (plan->inputs[k] >= 0) more -= freed(&ops[plan->inputs[k]]);
  return more;
}

/* Notes that the operation has its place, and with it the last use of what it needs. */
static void take_inputs(const struct plan_op *plan, struct scheduled *ops) {
  for (int k = 0; k < plan->input_count; k++) {
    if (plan->inputs[k] < 0) continue;
    struct scheduled *from = &ops[plan->inputs[k]];
    from->registers -= freed(from);
    from->uses--;
  }
}

/* Registers that values of the block take at once in the order of the program; -1 if memory runs
 * out. */
static int least_room(const struct plan_block *to, const struct scheduled *ops) {
  struct scheduled *left = malloc(((size_t)to->count + 1) * sizeof *left);
  if (!left) return -1;
  memcpy(left, ops, (size_t)to->count * sizeof *left);
  int used = 0, most = 0;
  for (int i = 0; i < to->count; i++) {
    used += more_registers(&to->ops[i], left, i);
    if (used > most) most = used;
    take_inputs(&to->ops[i], left);
  }
  free(left);
  return most;
}

/* Registers that ptxas may use without an SM's schedulers holding fewer warps. */
static int as_many_as(int allocated) {
  enum { REGISTERS = 512, UNIT = 8, USUAL = 32, MOST = 255 }; /* 512: of a scheduler, by warps */
  int registers = USUAL;
  for (int warps = REGISTERS / USUAL; warps > 1 && registers < allocated; warps--)
    registers = REGISTERS / warps / UNIT * UNIT;
  return registers < MOST ? registers : MOST;
}

/* What the registers of a thread leave for values of the block; -1 if memory runs out. ptxas fills
 * those that cost no warps, of which an SM holds all if a thread has 32, with loads that it moves
 * up; what lives through the loop leaves less for them: of 164 loops of 40 instructions and more
 * that nvcc 13 made of other people's programs, 136 are in kernels of at most 32, with 8 to 22
 * registers that live through them, and 82 in such that use just 30. */
static int room_of(const struct planner *b, const struct scheduled *ops) {
  int least = least_room(b->to, ops),
      room = as_many_as(b->allocated) - UNUSED - b->to->block->registers;
  return least < 0 || room < least ? least : room;
}

/* ---- the order ---- */

/* A list scheduler: of the next WINDOW operations, the one that could start first; of several, the
 * first load, then the first in the program; as far as there are registers, else as the program
 * has them: then addresses wait, too, or they would take the registers of what is loaded. Loads
 * keep their order, unless one waits for more of the others than the next. */
bool order_ops(struct planner *b) {
  struct plan_block *to = b->to;
  int count = to->count, first = 0, now = 0, used = 0;
  struct scheduled *ops = calloc((size_t)count + 1, sizeof *ops);
  if (ops) count_registers(b, ops);
  int room = ops ? room_of(b, ops) : -1;
  if (room < 0) {
    free(ops);
    return false;
  }
  for (int placed = 0; placed < count; placed++) {
    while (ops[first].done) first++;
    int best = -1, best_start = 0;
    bool best_loads = false;
    int passed = INT32_MAX; /* the least depth of loads that come before */
    bool full = false;      /* one of them lacks but room */
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
      if (loads && ops[i].depth >= passed) blocked = true;
      if (loads && ops[i].depth < passed) passed = ops[i].depth;
      if (!blocked && i != first) {
        int more = more_registers(plan, ops, i);
        blocked = more > 0 && used + more + ops[i].locates > room;
        full |= blocked && loads;
        blocked |= full && ops[i].locates && more > 0;
      }
      add_pending(&pending, op);
      if (blocked) continue;
      if (best < 0 || start < best_start || (start == best_start && loads && !best_loads)) {
        best = i;
        best_start = start;
        best_loads = loads;
      }
    }
    const struct plan_op *plan = &to->ops[best];
    used += more_registers(plan, ops, best);
    ops[best].done = true;
    now = best_start + warp_cycles(&plan->cost);
    ops[best].ready = best_start + (!best_loads    ? plan->cost.latency
                                    : plan->shared ? SHARED_LATENCY
                                                   : GLOBAL_LATENCY);
    take_inputs(plan, ops);
    to->order[placed] = (int16_t)best;
  }
  free(ops);
  return true;
}
