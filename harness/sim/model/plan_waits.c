/* plan_waits.c: for which inputs an instruction waits longer than what makes them takes by itself.
 *
 * A result is there a cycle later for the other one of the pipelines for floating-point numbers and
 * products, and for integers. Additions of 64 bits follow each other before their upper halves are
 * there, for which all else waits. A predicate comes late to what is executed under it. Measured by
 * gpus/calibrate_pairs.cu.
 */
#include "harness/sim/model/planner.h"

enum { CROSSING = 1, UPPER_HALF = 4, UNDER_PREDICATE = 9 };

static bool is_for_products(const struct cost *cost) { return cost->unit == UNIT_FP32; }
static bool is_for_integers(const struct cost *cost) {
  return cost->unit == UNIT_ALU || cost->unit == UNIT_ADD;
}
/* IADD3 and IADD3.X. */
static bool adds_64_bits(const struct cost *cost) {
  return cost->unit == UNIT_ADD && cost->slots == 2 && cost->latency == 6;
}

/* Is the operation executed under the predicate that this one makes? */
static bool is_under(const struct planner *b, int i, int from) {
  const struct op *op = op_at(b, i), *maker = op_at(b, from);
  int turn_ops = b->to->count / b->to->turns;
  bool guarded = op->guarded || b->guards[i % turn_ops] >= 0;
  return guarded && maker->predicate && !op->predicate;
}

static int wait_for(const struct planner *b, int i, int from) {
  const struct cost *cost = &b->to->ops[i].cost, *made = &b->to->ops[from].cost;
  if (is_under(b, i, from)) return UNDER_PREDICATE;
  bool wants_both = !adds_64_bits(cost) && !b->to->ops[i].shared; /* that has 32 bits there */
  if (adds_64_bits(made) && wants_both) return UPPER_HALF;
  bool crosses = (is_for_products(cost) && is_for_integers(made)) ||
                 (is_for_integers(cost) && is_for_products(made));
  return crosses ? CROSSING : 0;
}

/* The longest wait for what makes it, through moves. */
static int wait_through(const struct planner *b, int i, int from, int depth) {
  const struct plan_op *made = &b->to->ops[from];
  if (made->cost.unit != UNIT_NONE) return wait_for(b, i, from);
  int most = 0;
  for (int k = 0; k < made->input_count && depth > 0; k++) {
    int input = made->inputs[k];
    if (input < 0 || input >= b->to->count) continue;
    int wait = wait_through(b, i, input, depth - 1);
    if (wait > most) most = wait;
  }
  return most;
}

void count_waits(struct planner *b) {
  struct plan_block *to = b->to;
  for (int i = 0; i < to->count; i++) {
    struct plan_op *op = &to->ops[i];
    if (op->cost.unit == UNIT_NONE) continue;
    for (int k = 0; k < op->input_count; k++) {
      int from = op->inputs[k];
      if (from >= 0 && from < to->count) op->waits[k] = (uint8_t)wait_through(b, i, from, 4);
    }
  }
}
