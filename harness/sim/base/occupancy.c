/* occupancy.c: blocks that an SM holds at once, and what is left to L1 (compute capability 9.0). */
#include "harness/sim/base/gpu.h"

enum {
  SCHEDULERS = 4,
  REGISTER_UNIT = 256,
  SHARED_RESERVED = 1024,
  SHARED_UNIT = 128,
  UNIFIED_KIB = 256
};

static int min(int limit, int value) { return value < limit ? value : limit; }

static size_t shared_of_block(size_t shared) {
  return (shared + SHARED_RESERVED + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
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
  struct occupancy o = {
      .registers = by_registers(gpu, warps, registers),
      .shared = (int)((size_t)gpu->shared_per_sm / shared_of_block(shared)),
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
  static const int carve_outs_kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  size_t wanted = shared ? (size_t)blocks * shared_of_block(shared) : 0;
  (void)gpu;
  for (size_t i = 0; i < sizeof carve_outs_kib / sizeof carve_outs_kib[0]; i++)
    if ((size_t)carve_outs_kib[i] << 10 >= wanted)
      return (size_t)(UNIFIED_KIB - carve_outs_kib[i]) << 10;
  return (size_t)(UNIFIED_KIB - 228) << 10;
}
