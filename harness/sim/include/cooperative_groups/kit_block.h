/* kit_block.h: thread_block; and thread_group, which may be any group of one block or the grid. */
#ifndef KIT_COOPERATIVE_GROUPS_BLOCK_H
#define KIT_COOPERATIVE_GROUPS_BLOCK_H

#pragma GCC system_header

namespace cooperative_groups {

namespace kit {
__kit_device__ unsigned int block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__kit_device__ unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__kit_device__ void grid_sync();
__kit_device__ unsigned long long grid_rank();
__kit_device__ unsigned long long grid_size();
}  // namespace kit

/* Whose members those of the derived classes hide: asked which it is only as a thread_group. */
class thread_group {
 protected:
  enum kind { BLOCK, GRID, LANES } kind;
  unsigned int mask;                  /* LANES */
  unsigned int meta_rank, meta_count; /* which of the groups into which its parent was parted */
  KIT_MEMBER thread_group(enum kind k, unsigned int lanes = 0, unsigned int rank = 0,
                          unsigned int count = 1)
      : kind(k), mask(lanes), meta_rank(rank), meta_count(count) {}
  template <unsigned int, class>
  friend class thread_block_tile;
  friend __device__ thread_group this_thread();
  friend __device__ thread_group tiled_partition(const thread_group &, unsigned int);

 public:
  KIT_MEMBER void sync() const {
    if (kind == BLOCK)
      __syncthreads();
    else if (kind == GRID)
      kit::grid_sync();
    else
      __syncwarp(mask);
  }
  KIT_MEMBER unsigned long long size() const {
    return kind == BLOCK  ? kit::block_size()
           : kind == GRID ? kit::grid_size()
                          : (unsigned long long)__popc(mask);
  }
  KIT_MEMBER unsigned long long num_threads() const { return size(); }
  KIT_MEMBER unsigned long long thread_rank() const {
    return kind == BLOCK  ? kit::block_rank()
           : kind == GRID ? kit::grid_rank()
                          : (unsigned long long)__popc(mask & kit::lanes_below());
  }
  KIT_MEMBER bool is_valid() const { return true; }
};

/* What tiles of more than 32 threads need on older GPUs. */
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  char bytes[MaxBlockSize / 32 * 32];
};

class thread_block : public thread_group {
  KIT_MEMBER thread_block() : thread_group(BLOCK) {}
  friend __device__ thread_block this_thread_block();
  template <unsigned int Size>
  friend __device__ thread_block this_thread_block(block_tile_memory<Size> &);

 public:
  struct arrival_token {};
  static KIT_MEMBER void sync() { __syncthreads(); }
  /* As on the real thing, all waiting is done here. */
  KIT_MEMBER arrival_token barrier_arrive() const { return arrival_token(); }
  KIT_MEMBER void barrier_wait(arrival_token &&) const { __syncthreads(); }
  static KIT_MEMBER unsigned int thread_rank() { return kit::block_rank(); }
  static KIT_MEMBER unsigned int size() { return kit::block_size(); }
  static KIT_MEMBER unsigned int num_threads() { return kit::block_size(); }
  static KIT_MEMBER dim3 group_index() { return blockIdx; }
  static KIT_MEMBER dim3 thread_index() { return threadIdx; }
  static KIT_MEMBER dim3 group_dim() { return blockDim; }
  static KIT_MEMBER dim3 dim_threads() { return blockDim; }
};

KIT_MEMBER inline thread_block this_thread_block() { return thread_block(); }
template <unsigned int Size>
KIT_MEMBER inline thread_block this_thread_block(block_tile_memory<Size> &) {
  return thread_block();
}
KIT_MEMBER inline thread_group this_thread() {
  return thread_group(thread_group::LANES, 1u << kit::lane());
}

template <class Group>
__kit_device__ void sync(const Group &group) {
  group.sync();
}
template <class Group>
__kit_device__ auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
__kit_device__ auto group_size(const Group &group) -> decltype(group.num_threads()) {
  return group.num_threads();
}
template <class Group>
__kit_device__ bool is_valid(const Group &group) {
  return group.is_valid();
}
/* Of copies that memcpy_async() has begun, too. */
template <class Group>
__kit_device__ void wait(const Group &group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
