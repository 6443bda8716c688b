/* kit_coalesced.h: coalesced_group: any lanes of a warp. */
#ifndef KIT_COOPERATIVE_GROUPS_COALESCED_H
#define KIT_COOPERATIVE_GROUPS_COALESCED_H

#pragma GCC system_header

namespace cooperative_groups {

class coalesced_group : public thread_group {
  KIT_MEMBER coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int count = 1)
      : thread_group(LANES, lanes, rank, count) {}
  KIT_MEMBER coalesced_group(const thread_group &lanes) : thread_group(lanes) {}
  friend __device__ coalesced_group coalesced_threads();
  friend __device__ coalesced_group tiled_partition(const coalesced_group &, unsigned int);
  template <class Group, class Label>
  friend __device__ coalesced_group labeled_partition(const Group &, Label);
  template <class Group>
  friend __device__ coalesced_group binary_partition(const Group &, bool);

 public:
  template <unsigned int Size, class Parent>
  KIT_MEMBER coalesced_group(const thread_block_tile<Size, Parent> &tile)
      : thread_group(LANES, tile.mask() & __activemask(), tile.meta_group_rank(),
                     tile.meta_group_size()) {}
  KIT_MEMBER unsigned int lanes() const { return mask; }
  KIT_MEMBER void sync() const { __syncwarp(mask); }
  KIT_MEMBER unsigned int size() const { return (unsigned int)__popc(mask); }
  KIT_MEMBER unsigned int num_threads() const { return size(); }
  KIT_MEMBER unsigned int thread_rank() const {
    return (unsigned int)__popc(mask & kit::lanes_below());
  }
  KIT_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
  KIT_MEMBER unsigned int meta_group_size() const { return meta_count; }
  template <class T>
  KIT_MEMBER T shfl(T v, unsigned int rank) const {
    return kit::shfl(mask, v, (int)kit::lane_of(mask, rank), 32);
  }
  template <class T>
  KIT_MEMBER T shfl_down(T v, unsigned int by) const {
    unsigned int rank = thread_rank() + by;
    return shfl(v, rank < size() ? rank : thread_rank());
  }
  template <class T>
  KIT_MEMBER T shfl_up(T v, unsigned int by) const {
    unsigned int rank = thread_rank();
    return shfl(v, rank >= by ? rank - by : rank);
  }
  KIT_MEMBER int any(int p) const { return __any_sync(mask, p); }
  KIT_MEMBER int all(int p) const { return __all_sync(mask, p); }
  KIT_MEMBER unsigned int ballot(int p) const {
    return kit::by_rank(mask, __ballot_sync(mask, p));
  }
  template <class T>
  KIT_MEMBER unsigned int match_any(T v) const {
    return kit::by_rank(mask, kit::match_any(mask, v));
  }
  template <class T>
  KIT_MEMBER unsigned int match_all(T v, int &same) const {
    same = __all_sync(mask, kit::match_any(mask, v) == mask);
    return same ? kit::by_rank(mask, mask) : 0;
  }
};

KIT_MEMBER inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace cooperative_groups

#endif
