/* kit_partition.h: groups out of groups, and invoke_one(), a call by one of a group's threads. */
#ifndef KIT_COOPERATIVE_GROUPS_PARTITION_H
#define KIT_COOPERATIVE_GROUPS_PARTITION_H

#pragma GCC system_header

namespace cooperative_groups {

template <unsigned int Size>
__kit_device__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>();
}
template <unsigned int Size, unsigned int Outer, class Parent>
__kit_device__ thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(
    const thread_block_tile<Outer, Parent> &) {
  static_assert(Size <= Outer, "a tile is no larger than the tile of which it is a part");
  return thread_block_tile<Size, thread_block_tile<Outer, Parent>>();
}

/* Of size threads each, by rank; a power of 2. */
KIT_MEMBER inline thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  if (size == 0 || (size & (size - 1)) || (parent.kind != thread_group::LANES && size > 32) ||
      parent.kind == thread_group::GRID)
    __kit_trap("tiled_partition() makes groups of 1, 2, 4, 8, 16 or 32 threads of a block");
  unsigned int rank = (unsigned int)parent.thread_rank(), count = (unsigned int)parent.size(),
               first = rank & ~(size - 1), lanes = 0;
  if (parent.kind == thread_group::BLOCK) {
    unsigned int length = count - first < size ? count - first : size;
    lanes = (0xffffffffu >> (32 - length)) << (first & 31);
  } else {
    for (unsigned int left = parent.mask, i = 0; left; left &= left - 1, i++)
      if ((i & ~(size - 1)) == first) lanes |= left & (0 - left);
  }
  return thread_group(thread_group::LANES, lanes, rank / size, (count + size - 1) / size);
}
__kit_device__ thread_group tiled_partition(const thread_block &parent, unsigned int size) {
  return tiled_partition((const thread_group &)parent, size);
}
KIT_MEMBER inline coalesced_group tiled_partition(const coalesced_group &parent,
                                                  unsigned int size) {
  return tiled_partition((const thread_group &)parent, size);
}

namespace kit {
template <unsigned int Size, class Parent>
__kit_device__ unsigned int lanes_of(const thread_block_tile<Size, Parent> &tile) {
  return tile.mask() & __activemask();
}
__kit_device__ unsigned int lanes_of(const coalesced_group &group) { return group.lanes(); }
}  // namespace kit

/* The threads of a tile or coalesced group that have the same label. */
template <class Group, class Label>
KIT_MEMBER inline coalesced_group labeled_partition(const Group &group, Label label) {
  unsigned int all = kit::lanes_of(group), part = kit::match_any(all, label),
               firsts = __ballot_sync(all, kit::first_lane(part) == kit::lane());
  return coalesced_group(part, __popc(firsts & ((1u << kit::first_lane(part)) - 1)),
                         __popc(firsts));
}
template <class Group>
KIT_MEMBER inline coalesced_group binary_partition(const Group &group, bool holds) {
  unsigned int all = kit::lanes_of(group), yes = __ballot_sync(all, holds);
  return coalesced_group(holds ? yes : all & ~yes, holds, 2);
}

template <class Group, class Function, class... Arguments>
__kit_device__ void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
__kit_device__ auto invoke_one_broadcast(const Group &group, Function &&function,
                                         Arguments &&...arguments)
    -> kit::value_of<decltype(function(static_cast<Arguments &&>(arguments)...))> {
  kit::value_of<decltype(function(static_cast<Arguments &&>(arguments)...))> result;
  if (group.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
