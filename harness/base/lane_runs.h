/* lane_runs.h: the offsets of a block's warps as reports hold them.
 *
 * A warp's 32 are runs of lanes whose offsets are equally far apart, three numbers each: the first
 * offset, the step from lane to lane, how many lanes. Successive warps whose active lanes are all
 * as far from the warp before are one entry. So a report of a block's accesses, most of them
 * regular, is a fiftieth as long as their offsets are.
 */
#ifndef KIT_LANE_RUNS_H
#define KIT_LANE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

enum { RUN_LANES = 32, MAX_RUN_NUMBERS = 3 * RUN_LANES };

/* Returns how many numbers that takes. */
static inline int lane_runs(const int64_t offsets[RUN_LANES], int64_t numbers[MAX_RUN_NUMBERS]) {
  int count = 0;
  for (int lane = 0, end; lane < RUN_LANES; lane = end) {
    int64_t step = lane + 1 < RUN_LANES ? offsets[lane + 1] - offsets[lane] : 0;
    for (end = lane + 1; end < RUN_LANES && offsets[end] - offsets[end - 1] == step;) end++;
    if (end == lane + 1) step = 0;
    numbers[count++] = offsets[lane];
    numbers[count++] = step;
    numbers[count++] = end - lane;
  }
  return count;
}

/* False: they are not those of 32 lanes, or an offset is not within +-limit. */
static inline bool lanes_of_runs(const int64_t *numbers, int count, int64_t limit,
                                 int64_t offsets[RUN_LANES]) {
  int64_t lane = 0;
  for (int i = 0; i + 3 <= count; i += 3) {
    int64_t first = numbers[i], step = numbers[i + 1], lanes = numbers[i + 2], last;
    if (lanes < 1 || lanes > RUN_LANES - lane || first < -limit || first > limit ||
        __builtin_mul_overflow(step, lanes - 1, &last) ||
        __builtin_add_overflow(last, first, &last) || last < -limit || last > limit)
      return false;
    for (int64_t k = 0; k < lanes; k++) offsets[lane++] = first + step * k;
  }
  return count % 3 == 0 && lane == RUN_LANES;
}

/* Are the lanes of mask all `apart` bytes after those of the warp before? */
static inline bool lanes_follow(const int64_t before[RUN_LANES], const int64_t after[RUN_LANES],
                                uint32_t mask, int64_t apart) {
  bool follow = true;
  for (int i = 0; i < RUN_LANES; i++) follow &= !(mask >> i & 1) || after[i] - before[i] == apart;
  return follow;
}

#endif
