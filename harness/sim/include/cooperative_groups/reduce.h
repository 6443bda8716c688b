/* cooperative_groups/reduce.h: reduce(tile, value, op) over the lanes of a tile. */
#ifndef KIT_COOPERATIVE_GROUPS_REDUCE_H
#define KIT_COOPERATIVE_GROUPS_REDUCE_H

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

template <unsigned int Size, class Parent, class T, class Op>
__kit_device__ T reduce(const thread_block_tile<Size, Parent> &tile, T value, Op op) {
  for (unsigned int by = Size / 2; by > 0; by /= 2) value = op(value, tile.shfl_xor(value, by));
  return value;
}

}  // namespace cooperative_groups

#endif
