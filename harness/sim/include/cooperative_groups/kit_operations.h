/* kit_operations.h: what reduce() and the scans are called with: plus, less, ... */
#ifndef KIT_COOPERATIVE_GROUPS_OPERATIONS_H
#define KIT_COOPERATIVE_GROUPS_OPERATIONS_H

#include "../cooperative_groups.h"

#pragma GCC system_header

namespace cooperative_groups {

#define KIT_OPERATION(name, expr)                                                     \
  template <class T>                                                                  \
  struct name {                                                                       \
    __device__ __attribute__((always_inline, nodebug)) T operator()(T a, T b) const { \
      return expr;                                                                    \
    }                                                                                 \
  };
KIT_OPERATION(plus, a + b)
KIT_OPERATION(less, b < a ? b : a)
KIT_OPERATION(greater, a < b ? b : a)
KIT_OPERATION(bit_and, a &b)
KIT_OPERATION(bit_or, a | b)
KIT_OPERATION(bit_xor, a ^ b)
#undef KIT_OPERATION

namespace kit {

/* An inclusive scan of lanes in a row, and of lanes that need not be. */
template <unsigned int Size, class T, class Op>
__kit_device__ T scan_lanes(const lane_tile<Size> &tile, T value, Op &op) {
  for (unsigned int by = 1; by < Size; by *= 2) {
    T before = tile.shfl_up(value, by);
    if (tile.thread_rank() >= by) value = op(value, before);
  }
  return value;
}
template <class T, class Op>
__kit_device__ T scan_lanes(const coalesced_group &group, T value, Op &op) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = op(value, before);
  }
  return value;
}

}  // namespace kit
}  // namespace cooperative_groups

#endif
