/* kit_tile.h: thread_block_tile: Size threads of a block, one after the other. Those of at most 32
 * are here, others in kit_wide_tile.h. */
#ifndef KIT_COOPERATIVE_GROUPS_TILE_H
#define KIT_COOPERATIVE_GROUPS_TILE_H

#pragma GCC system_header

namespace cooperative_groups {

template <unsigned int Size, class Parent = void>
class thread_block_tile;

namespace kit {

template <unsigned int Size>
struct tile_ranks {
  static KIT_MEMBER unsigned int thread_rank() { return block_rank() & (Size - 1); }
  static constexpr KIT_MEMBER unsigned int size() { return Size; }
  static constexpr KIT_MEMBER unsigned int num_threads() { return Size; }
};

template <unsigned int Size>
struct wide_tile;

/* Some lanes of a warp. */
template <unsigned int Size>
struct lane_tile : tile_ranks<Size> {
  static KIT_MEMBER unsigned int first_lane() { return block_rank() & (32 - Size); }
  static KIT_MEMBER unsigned int mask() { return (0xffffffffu >> (32 - Size)) << first_lane(); }
  static KIT_MEMBER void sync() { __syncwarp(mask()); }
  template <class T>
  KIT_MEMBER T shfl(T v, int rank) const {
    return kit::shfl(mask(), v, rank, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_down(T v, unsigned int by) const {
    return kit::shfl_down(mask(), v, by, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_up(T v, unsigned int by) const {
    return kit::shfl_up(mask(), v, by, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_xor(T v, unsigned int by) const {
    return kit::shfl_xor(mask(), v, (int)by, Size);
  }
  KIT_MEMBER int any(int p) const { return __any_sync(mask(), p); }
  KIT_MEMBER int all(int p) const { return __all_sync(mask(), p); }
  KIT_MEMBER unsigned int ballot(int p) const { return __ballot_sync(mask(), p) >> first_lane(); }
  template <class T>
  KIT_MEMBER unsigned int match_any(T v) const {
    return kit::match_any(mask(), v) >> first_lane();
  }
  template <class T>
  KIT_MEMBER unsigned int match_all(T v, int &same) const {
    same = kit::match_any(mask(), v) == __ballot_sync(mask(), 1);
    same = __all_sync(mask(), same);
    return same ? mask() >> first_lane() : 0;
  }
};

/* Which of its parent's tiles it is. Without a parent's type it remembers. */
template <unsigned int Size, class Parent>
struct tile_place {
  static KIT_MEMBER unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
  static KIT_MEMBER unsigned int meta_group_size() { return (Parent::size() + Size - 1) / Size; }
};
template <unsigned int Size>
class tile_place<Size, void> {
  unsigned int rank = 0, count = 0;

 protected:
  tile_place() = default;
  KIT_MEMBER tile_place(unsigned int r, unsigned int n) : rank(r), count(n) {}

 public:
  KIT_MEMBER unsigned int meta_group_rank() const { return rank; }
  KIT_MEMBER unsigned int meta_group_size() const { return count; }
};

template <unsigned int Size, bool Wide = (Size > 32)>
struct tile_of {
  typedef lane_tile<Size> type;
};
template <unsigned int Size>
struct tile_of<Size, true> {
  typedef wide_tile<Size> type;
};

constexpr KIT_MEMBER bool tile_is_possible(unsigned int size) {
  return size > 0 && size <= 1024 && (size & (size - 1)) == 0;
}

}  // namespace kit

template <unsigned int Size, class Parent>
class thread_block_tile : public kit::tile_of<Size>::type, public kit::tile_place<Size, Parent> {
  static_assert(kit::tile_is_possible(Size), "a tile has 1, 2, 4, 8, ... or 1024 threads");

 public:
  thread_block_tile() = default;
  KIT_MEMBER operator thread_group() const {
    static_assert(Size <= 32, "a thread_group cannot be a tile of several warps");
    return thread_group(thread_group::LANES, this->mask(), this->meta_group_rank(),
                        this->meta_group_size());
  }
};

/* thread_block_tile<32> tile = tiled_partition<32>(block) */
template <unsigned int Size>
class thread_block_tile<Size, void> : public kit::tile_of<Size>::type,
                                      public kit::tile_place<Size, void> {
  static_assert(kit::tile_is_possible(Size), "a tile has 1, 2, 4, 8, ... or 1024 threads");

 public:
  thread_block_tile() = default;
  template <class Other>
  KIT_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &other)
      : kit::tile_place<Size, void>(other.meta_group_rank(), other.meta_group_size()) {}
  KIT_MEMBER operator thread_group() const {
    static_assert(Size <= 32, "a thread_group cannot be a tile of several warps");
    return thread_group(thread_group::LANES, this->mask(), this->meta_group_rank(),
                        this->meta_group_size());
  }
};

}  // namespace cooperative_groups

#endif
