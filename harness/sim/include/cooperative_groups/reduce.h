/* cooperative_groups/reduce.h: reduce(group, value, op): one value out of all threads' values. */
#ifndef KIT_COOPERATIVE_GROUPS_REDUCE_H
#define KIT_COOPERATIVE_GROUPS_REDUCE_H

#include "kit_operations.h"

#pragma GCC system_header

namespace cooperative_groups {

namespace kit {

template <unsigned int Size, class T, class Op>
__kit_device__ T reduce_lanes(const lane_tile<Size> &tile, T value, Op &op) {
  for (unsigned int by = Size / 2; by > 0; by /= 2) value = op(value, tile.shfl_xor(value, by));
  return value;
}
template <class T, class Op>
__kit_device__ T reduce_lanes(const coalesced_group &group, T value, Op &op) {
  if (group.size() == 32) return reduce_lanes(lane_tile<32>(), value, op);
  return group.shfl(scan_lanes(group, value, op), group.size() - 1);
}
template <unsigned int Size, class T, class Op>
__kit_device__ T reduce_lanes(const wide_tile<Size> &tile, T value, Op &op) {
  T of_warp = reduce_lanes(lane_tile<32>(), value, op);
  T of_each = tile.exchange(of_warp, lane_tile<32>::thread_rank() == 0);
  return reduce_lanes(typename wide_tile<Size>::warp_firsts(), of_each, op);
}

}  // namespace kit

template <class Group, class T, class Op>
__kit_device__ auto reduce(const Group &group, T &&value, Op &&op)
    -> kit::value_of<decltype(op(value, value))> {
  kit::value_of<decltype(op(value, value))> start = value;
  return kit::reduce_lanes(group, start, op);
}
/* The first thread stores it; the group's next sync() makes it visible. */
template <class Group, class T, class Op>
__kit_device__ void reduce_store_async(const Group &group, kit::value_of<T> *to, T &&value,
                                       Op &&op) {
  kit::value_of<T> result = reduce(group, value, op);
  if (group.thread_rank() == 0) *to = result;
}

}  // namespace cooperative_groups

#endif
