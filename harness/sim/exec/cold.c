/* cold.c: the operations of ops_cold.h, and others that are no row of a table: special registers,
 * predicates, vectors, parameters, votes. Others: atomic.c; intrinsic.c: math functions, printf. */
#include "harness/sim/decode/cold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/sim/base/gpu.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/clock.h"
#include "harness/sim/exec/control.h"
#include "harness/sim/exec/integers.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/schedule.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/exec/special.h"
#include "harness/sim/exec/sync.h"

/* ---- functions that rows of ops_cold.h call ---- */

static inline uint32_t reverse_bits32(uint32_t v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}
static inline uint64_t reverse_bits64(uint64_t v) {
  return (uint64_t)reverse_bits32((uint32_t)v) << 32 | reverse_bits32((uint32_t)(v >> 32));
}
static inline uint32_t find_sign_bit64(int64_t v) {
  uint64_t u = (uint64_t)(v < 0 ? ~v : v);
  return u ? 63 - (uint32_t)__builtin_clzll(u) : 0xffffffffu;
}
/* How far to shift left to bring the bit to the top. */
static inline uint32_t shift_amount(uint32_t bit, uint32_t top) {
  return bit == 0xffffffffu ? bit : top - bit;
}
static inline int64_t low24(int32_t v) { return (int32_t)((uint32_t)v << 8) >> 8; }
static inline uint32_t dot_bytes(uint32_t a, bool a_signed, uint32_t b, bool b_signed, uint32_t c) {
  for (int i = 0; i < 32; i += 8) {
    int32_t x = (int32_t)(a >> i & 255), y = (int32_t)(b >> i & 255);
    if (a_signed) x = (int8_t)x;
    if (b_signed) y = (int8_t)y;
    c += (uint32_t)(x * y);
  }
  return c;
}
static inline uint64_t extract_bits64(uint64_t v, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  if (position >= 64 || length == 0) return 0;
  v >>= position;
  return length >= 64 ? v : v & ((UINT64_C(1) << length) - 1);
}
static inline uint32_t extract_bits32(uint32_t v, uint32_t position, uint32_t length) {
  return (uint32_t)extract_bits64(v, position, length);
}
/* Missing upper bits repeat the field's last bit that exists (PTX ISA, "bfe"). */
static inline uint64_t extract_bits_signed64(int64_t v, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  if (length == 0) return 0;
  v >>= position > 63 ? 63 : position;
  return length >= 64 ? (uint64_t)v
                      : (uint64_t)((int64_t)((uint64_t)v << (64 - length)) >> (64 - length));
}
static inline uint32_t extract_bits_signed32(int32_t v, uint32_t position, uint32_t length) {
  return (uint32_t)extract_bits_signed64(v, position, length);
}
static inline uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t s = selector >> (4 * i) & 15, byte = (uint32_t)(bytes >> (8 * (s & 7))) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/* prmt: byte i of the result is byte max(i, c), or min(i, c), of a. */
static const uint16_t edge_clamp_left[] = {0x3210, 0x3211, 0x3222, 0x3333},
                      edge_clamp_right[] = {0x0000, 0x1110, 0x2210, 0x3210};
/* The two halves of a by the lower two bytes of b. */
static inline uint32_t dot_halves(uint32_t a, bool a_signed, uint32_t b, bool b_signed,
                                  uint32_t c) {
  for (int i = 0; i < 2; i++) {
    int32_t x = (int32_t)(a >> (16 * i) & 0xffff), y = (int32_t)(b >> (8 * i) & 255);
    if (a_signed) x = (int16_t)x;
    if (b_signed) y = (int8_t)y;
    c += (uint32_t)(x * y);
  }
  return c;
}
/* Ones from a bit on, as many as fit of the length; both up to 32. */
static inline uint32_t bit_mask(uint32_t position, uint32_t length) {
  return (uint32_t)(((UINT64_C(1) << length) - 1) << position);
}
/* The position of the n-th bit that is set, from bit base on upward (n < 0: downward). */
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n) {
  int step = n < 0 ? -1 : 1;
  int64_t left = n < 0 ? -(int64_t)n : n;
  if (base > 31) return 0xffffffffu;
  if (left == 0) return mask >> base & 1 ? base : 0xffffffffu;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return (uint32_t)at;
  return 0xffffffffu;
}
/* How far unsigned integers of so many bits lie apart: each, and the sum of all. */
static inline uint32_t differences(uint32_t a, uint32_t b, int bits) {
  uint32_t result = 0, ones = (1u << bits) - 1;
  for (int i = 0; i < 32; i += bits) {
    uint32_t x = a >> i & ones, y = b >> i & ones;
    result |= (x < y ? y - x : x - y) << i;
  }
  return result;
}
static inline uint32_t sum_differences(uint32_t a, uint32_t b, int bits) {
  uint32_t each = differences(a, b, bits), sum = 0, ones = (1u << bits) - 1;
  for (int i = 0; i < 32; i += bits) sum += each >> i & ones;
  return sum;
}
/* The upper 32 bits of a number, all that rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 know of
 * operand and result; denormal numbers are zeros, and NaNs whose upper bits have none of the
 * fraction are infinities. */
static inline double high_half(double v) {
  uint64_t bits;
  if (fabs(v) < DBL_MIN) return copysign(0, v);
  memcpy(&bits, &v, sizeof bits);
  bits &= ~UINT64_C(0xffffffff);
  memcpy(&v, &bits, sizeof bits);
  return v;
}
static inline double high_result(double v) {
  uint64_t nan = UINT64_C(0x7fffffff00000000);
  if (v != v) memcpy(&v, &nan, sizeof v);
  return high_half(v);
}
static inline float saturate(float v) { return v > 0 ? (v < 1 ? v : 1) : 0; }

#include "harness/sim/exec/ops_cold.h"

const struct op_info cold_ops[] = {
#undef OP1
#undef OP2
#undef OP3
#undef OP1_ROUNDED
#undef OP2_ROUNDED
#undef OP3_ROUNDED
#undef SETP
#define OP1 ENTRY1
#define OP2 ENTRY2
#define OP3 ENTRY3
#define OP1_ROUNDED ENTRY1_ROUNDED
#define OP2_ROUNDED ENTRY2_ROUNDED
#define OP3_ROUNDED ENTRY3_ROUNDED
#define SETP ENTRYP
#include "harness/sim/exec/ops_cold.h"
};
const int cold_op_count = sizeof cold_ops / sizeof cold_ops[0];

/* ---- lanes and slots ---- */

#define UNUSED(x) (void)(x)
void cold_nothing(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(frame), UNUSED(warp), UNUSED(op);
}

/* Runs a guarded operation for the lanes where its predicate holds. */
void cold_guarded(char *frame, const struct op *op, struct warp *warp) {
  uint32_t mask = warp->mask, p = *(const uint32_t *)(frame + op->guard);
  warp->mask = mask & (op->guard_negated ? ~p : p);
  if (warp->mask) op->guarded_run(frame, op, warp);
  warp->mask = mask;
}

static inline uint32_t predicate(const char *frame, const struct op *op, int k) {
  uint32_t p = *(const uint32_t *)(frame + op->slot[k]);
  return op->negated >> k & 1 ? ~p : p;
}

#define SELECT(bits)                                                             \
  void cold_select_##bits(char *frame, const struct op *op, struct warp *warp) { \
    UNUSED(warp);                                                                \
    uint##bits##_t *d = SLOT(frame, op, 0, uint##bits##_t);                      \
    const uint##bits##_t *a = SLOT(frame, op, 1, uint##bits##_t),                \
                         *b = SLOT(frame, op, 2, uint##bits##_t);                \
    uint32_t p = predicate(frame, op, 3);                                        \
    EACH_LANE d[i] = p >> i & 1 ? a[i] : b[i];                                   \
  }
SELECT(32)
SELECT(64)

#define PREDICATE(name, expr)                                                       \
  void cold_predicate_##name(char *frame, const struct op *op, struct warp *warp) { \
    UNUSED(warp);                                                                   \
    *(uint32_t *)(frame + op->slot[0]) = (expr);                                    \
  }
PREDICATE(and, predicate(frame, op, 1) & predicate(frame, op, 2))
PREDICATE(or, predicate(frame, op, 1) | predicate(frame, op, 2))
PREDICATE(xor, predicate(frame, op, 1) ^ predicate(frame, op, 2))
PREDICATE(not, ~predicate(frame, op, 1))
PREDICATE(mov, predicate(frame, op, 1))

/* Bit k of the table is the result where the bits of a, b, c are the number k (PTX ISA, "lop3"). */
void cold_logic_3(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(warp);
  const uint32_t *a = SLOT(frame, op, 1, uint32_t), *b = SLOT(frame, op, 2, uint32_t),
                 *c = SLOT(frame, op, 3, uint32_t);
  uint32_t *d = SLOT(frame, op, 0, uint32_t);
  for (int i = 0; i < LANES; i++) {
    uint32_t result = 0;
    for (int k = 0; k < 8; k++)
      if (op->truth_table >> k & 1)
        result |= (k & 4 ? a[i] : ~a[i]) & (k & 2 ? b[i] : ~b[i]) & (k & 1 ? c[i] : ~c[i]);
    d[i] = result;
  }
}

void cold_bit_insert(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(warp);
  const uint32_t *position = SLOT(frame, op, 3, uint32_t), *length = SLOT(frame, op, 4, uint32_t);
  size_t bytes = op->wide ? 8 : 4;
  for (size_t i = 0; i < LANES; i++) {
    uint64_t a = 0, b = 0, p = position[i] & 255, n = length[i] & 255;
    memcpy(&a, frame + op->slot[1] + i * bytes, bytes);
    memcpy(&b, frame + op->slot[2] + i * bytes, bytes);
    uint64_t ones = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
    uint64_t field = p >= 8 * bytes ? 0 : ones << p,
             result = (a << (p & 63) & field) | (b & ~field);
    memcpy(frame + op->slot[0] + i * bytes, &result, bytes);
  }
}

/* ---- vectors in one register: slot[0] is whole, slot[1..] are the parts ---- */

void cold_pack(char *frame, const struct op *op, struct warp *warp) {
  EACH_ACTIVE (i, warp->mask) {
    uint64_t whole = 0;
    for (int k = 0; k < op->count; k++) {
      uint64_t part = 0;
      memcpy(&part, frame + op->slot[1 + k] + i * (op->size == 8 ? 8 : 4), op->size);
      whole |= part << (8 * op->size * k);
    }
    size_t bytes = (size_t)op->size * op->count > 4 ? 8 : 4;
    memcpy(frame + op->slot[0] + (size_t)i * bytes, &whole, bytes);
  }
}

void cold_unpack(char *frame, const struct op *op, struct warp *warp) {
  EACH_ACTIVE (i, warp->mask) {
    uint64_t whole = 0;
    size_t bytes = (size_t)op->size * op->count > 4 ? 8 : 4;
    memcpy(&whole, frame + op->slot[0] + (size_t)i * bytes, bytes);
    for (int k = 0; k < op->count; k++) {
      if (op->unused_parts >> k & 1) continue;
      uint64_t part = 0;
      memcpy(&part, (char *)&whole + op->size * k, op->size);
      memcpy(frame + op->slot[1 + k] + i * (op->size == 8 ? 8 : 4), &part, op->size == 8 ? 8 : 4);
    }
  }
}

/* ---- special registers ---- */

const char *const special_names[SPECIALS] = {
#define X(name, text) text,
    KIT_SPECIALS(X)
#undef X
};

static uint64_t special_value(const struct op *op, struct warp *warp, int lane) {
  const struct launch_state *launch = warp->worker->launch;
  uint32_t bit = 1u << lane;
  switch (op->special) {
    case SPECIAL_TID_X ... SPECIAL_TID_Z:
      return warp->tid[op->special - SPECIAL_TID_X][lane];
    case SPECIAL_NTID_X ... SPECIAL_NTID_Z:
      return launch->dim[op->special - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X ... SPECIAL_CTAID_Z:
      return warp->block->ctaid[op->special - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X ... SPECIAL_NCTAID_Z:
      return launch->grid[op->special - SPECIAL_NCTAID_X];
    case SPECIAL_LANEID:
      return (uint32_t)lane;
    case SPECIAL_WARPID:
      return (uint32_t)warp->index;
    case SPECIAL_NWARPID:
      return (uint32_t)(launch->gpu->max_threads_per_sm / LANES);
    case SPECIAL_SMID:
      return (uint32_t)(warp->block->linear % (uint64_t)launch->sm_count);
    case SPECIAL_NSMID:
      return (uint32_t)launch->sm_count;
    case SPECIAL_LANEMASK_EQ:
      return bit;
    case SPECIAL_LANEMASK_LT:
      return bit - 1;
    case SPECIAL_LANEMASK_LE:
      return bit | (bit - 1);
    case SPECIAL_LANEMASK_GT:
      return ~(bit | (bit - 1));
    case SPECIAL_LANEMASK_GE:
      return ~(bit - 1);
    case SPECIAL_CLOCK:
      return lane == 0 ? clock_read(warp, op) : (uint64_t)warp->clock.last;
    case SPECIAL_DYNAMIC_SMEM:
      return launch->dynamic_shared;
    case SPECIAL_TOTAL_SMEM:
      return launch->dynamic_shared + (uint32_t)launch->kernel->static_shared_bytes;
    case SPECIAL_COOPERATIVE:
      return launch->cooperative;
    case SPECIALS:
      break;
  }
  return 0;
}

void cold_special(char *frame, const struct op *op, struct warp *warp) {
  if (!op->wide && op->special <= SPECIAL_TID_Z) {
    memcpy(frame + op->slot[0], warp->tid[op->special - SPECIAL_TID_X], SLOT32);
    return;
  }
  if (!op->wide && op->special < SPECIAL_LANEID) {
    uint32_t *d = SLOT(frame, op, 0, uint32_t), value = (uint32_t)special_value(op, warp, 0);
    EACH_LANE d[i] = value;
    return;
  }
  for (int i = 0; i < LANES; i++) {
    uint64_t value = special_value(op, warp, i);
    memcpy(frame + op->slot[0] + i * (op->wide ? 8 : 4), &value, op->wide ? 8 : 4);
  }
}

void cold_local_base(char *frame, const struct op *op, struct warp *warp) {
  uint64_t base = warp->calls[warp->call_depth].local_offset + (uint64_t)op->access.offset;
  for (int i = 0; i < LANES; i++) SLOT(frame, op, 0, uint64_t)[i] = base;
}

void cold_in_space(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(warp);
  const uint64_t *a = SLOT(frame, op, 1, uint64_t);
  uint32_t bits = 0;
  for (int i = 0; i < LANES; i++) {
    uint64_t window = a[i] & WINDOW_MASK;
    bool shared = window == SHARED_WINDOW, local = window == LOCAL_WINDOW;
    bool in = op->in_space == PTX_SHARED  ? shared
              : op->in_space == PTX_LOCAL ? local
                                          : !shared && !local;
    bits |= (uint32_t)in << i;
  }
  *(uint32_t *)(frame + op->slot[0]) = bits;
}

/* ---- parameters ---- */

/* Writes a value of op->size bytes into lane i of a slot, extended by its type. */
static void put_value(char *slot, int i, const struct op *op, const unsigned char *from) {
  uint64_t value = extended(op, from);
  memcpy(slot + i * (op->wide ? 8 : 4), &value, op->wide ? 8 : 4);
}

static const unsigned char nothing[8];

static bool in_params(const struct launch_state *launch, uint64_t at, size_t bytes) {
  size_t room = launch->kernel->info.param_bytes;
  return at <= room && bytes <= room - at;
}

/* Parameters are the same for all lanes, except where a struct is indexed. */
void cold_load_kernel_param(char *frame, const struct op *op, struct warp *warp) {
  const struct launch_state *launch = warp->worker->launch;
  if (op->access.indexed || warp->mask != warp->live) {
    EACH_ACTIVE (i, warp->mask) {
      uint64_t at = (uint64_t)op->access.offset;
      if (op->access.indexed) at += SLOT(frame, op, 0, uint64_t)[i]; /* may be a destination, too */
      for (int e = 0; e < op->count; e++, at += op->size)
        put_value(frame + op->slot[1 + e], i, op,
                  in_params(launch, at, op->size) ? launch->params + at : nothing);
    }
    return;
  }
  for (int e = 0; e < op->count; e++) {
    uint64_t at = (uint64_t)op->access.offset + (uint64_t)(e * op->size);
    char *slot = frame + op->slot[1 + e];
    put_value(slot, 0, op, in_params(launch, at, op->size) ? launch->params + at : nothing);
    if (op->wide) {
      uint64_t *d = (uint64_t *)(void *)slot, value = d[0];
      EACH_LANE d[i] = value;
    } else {
      uint32_t *d = (uint32_t *)(void *)slot, value = d[0];
      EACH_LANE d[i] = value;
    }
  }
}

void cold_load_param(char *frame, const struct op *op, struct warp *warp) {
  void *area = warp->calls[warp->call_depth].params;
  uint32_t mask = warp->mask;
  for (int e = 0; e < op->count; e++) {
    uint64_t offset = (uint64_t)op->access.offset + (uint64_t)(e * op->size);
    if (op->size == 4 && !op->wide) {
      const uint32_t *row = planes_row(area, offset);
      uint32_t *d = SLOT(frame, op, 1 + e, uint32_t);
      EACH_LANE d[i] = mask >> i & 1 ? row[i] : d[i];
      continue;
    }
    if (op->size == 8) {
      const uint32_t *low = planes_row(area, offset), *high = low + LANES;
      uint64_t *d = SLOT(frame, op, 1 + e, uint64_t);
      EACH_LANE d[i] = mask >> i & 1 ? (uint64_t)high[i] << 32 | low[i] : d[i];
      continue;
    }
    EACH_ACTIVE (i, mask) {
      unsigned char value[8];
      planes_get(area, offset, i, value, op->size);
      put_value(frame + op->slot[1 + e], i, op, value);
    }
  }
}

/* A struct that a function takes by value: the address is an offset in the parameter area. */
void cold_load_param_at(char *frame, const struct op *op, struct warp *warp) {
  const struct frame_record *call = &warp->calls[warp->call_depth];
  const uint64_t *address = SLOT(frame, op, 0, uint64_t);
  uint64_t room = call->program->param_bytes;
  uint64_t at[LANES]; /* the address register may be a destination, too */
  memcpy(at, address, sizeof at);
  EACH_ACTIVE (i, warp->mask)
    for (int e = 0; e < op->count; e++) {
      uint64_t offset = at[i] + (uint64_t)op->access.offset + (uint64_t)(e * op->size);
      unsigned char value[8] = {0};
      if (offset <= room && op->size <= room - offset)
        planes_get(call->params, offset, i, value, op->size);
      put_value(frame + op->slot[1 + e], i, op, value);
    }
}

void cold_store_param(char *frame, const struct op *op, struct warp *warp) {
  void *area = warp->calls[warp->call_depth].params;
  uint32_t mask = warp->mask;
  for (int e = 0; e < op->count; e++) {
    uint64_t offset = (uint64_t)op->access.offset + (uint64_t)(e * op->size);
    if (op->size == 4 && !op->wide) {
      uint32_t *row = planes_row(area, offset);
      const uint32_t *value = SLOT(frame, op, 1 + e, uint32_t);
      EACH_LANE row[i] = mask >> i & 1 ? value[i] : row[i];
      continue;
    }
    if (op->size == 8) {
      uint32_t *low = planes_row(area, offset), *high = low + LANES;
      const uint64_t *value = SLOT(frame, op, 1 + e, uint64_t);
      EACH_LANE {
        low[i] = mask >> i & 1 ? (uint32_t)value[i] : low[i];
        high[i] = mask >> i & 1 ? (uint32_t)(value[i] >> 32) : high[i];
      }
      continue;
    }
    EACH_ACTIVE (i, mask) planes_put(area, offset, i, lane_element(frame, op, e, i), op->size);
  }
}

/* ---- between lanes ---- */

/* What a shuffle reads from a lane that takes no part. PTX leaves it open, and on a GPU it is what
 * that lane's register is left with by other code. Not 0, with which sums and scans come out right
 * all the same: a NaN, and the largest integer. */
enum { FROM_NO_LANE = 0x7fffffff };

/* slot: d, predicate or none, a, b, c, members (PTX ISA, "shfl.sync"). */
void cold_shuffle(char *frame, const struct op *op, struct warp *warp) {
  static const char *const names[] = {"__shfl_up_sync()", "__shfl_down_sync()", "__shfl_xor_sync()",
                                      "__shfl_sync()"};
  if (op->has_members)
    control_members(warp, op, SLOT(frame, op, MEMBERS_SLOT, uint32_t), names[op->shuffle]);
  uint32_t *d = SLOT(frame, op, 0, uint32_t), a[LANES], inside = 0;
  const uint32_t *b = SLOT(frame, op, 3, uint32_t), *c = SLOT(frame, op, 4, uint32_t);
  memcpy(a, SLOT(frame, op, 2, uint32_t), sizeof a);
  EACH_ACTIVE (i, warp->mask) {
    int segment = (int)(c[i] >> 8 & 31), clamp = (int)(c[i] & 31), by = (int)(b[i] & 31);
    int highest = (i & segment) | (clamp & ~segment), lowest = i & segment, from;
    bool valid;
    switch (op->shuffle) {
      case SHUFFLE_UP:
        from = i - by, valid = from >= highest;
        break;
      case SHUFFLE_DOWN:
        from = i + by, valid = from <= highest;
        break;
      case SHUFFLE_BFLY:
        from = i ^ by, valid = from <= highest;
        break;
      case SHUFFLE_IDX:
      default:
        from = lowest | (by & ~segment), valid = from <= highest;
    }
    if (!valid) from = i;
    d[i] = warp->mask >> (from & 31) & 1 ? a[from & 31] : FROM_NO_LANE;
    inside |= (uint32_t)valid << i;
  }
  if (op->written >> 1 & 1) {
    uint32_t *p = (uint32_t *)(frame + op->slot[1]);
    *p = (*p & ~warp->mask) | (inside & warp->mask);
  }
}

void cold_vote(char *frame, const struct op *op, struct warp *warp) {
  static const char *const names[] = {"__all_sync()", "__any_sync()", "__uni_sync()",
                                      "__ballot_sync()"};
  const uint32_t *members = NULL; /* per lane: tiles of a warp vote separately */
  uint32_t p = predicate(frame, op, 1), mask = warp->mask, held = 0;
  if (op->has_members) {
    members = SLOT(frame, op, MEMBERS_SLOT, uint32_t);
    control_members(warp, op, members, names[op->vote]);
  }
  EACH_ACTIVE (i, mask) {
    uint32_t all = members ? mask & members[i] : mask, yes = p & all;
    if (op->vote == VOTE_BALLOT) SLOT(frame, op, 0, uint32_t)[i] = yes;
    bool holds = op->vote == VOTE_ALL   ? yes == all
                 : op->vote == VOTE_ANY ? yes != 0
                                        : yes == 0 || yes == all;
    held |= (uint32_t)holds << i;
  }
  if (op->vote == VOTE_BALLOT) return;
  uint32_t *d = (uint32_t *)(frame + op->slot[0]);
  *d = (*d & ~mask) | held;
}

void cold_active_mask(char *frame, const struct op *op, struct warp *warp) {
  EACH_ACTIVE (i, warp->mask) SLOT(frame, op, 0, uint32_t)[i] = warp->mask;
}

void cold_warp_sync(char *frame, const struct op *op, struct warp *warp) {
  const uint32_t *members = SLOT(frame, op, MEMBERS_SLOT, uint32_t);
  control_members(warp, op, members, "__syncwarp()");
  control_warp_sync(warp, members);
}

void cold_barrier_arrive(char *frame, const struct op *op, struct warp *warp) {
  int lane = __builtin_ctz(warp->mask);
  control_named_barrier(warp, SLOT(frame, op, 0, uint32_t)[lane],
                        SLOT(frame, op, 1, uint32_t)[lane], op->line, false);
}

/* A waiting loop may contain a fence or sleep between its loads. */
void cold_fence(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(frame);
  slice_charge(warp, FENCE_INSTRUCTIONS * __builtin_popcount(warp->mask));
  if (warp->worker->launch->sync) {
    if (warp->block->read_count) warp->worker->launch->isa->flush_reads(warp->block);
    sync_fence(warp, op->block_scope ? SCOPE_BLOCK : SCOPE_DEVICE);
  }
  schedule_interrupt(warp);
  control_poll(warp, op, 0);
}

void cold_sleep(char *frame, const struct op *op, struct warp *warp) {
  UNUSED(frame);
  control_poll(warp, op, 0);
}
