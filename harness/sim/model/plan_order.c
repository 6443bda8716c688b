/* plan_order.c: in which order a compiler would issue the operations of a block. */
#include <stdlib.h>

#include "harness/sim/model/planner.h"

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

static void add_pending(struct pending *pending, const struct op *op) {
  pending->fence |= is_fence(op);
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

/* A list scheduler: of the next WINDOW operations, the one that could start first; of several, the
 * first load, then the first in the program. At most MAX_LOADED registers are loaded and unused. */
bool order_ops(struct planner *b) {
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
