/* kit_wide_tile.h: tiles of several warps: they meet at a barrier of their own, and exchange values
 * through shared memory. */
#ifndef KIT_COOPERATIVE_GROUPS_WIDE_TILE_H
#define KIT_COOPERATIVE_GROUPS_WIDE_TILE_H

#pragma GCC system_header

namespace cooperative_groups {
namespace kit {

enum { MAX_WARPS = 32, MAX_VALUE = 32 };

/* A value for each warp of a block, of at most 32 bytes. */
template <class T>
__kit_device__ T *warp_values() {
  static_assert(sizeof(T) <= MAX_VALUE, "a group exchanges values of at most 32 bytes");
  static __shared__ __align__(16) char values[MAX_WARPS * MAX_VALUE];
  return (T *)values;
}

template <unsigned int Size>
struct wide_tile : tile_ranks<Size> {
  enum : unsigned int { WARPS = Size / 32 };
  typedef lane_tile<32> warp;
  typedef lane_tile<WARPS> warp_firsts; /* as many lanes as the tile has warps */

  /* The simulator has barriers for tiles of every size besides the 16 of PTX (control.h). */
  static KIT_MEMBER void sync() {
    enum { BARRIERS = 1 << 16 };
    unsigned int tile = block_rank() / Size, start = tile * Size,
                 rest = (block_size() - start + 31) & ~31u;
    asm volatile("barrier.sync %0, %1;"
                 :
                 : "r"(BARRIERS + 1024 / Size - 1 + tile), "r"(rest < Size ? rest : Size)
                 : "memory");
  }
  static KIT_MEMBER unsigned int first_warp() { return block_rank() / Size * WARPS; }
  static KIT_MEMBER unsigned int warp_rank() { return block_rank() / 32 & (WARPS - 1); }

  /* Each warp's value, by the lanes of every warp. */
  template <class T>
  static KIT_MEMBER T exchange(T of_warp, bool writes) {
    T *values = warp_values<T>() + first_warp();
    if (writes) values[warp_rank()] = of_warp;
    sync();
    T result = of_warp;
    if (warp::thread_rank() < WARPS) result = values[warp::thread_rank()];
    sync();
    return kit::shfl(0xffffffffu, result, (int)warp::thread_rank() & (WARPS - 1), 32);
  }
  template <class T>
  KIT_MEMBER T shfl(T v, unsigned int rank) const {
    T *value = warp_values<T>() + first_warp();
    if (this->thread_rank() == rank) *value = v;
    sync();
    T result = v;
    if (warp::thread_rank() == 0) result = *value;
    sync();
    return kit::shfl(0xffffffffu, result, 0, 32);
  }
  KIT_MEMBER int any(int p) const {
    int mine = __any_sync(0xffffffffu, p);
    return __any_sync(0xffffffffu, exchange(mine, warp::thread_rank() == 0));
  }
  KIT_MEMBER int all(int p) const {
    int mine = __all_sync(0xffffffffu, p);
    return __all_sync(0xffffffffu, exchange(mine, warp::thread_rank() == 0));
  }
};

}  // namespace kit
}  // namespace cooperative_groups

#endif
