/* occupancy.c: blocks that an SM holds at once, and what is left to L1. What differs by
 * compute capability is in capability.c. */
#include "harness/sim/base/gpu.h"

enum { SCHEDULERS = 4, REGISTER_UNIT = 256 }; /* of all of them */

const struct capability *gpu_capability(const struct device_info *info) {
  return capability_of(info->compute_major, info->compute_minor);
}

static int min(int limit, int value) { return value < limit ? value : limit; }

static size_t shared_of_block(const struct device_info *gpu, size_t shared) {
  const struct capability *c = gpu_capability(gpu);
  size_t unit = (size_t)c->shared_unit;
  return (shared + (size_t)c->shared_reserved + unit - 1) / unit * unit;
}

static int by_registers(const struct device_info *gpu, int warps, int registers) {
  int of_warp = (registers * gpu->warp_size + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
  if (of_warp == 0) return gpu->max_blocks_per_sm;
  int of_scheduler = gpu->registers_per_sm / SCHEDULERS / of_warp; /* warps */
  return of_scheduler * SCHEDULERS / warps;
}

struct occupancy occupancy_of(const struct device_info *gpu, int threads, int registers,
                              size_t shared) {
  int warps = (threads + gpu->warp_size - 1) / gpu->warp_size;
  size_t of_block = shared_of_block(gpu, shared); /* 0: nothing is reserved */
  struct occupancy o = {
      .registers = by_registers(gpu, warps, registers),
      .shared = of_block ? (int)((size_t)gpu->shared_per_sm / of_block) : gpu->max_blocks_per_sm,
      .warps = gpu->max_threads_per_sm / (warps * gpu->warp_size),
      .slots = gpu->max_blocks_per_sm,
  };
  o.blocks = min(min(o.registers, o.shared), min(o.warps, o.slots));
  return o;
}

int occupancy_blocks(const struct device_info *gpu, int threads, int registers, size_t shared) {
  return occupancy_of(gpu, threads, registers, shared).blocks;
}

size_t occupancy_l1_bytes(const struct device_info *gpu, int blocks, size_t shared) {
  const struct capability *c = gpu_capability(gpu);
  size_t wanted = shared ? (size_t)blocks * shared_of_block(gpu, shared) : 0;
  int i = 0;
  while (i < c->carve_outs - 1 && (size_t)c->carve_outs_kib[i] << 10 < wanted) i++;
  return (size_t)(c->unified_kib - c->carve_outs_kib[i]) << 10;
}
