/* cooperative_groups.h: the groups of one block: thread_block, thread_block_tile, coalesced_group;
 * and grid_group, whose sync() needs cudaLaunchCooperativeKernel. */
#ifndef KIT_COOPERATIVE_GROUPS_H
#define KIT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#pragma GCC system_header

#define KIT_MEMBER __device__ __attribute__((always_inline, nodebug))

namespace cooperative_groups {

class thread_block {
 public:
  static KIT_MEMBER void sync() { __syncthreads(); }
  static KIT_MEMBER unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static KIT_MEMBER unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static KIT_MEMBER unsigned int num_threads() { return size(); }
  static KIT_MEMBER dim3 group_index() { return blockIdx; }
  static KIT_MEMBER dim3 thread_index() { return threadIdx; }
  static KIT_MEMBER dim3 group_dim() { return blockDim; }
  static KIT_MEMBER dim3 dim_threads() { return blockDim; }
};

/* Blocks that have come to the grid.sync() at hand, and how many of those there have been. */
static __device__ unsigned int kit_grid_arrived, kit_grid_round;

class grid_group {
 public:
  /* All blocks must be resident: each adds 1, and waits until the others of its round have. */
  static KIT_MEMBER void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      __threadfence();
      unsigned int round = atomicAdd(&kit_grid_round, 0);
      if (atomicAdd(&kit_grid_arrived, 1) == (unsigned int)num_blocks() - 1) {
        atomicExch(&kit_grid_arrived, 0);
        __threadfence();
        atomicAdd(&kit_grid_round, 1);
      } else {
        while (atomicAdd(&kit_grid_round, 0) == round) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
  static KIT_MEMBER bool is_valid() { return true; }
  static KIT_MEMBER unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static KIT_MEMBER unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static KIT_MEMBER unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static KIT_MEMBER unsigned long long size() { return num_blocks() * thread_block::size(); }
  static KIT_MEMBER unsigned long long num_threads() { return size(); }
  static KIT_MEMBER dim3 block_index() { return blockIdx; }
  static KIT_MEMBER dim3 dim_blocks() { return gridDim; }
  static KIT_MEMBER dim3 group_dim() { return gridDim; }
};

/* Size neighbouring lanes of a warp. */
template <unsigned int Size, typename Parent = void>
class thread_block_tile {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0 && Size > 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static KIT_MEMBER unsigned int first_lane() { return thread_block::thread_rank() & (32 - Size); }
  static KIT_MEMBER unsigned int mask() { return (0xffffffffu >> (32 - Size)) << first_lane(); }

 public:
  thread_block_tile() = default;
  /* thread_block_tile<32> tile = tiled_partition<32>(block): the parent is forgotten. */
  template <class Other>
  KIT_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &) {}
  static KIT_MEMBER void sync() { __syncwarp(mask()); }
  static KIT_MEMBER unsigned int thread_rank() { return thread_block::thread_rank() & (Size - 1); }
  static constexpr KIT_MEMBER unsigned int size() { return Size; }
  static constexpr KIT_MEMBER unsigned int num_threads() { return Size; }
  static KIT_MEMBER unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  static KIT_MEMBER unsigned int meta_group_size() {
    return (thread_block::size() + Size - 1) / Size;
  }
  template <class T>
  KIT_MEMBER T shfl(T v, int rank) const {
    return __shfl_sync(mask(), v, rank, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_down(T v, unsigned int by) const {
    return __shfl_down_sync(mask(), v, by, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_up(T v, unsigned int by) const {
    return __shfl_up_sync(mask(), v, by, Size);
  }
  template <class T>
  KIT_MEMBER T shfl_xor(T v, unsigned int by) const {
    return __shfl_xor_sync(mask(), v, (int)by, Size);
  }
  KIT_MEMBER int any(int p) const { return __any_sync(mask(), p); }
  KIT_MEMBER int all(int p) const { return __all_sync(mask(), p); }
  KIT_MEMBER unsigned int ballot(int p) const { return __ballot_sync(mask(), p) >> first_lane(); }
};

/* The lanes of a warp that were active where it was made. */
class coalesced_group {
  unsigned int mask;
  KIT_MEMBER coalesced_group(unsigned int lanes) : mask(lanes) {}
  friend __device__ coalesced_group coalesced_threads();

  static KIT_MEMBER unsigned int lane() { return thread_block::thread_rank() & 31; }
  KIT_MEMBER int lane_of(unsigned int rank) const {
    unsigned int left = mask;
    for (; rank > 0; rank--) left &= left - 1;
    return __ffs((int)left) - 1;
  }

 public:
  KIT_MEMBER void sync() const { __syncwarp(mask); }
  KIT_MEMBER unsigned int size() const { return (unsigned int)__popc(mask); }
  KIT_MEMBER unsigned int num_threads() const { return size(); }
  KIT_MEMBER unsigned int thread_rank() const {
    return (unsigned int)__popc(mask & ((1u << lane()) - 1));
  }
  template <class T>
  KIT_MEMBER T shfl(T v, unsigned int rank) const {
    return __shfl_sync(mask, v, lane_of(rank));
  }
  template <class T>
  KIT_MEMBER T shfl_down(T v, unsigned int by) const {
    unsigned int rank = thread_rank() + by;
    return __shfl_sync(mask, v, rank < size() ? lane_of(rank) : (int)lane());
  }
  template <class T>
  KIT_MEMBER T shfl_up(T v, unsigned int by) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(mask, v, rank >= by ? lane_of(rank - by) : (int)lane());
  }
  KIT_MEMBER int any(int p) const { return __any_sync(mask, p); }
  KIT_MEMBER int all(int p) const { return __all_sync(mask, p); }
};

__device__ __attribute__((always_inline, nodebug)) inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}
__kit_device__ thread_block this_thread_block() { return thread_block(); }
__kit_device__ grid_group this_grid() { return grid_group(); }

template <unsigned int Size>
__kit_device__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>();
}
template <unsigned int Size, unsigned int Outer, class Parent>
__kit_device__ thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(
    const thread_block_tile<Outer, Parent> &) {
  return thread_block_tile<Size, thread_block_tile<Outer, Parent>>();
}

template <class Group>
__kit_device__ void sync(const Group &group) {
  group.sync();
}
template <class Group>
__kit_device__ void wait(const Group &group) {
  group.sync();
}

}  // namespace cooperative_groups

#undef KIT_MEMBER

#endif
