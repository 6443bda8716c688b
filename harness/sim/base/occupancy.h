/* occupancy.h: how many blocks of a kernel an SM holds at once. */
#ifndef KIT_OCCUPANCY_H
#define KIT_OCCUPANCY_H

#include "harness/sim/base/gpu.h"

/* 0: not even one. shared: bytes of a block, static and dynamic. Blocks are limited by threads,
 * warps' registers (given out in units of 256; a quarter of them to the warps of each scheduler),
 * shared memory (1 KiB a block is reserved; units of 128 bytes) and slots: CUDA C++ Programming
 * Guide, "Compute Capabilities", and cuda_occupancy.h of the CUDA Toolkit. */
int occupancy_blocks(const struct device_info *gpu, int threads, int registers, size_t shared);

/* Bytes of L1 and shared memory that are left to L1 while `blocks` such blocks are resident: shared
 * memory is carved out in a few sizes (compute capability 9.0). */
size_t occupancy_l1_bytes(const struct device_info *gpu, int blocks, size_t shared);

#endif
