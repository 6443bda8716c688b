/* gpu.h: the GPU that the simulator stands for, read from a description such as gpus/h100.ini. */
#ifndef KIT_GPU_H
#define KIT_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/capability.h"

/* Figures of the GPU described, for cudaGetDeviceProperties. */
struct device_info {
  char name[64];
  int sm_count, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;
  uint64_t memory_bytes;
  int max_threads_per_block, max_threads_per_sm, max_blocks_per_sm, warp_size;
  int registers_per_block, registers_per_sm;
  int shared_per_block, shared_per_block_optin, shared_per_sm;
  int max_block[3], max_grid[3];
  int compute_major, compute_minor;
  bool measured; /* its figures; else they are published ones */
};

struct gpu_model { /* units and sources as in gpus/h100.ini */
  double launch_interval_ns, launch_gap_ns, blocks_per_ns, block_turn_cycles, block_warp_cycles;
  double branch_cycles, predicate_cycles, two_reads_cycles, three_reads_cycles;
  double barrier_cycles, barrier_warp_cycles;
  double shared_add_cycles, shared_loop_cycles, shared_loop_latency;
  double l1_line_cycles, shared_latency, l1_latency, l2_latency, dram_latency;
  double sm_line_cycles, sm_sector_cycles, sm_store_cycles;
  double l2_lines_per_ns, l2_sectors_per_ns, l2_store_units_per_ns, l2_missing_word;
  double l2_atomics_per_ns, l2_returning_atomics_per_ns, l2_atomic_ns, l2_atomic_next_ns,
      l2_atomic_sum_ns, l2_keeps, l2_loses;
  double l2_keeps_reads, l2_loses_reads;
  double dram_bytes_per_ns, dram_reads_per_ns, dram_writes_per_ns;
  double dram_random_loads_per_ns, dram_random_stores_per_ns;
  double dram_queue_ns, dram_mixed_queue_ns, dram_spread_cycles;
};

/* What calls take of the host, and what the device takes beyond its kernels; bytes a ns. As above.
 */
struct gpu_timeline {
  double launch_ns, copy_call_ns, copy_on_device_call_ns, fill_call_ns, record_call_ns;
  double wait_call_ns, query_ns, synchronize_ns, function_call_ns, allocate_ns, free_ns;
  double small_allocate_ns, small_free_ns;
  double pin_per_ns, unpin_per_ns, register_ns, register_per_ns;
  double unregister_ns, unregister_per_ns;
  double issue_ns, kernel_issue_ns, copy_issue_ns, return_ns;
  double stagger_ns, engine_switch_ns, copy_switch_ns, event_hop_ns, record_ns, function_ns;
  double connections, kernels, copy_groups;
  double copy_in_ns, copy_out_ns, inline_bytes, link_bytes_per_ns, link_both_per_ns;
  double pageable_in_ns, pageable_near_bytes, pageable_near_per_ns, pageable_far_per_ns;
  double pageable_out_ns, pageable_out_start_ns, pageable_out_per_ns, staging_bytes;
  double mapped_ns, mapped_per_ns, mapped_both_ns, mapped_both_per_ns;
  double copy_beside_mapped, mapped_beside_copy; /* shares of full speed, 0 to 1 */
  double host_fault_per_ns, host_map_per_ns;
  double fault_ns, fault_more_ns, fault_per_ns, fetch_ns, fetch_in_per_ns, fetch_out_per_ns;
  double copy_on_device_ns, copy_on_device_per_ns, fill_ns, fill_per_ns;
};

struct gpu {
  struct device_info info;
  struct gpu_model model;
  struct gpu_timeline timeline;
};

/* Reads the file, or the built-in H100 if path is NULL. False, with one line in error, if it cannot
 * be read or lacks a key. */
bool gpu_read(struct gpu *gpu, const char *path, char *error, size_t error_size);

/* The row of its compute capability: gpu_read accepts no GPU without. */
const struct capability *gpu_capability(const struct device_info *info);

/* "simulated Tesla T4 (published figures, not measured)"; GPU_WORDS bytes are enough. */
enum { GPU_WORDS = 128 };
void gpu_describe(const struct device_info *info, char *text, size_t size);

/* The description that is built in, as a name in gpus/. */
#define GPU_BUILT_IN "h100"

/* Peak rates of the device: DRAM bytes per ns, fp32 operations per ns. */
double gpu_bytes_per_ns(const struct gpu *gpu);
double gpu_fp32_per_ns(const struct gpu *gpu);

/* occupancy.c: how many blocks of a kernel an SM holds at once, by each resource alone, as Nsight
 * Compute names them (Block Limit Registers, Shared Mem, Warps, SM), and by all of them: the
 * smallest. 0: not even one. Registers are allocated per warp in units of 256, a quarter of them to
 * the warps of each scheduler; what of shared memory is reserved per block, and its units, are in
 * capability.h: CUDA C++ Programming Guide, "Compute Capabilities", and cuda_occupancy.h of the
 * CUDA Toolkit. */
struct occupancy {
  int registers, shared, warps, slots;
  int blocks;
};

/* shared: bytes per block, static and dynamic; registers: per thread, 0: they do not limit it. */
struct occupancy occupancy_of(const struct device_info *gpu, int threads, int registers,
                              size_t shared);
/* Only how many by all of them. */
int occupancy_blocks(const struct device_info *gpu, int threads, int registers, size_t shared);

/* Bytes left to L1 while `blocks` such blocks are resident: shared memory is carved out of the
 * unified memory in a few sizes (capability.h). */
size_t occupancy_l1_bytes(const struct device_info *gpu, int blocks, size_t shared);

#endif
