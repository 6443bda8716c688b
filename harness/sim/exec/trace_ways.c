/* trace_ways.c: records which way operations take that have a short one for some values. */
#include <math.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/trace.h"

/* Are the upper halves of both operands of a quotient zero? If not, it is a long one. */
static uint32_t wide_quotients(const char *frame, const struct op *op, uint32_t mask) {
  const uint64_t *a = (const uint64_t *)(const void *)(frame + op->slot[1]);
  const uint64_t *b = (const uint64_t *)(const void *)(frame + op->slot[2]);
  uint32_t wide = 0;
  EACH_ACTIVE (i, mask) wide |= (uint32_t)((a[i] | b[i]) >> 32 != 0) << i;
  return wide;
}

/* Is the angle so large that it takes many words of 2/pi to reduce it? From where on: as in what
 * nvcc 13 makes of sinf and sin. */
static uint32_t large_angles(const struct warp *warp, const struct op *op, uint32_t mask) {
  static const float most = 105615;
  static const double most_double = 0x1p31;
  const struct intrinsic_call *call = op->call;
  const void *area = warp->calls[warp->call_depth].params;
  uint32_t large = 0;
  EACH_ACTIVE (i, mask) {
    float x = 0;
    double wide = 0;
    if (call->intrinsic->signature[1] == 'd')
      planes_get(area, (uint64_t)call->arguments[0], i, &wide, sizeof wide);
    else
      planes_get(area, (uint64_t)call->arguments[0], i, &x, sizeof x);
    bool is_large =
        (isfinite(x) && fabsf(x) > most) || (isfinite(wide) && fabs(wide) >= most_double);
    large |= (uint32_t)is_large << i;
  }
  return large;
}

void trace_ways(struct block_trace *trace, const struct warp *warp, const char *frame,
                const struct op *op, uint32_t mask) {
  struct warp_trace *own = &trace->warps[warp->index];
  uint32_t on_long = op->varies == VARIES_BY_ANGLE ? large_angles(warp, op, mask)
                                                   : wide_quotients(frame, op, mask);
  own->words[own->count++] = trace_pack((struct trace_memory){
      .kind = mask ? TRACE_WAYS : TRACE_NOTHING,
      .cycles = (on_long ? WAY_LONG : 0) | (mask & ~on_long ? WAY_SHORT : 0)});
}
