/* match.c: what the lanes of a warp find out about each other's values besides votes and shuffles:
 * match.sync, redux.sync and elect.sync. Each lane's own mask counts, as tiles of a warp may be
 * there at a time. */
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/lanes.h"

static uint64_t operand(const char *frame, const struct op *op, int slot, int lane) {
  return op->match.wide ? SLOT(frame, op, slot, uint64_t)[lane]
                        : SLOT(frame, op, slot, uint32_t)[lane];
}

/* slot: d, predicate or none, a, members */
void cold_match(char *frame, const struct op *op, struct warp *warp) {
  const uint32_t *members = SLOT(frame, op, MEMBERS_SLOT, uint32_t);
  uint32_t mask = warp->mask, found[LANES] = {0}, agree = 0;
  control_members(warp, op, members, op->match.all ? "__match_all_sync()" : "__match_any_sync()");
  EACH_ACTIVE (i, mask) {
    uint32_t others = mask & members[i];
    uint64_t value = operand(frame, op, 2, i);
    EACH_ACTIVE (j, others) found[i] |= (uint32_t)(operand(frame, op, 2, j) == value) << j;
    if (!op->match.all) continue;
    if (found[i] == others)
      agree |= 1u << i;
    else
      found[i] = 0;
  }
  EACH_ACTIVE (i, mask) SLOT(frame, op, 0, uint32_t)[i] = found[i];
  if (op->written >> 1 & 1) {
    uint32_t *p = (uint32_t *)(frame + op->slot[1]);
    *p = (*p & ~mask) | agree;
  }
}

static uint32_t reduced(const struct op *op, uint32_t a, uint32_t b) {
  bool less = op->redux.is_signed ? (int32_t)a < (int32_t)b : a < b;
  switch ((enum atomic_kind)op->redux.kind) {
    case ATOMIC_MIN:
      return less ? a : b;
    case ATOMIC_MAX:
      return less ? b : a;
    case ATOMIC_AND:
      return a & b;
    case ATOMIC_OR:
      return a | b;
    case ATOMIC_XOR:
      return a ^ b;
    default:
      return a + b;
  }
}

/* slot: d, a, members */
void cold_redux(char *frame, const struct op *op, struct warp *warp) {
  const uint32_t *members = SLOT(frame, op, MEMBERS_SLOT, uint32_t),
                 *a = SLOT(frame, op, 1, uint32_t);
  uint32_t mask = warp->mask, results[LANES] = {0};
  control_members(warp, op, members, "__reduce_sync()");
  EACH_ACTIVE (i, mask) {
    uint32_t others = mask & members[i] & ~(1u << i);
    results[i] = a[i];
    EACH_ACTIVE (j, others) results[i] = reduced(op, results[i], a[j]);
  }
  EACH_ACTIVE (i, mask) SLOT(frame, op, 0, uint32_t)[i] = results[i];
}

/* slot: d, predicate or none, members. The lowest lane is elected. */
void cold_elect(char *frame, const struct op *op, struct warp *warp) {
  const uint32_t *members = SLOT(frame, op, MEMBERS_SLOT, uint32_t);
  uint32_t mask = warp->mask, elected = 0;
  control_members(warp, op, members, "elect.sync");
  EACH_ACTIVE (i, mask) {
    uint32_t first = mask & members[i] & (0 - (mask & members[i]));
    if (first == 1u << i) elected |= first;
    SLOT(frame, op, 0, uint32_t)[i] = first ? (uint32_t)__builtin_ctz(first) : 0;
  }
  if (op->written >> 1 & 1) {
    uint32_t *p = (uint32_t *)(frame + op->slot[1]);
    *p = (*p & ~mask) | elected;
  }
}
