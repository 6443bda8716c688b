/* kit_grid.h: grid_group, all blocks of a cooperative launch; groups that are not simulated. */
#ifndef KIT_COOPERATIVE_GROUPS_GRID_H
#define KIT_COOPERATIVE_GROUPS_GRID_H

#pragma GCC system_header

/* Ends the launch as a trap does, for that reason. */
extern "C" __device__ void __kit_trap(const char *reason);

namespace cooperative_groups {

namespace kit {

/* Its highest bit changes each time that all blocks have come to a grid.sync(): see grid_arrive. */
static __device__ unsigned int grid_arrived;

__kit_device__ unsigned long long grid_block() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__kit_device__ unsigned long long grid_blocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__kit_device__ unsigned long long grid_rank() { return grid_block() * block_size() + block_rank(); }
__kit_device__ unsigned long long grid_size() { return grid_blocks() * block_size(); }
__kit_device__ bool grid_is_cooperative() {
  unsigned int is;
  asm("mov.u32 %0, %%kit_cooperative;" : "=r"(is));
  return is != 0;
}

/* All blocks must be resident: each adds its part of 2^31, and waits until the highest bit is not
 * what it was. One atomic a block, and waiting reads: as CUDA's own headers have it, so that what
 * is counted and the time are those of a GPU. What was there before is known to the block's first
 * thread. */
__kit_device__ unsigned int grid_arrive() {
  if (!grid_is_cooperative())
    __kit_trap("grid.sync() needs a cooperative launch: cudaLaunchCooperativeKernel");
  __syncthreads();
  unsigned int before = 0;
  if (block_rank() == 0) {
    unsigned int others = (unsigned int)grid_blocks() - 1;
    __threadfence();
    before = atomicAdd(&grid_arrived, grid_block() == 0 ? 0x80000000u - others : 1u);
  }
  return before;
}
__kit_device__ void grid_wait(unsigned int before) {
  if (block_rank() == 0) {
    while (((before ^ *(volatile unsigned int *)&grid_arrived) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}
__kit_device__ void grid_sync() { grid_wait(grid_arrive()); }

}  // namespace kit

class grid_group : public thread_group {
  KIT_MEMBER grid_group() : thread_group(GRID) {}
  friend __device__ grid_group this_grid();

 public:
  typedef unsigned int arrival_token;
  static KIT_MEMBER bool is_valid() { return kit::grid_is_cooperative(); }
  static KIT_MEMBER void sync() { kit::grid_sync(); }
  static KIT_MEMBER arrival_token barrier_arrive() { return kit::grid_arrive(); }
  static KIT_MEMBER void barrier_wait(arrival_token &&token) { kit::grid_wait(token); }
  static KIT_MEMBER unsigned long long block_rank() { return kit::grid_block(); }
  static KIT_MEMBER unsigned long long num_blocks() { return kit::grid_blocks(); }
  static KIT_MEMBER unsigned long long thread_rank() { return kit::grid_rank(); }
  static KIT_MEMBER unsigned long long size() { return kit::grid_size(); }
  static KIT_MEMBER unsigned long long num_threads() { return kit::grid_size(); }
  static KIT_MEMBER dim3 block_index() { return blockIdx; }
  static KIT_MEMBER dim3 thread_index() { return threadIdx; }
  static KIT_MEMBER dim3 dim_blocks() { return gridDim; }
  static KIT_MEMBER dim3 dim_threads() { return blockDim; }
  static KIT_MEMBER dim3 group_dim() { return gridDim; }
};

KIT_MEMBER inline grid_group this_grid() { return grid_group(); }

#define KIT_LACKED_GROUP(type, maker, why)                                                   \
  class __attribute__((unavailable("not simulated: " why))) type {};                         \
  template <class Never = int>                                                               \
  __attribute__((unavailable("not simulated: " why))) __device__ thread_group maker();
KIT_LACKED_GROUP(cluster_group, this_cluster, "clusters of blocks; use blocks or the grid")
KIT_LACKED_GROUP(multi_grid_group, this_multi_grid, "launches on several devices at a time")
#undef KIT_LACKED_GROUP

}  // namespace cooperative_groups

#endif
