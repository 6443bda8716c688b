/* cooperative_groups/scan.h: inclusive_scan and exclusive_scan(group, value[, op]): what op makes
 * of the values of all threads up to this one. */
#ifndef KIT_COOPERATIVE_GROUPS_SCAN_H
#define KIT_COOPERATIVE_GROUPS_SCAN_H

#include "kit_operations.h"

#pragma GCC system_header

namespace cooperative_groups {

namespace kit {

template <unsigned int Size, class T, class Op>
__kit_device__ T scan_lanes(const wide_tile<Size> &tile, T value, Op &op) {
  lane_tile<32> warp;
  T inclusive = scan_lanes(warp, value, op);
  T sums = tile.exchange(inclusive, warp.thread_rank() == 31);
  sums = scan_lanes(typename wide_tile<Size>::warp_firsts(), sums, op);
  unsigned int rank = tile.warp_rank();
  T before = warp.shfl(sums, rank ? (int)rank - 1 : 0);
  return rank ? op(inclusive, before) : inclusive;
}

/* Each thread's from the one before it; the first has T(). */
template <unsigned int Size, class T>
__kit_device__ T shift(const lane_tile<Size> &tile, T value) {
  T before = tile.shfl_up(value, 1);
  return tile.thread_rank() == 0 ? T() : before;
}
template <class T>
__kit_device__ T shift(const coalesced_group &group, T value) {
  T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, class T>
__kit_device__ T shift(const wide_tile<Size> &tile, T value) {
  lane_tile<32> warp;
  T before = warp.shfl_up(value, 1), ends = tile.exchange(value, warp.thread_rank() == 31);
  unsigned int rank = tile.warp_rank();
  T end = warp.shfl(ends, rank ? (int)rank - 1 : 0);
  return warp.thread_rank() ? before : rank ? end : T();
}

}  // namespace kit

template <class Group, class T, class Op>
__kit_device__ auto inclusive_scan(const Group &group, T &&value, Op &&op)
    -> kit::value_of<decltype(op(value, value))> {
  kit::value_of<decltype(op(value, value))> start = value;
  return kit::scan_lanes(group, start, op);
}
template <class Group, class T>
__kit_device__ kit::value_of<T> inclusive_scan(const Group &group, T &&value) {
  return inclusive_scan(group, value, plus<kit::value_of<T>>());
}
template <class Group, class T, class Op>
__kit_device__ auto exclusive_scan(const Group &group, T &&value, Op &&op)
    -> kit::value_of<decltype(op(value, value))> {
  return kit::shift(group, inclusive_scan(group, value, op));
}
template <class Group, class T>
__kit_device__ kit::value_of<T> exclusive_scan(const Group &group, T &&value) {
  return exclusive_scan(group, value, plus<kit::value_of<T>>());
}

}  // namespace cooperative_groups

#endif
