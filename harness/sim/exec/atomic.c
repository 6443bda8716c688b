/* atomic.c: atom and red on shared and global memory. Lanes take their turns in lane order. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/await.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/mbarrier.h"
#include "harness/sim/exec/mirror.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/race.h"
#include "harness/sim/exec/schedule.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/touch.h"
#include "harness/sim/include/kit_half_bits.h"

/* The sums of two pairs of f16 or bf16; of single ones the upper halves are zeros. */
static uint64_t add_halves(enum atomic_type type, uint64_t old, uint64_t value) {
  uint64_t sums = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    uint32_t a = old >> shift & 0xffff, b = value >> shift & 0xffff;
    uint32_t sum = type == ATOMIC_F16
                       ? kit_half_nearest(kit_half_value(a) + kit_half_value(b))
                       : kit_bfloat_nearest(kit_bfloat_value(a) + kit_bfloat_value(b));
    sums |= (uint64_t)sum << shift;
  }
  return sums;
}

/* The new value of a word; value and second are the operands, all in the low bytes. */
static uint64_t combine(const struct op *op, uint64_t old, uint64_t value, uint64_t second) {
  bool is_signed = op->access.type == ATOMIC_SIGNED;
  int shift = 64 - 8 * op->size;
  int64_t s_old = (int64_t)(old << shift) >> shift, s_value = (int64_t)(value << shift) >> shift;
  union {
    uint64_t bits; /* of a float, the low ones */
    float f32;
    double f64;
  } a = {old}, b = {value};
  switch ((enum atomic_kind)op->access.atomic) {
    case ATOMIC_ADD:
      if (op->access.type < ATOMIC_FLOAT) return old + value;
      if (op->access.type > ATOMIC_FLOAT) return add_halves(op->access.type, old, value);
      if (op->size == 4)
        a.f32 += b.f32;
      else
        a.f64 += b.f64;
      return a.bits;
    case ATOMIC_EXCH:
      return value;
    case ATOMIC_CAS:
      return old == value ? second : old;
    case ATOMIC_MIN:
      return is_signed ? (s_value < s_old ? value : old) : (value < old ? value : old);
    case ATOMIC_MAX:
      return is_signed ? (s_value > s_old ? value : old) : (value > old ? value : old);
    case ATOMIC_INC:
      return old >= value ? 0 : old + 1;
    case ATOMIC_DEC:
      return old == 0 || old > value ? value : old - 1;
    case ATOMIC_AND:
      return old & value;
    case ATOMIC_OR:
      return old | value;
    case ATOMIC_XOR:
      return old ^ value;
    case ATOMIC_ARRIVE:
      return mbarrier_arrived(old, (uint32_t)value, false);
    case ATOMIC_ARRIVE_DROP:
      return mbarrier_arrived(old, (uint32_t)value, true);
    case ATOMIC_LOOK:
      return old;
  }
  return old;
}

/* The same, of the operation's size. */
static uint64_t result(const struct op *op, uint64_t old, uint64_t value, uint64_t second) {
  uint64_t next = combine(op, old, value, second);
  return op->size < 8 ? next & ((UINT64_C(1) << 8 * op->size) - 1) : next;
}

/* Updates memory for a lane, by compare-and-swap: an optimistic launch's workers may, too. */
#define UPDATE(type)                                                                      \
  {                                                                                       \
    type *word = (type *)(void *)at, was = __atomic_load_n(word, __ATOMIC_RELAXED), next; \
    do {                                                                                  \
      next = (type)combine(op, was, value, second);                                       \
    } while (!__atomic_compare_exchange_n(word, &was, next, false, __ATOMIC_RELAXED,      \
                                          __ATOMIC_RELAXED));                             \
    return was;                                                                           \
  }
static uint64_t update(const struct op *op, unsigned char *at, uint64_t value, uint64_t second) {
  if (op->size == 2) UPDATE(uint16_t)
  if (op->size == 4) UPDATE(uint32_t)
  UPDATE(uint64_t)
}
#undef UPDATE

static uint64_t lane_value(const char *frame, const struct op *op, int slot, int lane) {
  uint64_t value = 0;
  memcpy(&value, frame + op->slot[slot] + lane * (op->wide ? 8 : 4), op->size);
  return value;
}

/* Can it change nothing, whatever is there: does it add 0, or put what it has found, to read? By
 * constants: computed values may be other ones the next time. */
static bool is_read(const struct program *program, const struct op *op, const char *frame) {
  if (op->slot[2] >= program->constant_bytes) return false;
  uint64_t value = lane_value(frame, op, 2, 0), ones = ~UINT64_C(0) >> (64 - 8 * op->size);
  switch (op->access.atomic) {
    case ATOMIC_ADD:
    case ATOMIC_OR:
    case ATOMIC_XOR:
      return value == 0 && op->access.type != ATOMIC_FLOAT;
    case ATOMIC_AND:
      return value == ones;
    case ATOMIC_CAS:
      return op->slot[3] < program->constant_bytes && value == lane_value(frame, op, 3, 0);
    default:
      return false;
  }
}

/* Runs the lanes in turn; each is checked before it updates. An update that changes nothing is
 * polling, not progress (control.h). */
static void run_lanes(char *frame, const struct op *op, struct warp *warp, const struct memo *memo,
                      uint64_t offset, bool shared, uint32_t mask) {
  const struct launch_state *launch = warp->worker->launch;
  struct place place = race_place(warp, memo, offset, shared);
  unsigned char *host = shared ? NULL : mirror_of(launch, memo->allocation);
  bool tracked = shared || memo->allocation->tracked, changed = false,
       arrives = op->access.atomic == ATOMIC_ARRIVE || op->access.atomic == ATOMIC_ARRIVE_DROP;
  uint64_t seen = 0;
  uint32_t arrived = 0; /* lanes, at the mbarrier of the last of them */
  for (uint32_t left = mask; left && !warp->stop; left &= left - 1) {
    int i = __builtin_ctz(left);
    uint64_t there = offset + (uint64_t)memo->delta[i];
    unsigned char *at = place.data + there;
    if (host) mirror_meet(memo->allocation, there, op->size);
    uint64_t value = lane_value(frame, op, 2, i), old = 0,
             second = op->access.atomic == ATOMIC_CAS ? lane_value(frame, op, 3, i) : 0;
    memcpy(&old, at, op->size);
    uint64_t next = launch->canonical ? result(op, old, value, second) : ~old;
    if (tracked) race_atomic(warp, op, memo, &place, &(struct atomic_access){i, old, next});
    if (warp->stop) return;
    old = update(op, host ? host + there : at, value, second);
    if (host) {
      next = result(op, old, value, second);
      mirror_keep(memo->allocation, there, op->size, &next);
    }
    changed |= old != next;
    if (arrives) {
      bool ends = mbarrier_phase(old) != mbarrier_phase(combine(op, old, value, second)),
           alone = !(left & (left - 1)) ||
                   memo->delta[i] != memo->delta[__builtin_ctz(left & (left - 1))];
      arrived |= 1u << i;
      if (ends || alone) {
        mbarrier_arrive(warp, there, arrived, ends);
        arrived = 0;
      }
      next = ~old; /* always something new */
    }
    seen = seen * 31 + old + (uint64_t)(uintptr_t)at;
    if (!op->access.has_result) continue;
    memcpy(frame + op->slot[1] + i * (op->wide ? 8 : 4), &old, op->wide ? 8 : 4);
  }
  if (changed) {
    warp->worker->stores++;
    schedule_interrupt(warp);
    if (host) launch->options->exchange->updated = true;
  } else {
    /* Who only reads may wait for others while the launch goes on. Who updates may, too, but as
     * long as what others update at the same time would be lost, they run only where nothing goes
     * on. */
    if (host || (!shared && is_read(warp->calls[warp->call_depth].program, op, frame)))
      await_note(warp, memo->allocation, offset);
    if (!shared) warp->polled_at = memo->allocation->address + offset;
    control_poll(warp, op, seen);
  }
}

void cold_atomic(char *frame, const struct op *op, struct warp *warp) {
  if (warp->stop) return;
  const uint64_t *address = SLOT(frame, op, 0, uint64_t);
  struct memo *memo = warp->worker->memos[op->group];
  slice_charge(warp, ATOMIC_INSTRUCTIONS * __builtin_popcount(warp->mask));
  for (uint32_t left = warp->mask; left && !warp->stop;) {
    int first = __builtin_ctz(left);
    uint64_t base = address[first] + (uint64_t)op->access.offset;
    bool generic = op->space == PTX_GENERIC, shared = access_space(op, base) == PTX_SHARED;
    enum ptx_space space = shared ? PTX_SHARED : PTX_GLOBAL;
    uint32_t now = 0, later, passed;
    EACH_ACTIVE (i, left)
      if ((access_space(op, address[i] + (uint64_t)op->access.offset) == PTX_SHARED) == shared)
        now |= 1u << i;
    left &= ~now;
    if (shared && generic) base -= SHARED_WINDOW;
    for (;;) {
      memo = pattern_learn(warp, op, address, base, now, space);
      passed = access_resolve(warp, op, memo, address, base, now, space, ACCESS_ATOMIC, &later);
      left |= later;
      if (passed == now || !passed || warp->stop) break;
      base += address[__builtin_ctz(passed)] - address[__builtin_ctz(now)];
      now = passed;
    }
    if (!passed || warp->stop) continue;
    warp->worker->hits[op->index]++;
    if (shared) {
      struct block *block = warp->block;
      if (block->read_count) warp->worker->launch->isa->flush_reads(block);
      block->has_atomics = true;
      block->clean[memo->array] = 0;
      block->unclean[memo->array] = block->span.interval;
      run_lanes(frame, op, warp, memo, base, true, now);
    } else {
      struct allocation *a = memo->allocation;
      uint64_t offset = base - a->address;
      pattern_count_sectors(memo, base);
      touch_global(warp->worker, memo, base, true, true);
      struct op_counts *counts = &warp->worker->op_counts[op->index];
      int spread = memo->spread[base & 127];
      counts->turn_sectors += (uint64_t)pattern_atomic_sectors(memo, base);
      counts->spread[spread].requests++;
      counts->spread[spread].sectors += memo->sectors[base & 127];
      counts->spread[spread].bytes += memo->requested_bytes;
      counts->lines += memo->lines[base & 127];
      if (!a->all_initialised) {
        if (op->access.atomic != ATOMIC_EXCH) race_never_written(warp, op, memo, offset);
        /* Whatever an atomic leaves counts as initialised. */
        if (!warp->stop) race_mark_written(warp->worker, a, op, memo, offset);
      }
      if (!warp->stop) run_lanes(frame, op, warp, memo, offset, false, now);
    }
  }
}
