/* capability.c: the table of compute capabilities.
 *
 * Sources, by column:
 * - unified_kib, carve_outs_kib: CUDA C++ Programming Guide, "Compute Capabilities", the section on
 *   shared memory of each; cuda_occupancy.h, cudaOccAlignUpShmemSizeVoltaPlus
 * - shared_reserved: the same; a block of 8.0 and later takes 1 KiB more than it asks for
 * - shared_unit: cuda_occupancy.h, cudaOccSMemAllocationGranularity
 * - shared_bytes, l2_halves: NVIDIA Ampere GA102 GPU Architecture (128 bytes a clock and SM, of
 *   Turing 64); NVIDIA A100 Tensor Core GPU Architecture (L2 in two partitions), of which Hopper's
 *   has two as well
 * - loads_params: what nvcc 13 makes of the kernels of tests/model
 * - fp32, fp16, fp64, convert64: CUDA C++ Programming Guide, "Arithmetic Instructions", the table
 * of throughput, with its notes for 7.5; convert64 of 9.0 as measured, gpus/h100.tsv
 * - fp64_latency: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
 *   arXiv 1804.06826, and "Dissecting the NVidia Turing T4 GPU via Microbenchmarking", arXiv
 *   1903.07486, latencies of instructions. 8.6 and 8.9 have as few units as 7.5, and are given its
 *   latency; 8.0 and 9.0: gpus/h100.tsv
 * - tensor_*: the white papers of GV100, TU102, A100, GA102, AD102 and H100: of each SM, dense. For
 *   8.6 and 8.9 as GeForce boards have it, whose sums in fp32 take twice as long. fp64 where there
 *   is no such tensor core: the fp64 units'
 * - tensor_percent: Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via
 *   Microbenchmarking", arXiv 2402.13499: mma.sync reaches 63% on Hopper, and all but some percent
 *   on older GPUs
 *
 * What the rows leave to the cost of 9.0 (model/costs.c) is the same for all of them in the table
 * of throughput: 64 integer additions, multiplications, shifts, comparisons and logic, 16 special
 * functions and conversions, 32 shuffles. Of 8.6 and 8.9, half of the 128 fp32 lanes also do the
 * integer arithmetic: the two together never pass one instruction a cycle and scheduler, which is
 * all that a scheduler issues. */
#include "harness/sim/base/capability.h"

#include <stdio.h>

static const struct capability capabilities[] = {
    {.version = 70,
     .unified_kib = 128,
     .carve_outs_kib = {0, 8, 16, 32, 64, 96},
     .carve_outs = 6,
     .shared_reserved = 0,
     .shared_unit = 256,
     .shared_bytes = 128,
     .fp32 = 64,
     .fp16 = 128,
     .fp64 = 32,
     .convert64 = 16,
     .fp64_latency = 8,
     .tensor_fp16 = 512,
     .tensor_fp16_fp32 = 512,
     .tensor_percent = 100},
    {.version = 75,
     .unified_kib = 96,
     .carve_outs_kib = {32, 64},
     .carve_outs = 2,
     .shared_reserved = 0,
     .shared_unit = 256,
     .shared_bytes = 64,
     .fp32 = 64,
     .fp16 = 128,
     .fp64 = 2,
     .convert64 = 2,
     .fp64_latency = 48,
     .tensor_fp16 = 512,
     .tensor_fp16_fp32 = 512,
     .tensor_int8 = 1024,
     .tensor_percent = 100},
    {.version = 80,
     .unified_kib = 192,
     .carve_outs_kib = {0, 8, 16, 32, 64, 100, 132, 164},
     .carve_outs = 8,
     .shared_reserved = 1024,
     .shared_unit = 128,
     .shared_bytes = 128,
     .l2_halves = true,
     .fp32 = 64,
     .fp16 = 256,
     .fp64 = 32,
     .convert64 = 16,
     .fp64_latency = 8,
     .tensor_fp16 = 1024,
     .tensor_fp16_fp32 = 1024,
     .tensor_tf32 = 512,
     .tensor_int8 = 2048,
     .tensor_fp64 = 64,
     .tensor_percent = 100},
    {.version = 86,
     .unified_kib = 128,
     .carve_outs_kib = {0, 8, 16, 32, 64, 100},
     .carve_outs = 6,
     .shared_reserved = 1024,
     .shared_unit = 128,
     .shared_bytes = 128,
     .fp32 = 128,
     .fp16 = 128,
     .fp64 = 2,
     .convert64 = 2,
     .fp64_latency = 48,
     .tensor_fp16 = 512,
     .tensor_fp16_fp32 = 256,
     .tensor_tf32 = 128,
     .tensor_int8 = 1024,
     .tensor_fp64 = 2,
     .tensor_percent = 100},
    {.version = 89,
     .unified_kib = 128,
     .carve_outs_kib = {0, 8, 16, 32, 64, 100},
     .carve_outs = 6,
     .shared_reserved = 1024,
     .shared_unit = 128,
     .shared_bytes = 128,
     .fp32 = 128,
     .fp16 = 128,
     .fp64 = 2,
     .convert64 = 2,
     .fp64_latency = 48,
     .tensor_fp16 = 512,
     .tensor_fp16_fp32 = 256,
     .tensor_tf32 = 128,
     .tensor_int8 = 1024,
     .tensor_fp64 = 2,
     .tensor_percent = 100},
    {.version = 90,
     .unified_kib = 256,
     .carve_outs_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
     .carve_outs = 10,
     .shared_reserved = 1024,
     .shared_unit = 128,
     .shared_bytes = 128,
     .loads_params = true,
     .l2_halves = true,
     .fp32 = 128,
     .fp16 = 256,
     .fp64 = 64,
     .convert64 = 16,
     .fp64_latency = 8,
     .tensor_fp16 = 2048,
     .tensor_fp16_fp32 = 2048,
     .tensor_tf32 = 1024,
     .tensor_int8 = 4096,
     .tensor_fp64 = 128,
     .tensor_percent = 63},
};
enum { ROWS = sizeof capabilities / sizeof capabilities[0] };

const struct capability *capability_of(int major, int minor) {
  for (int i = 0; i < ROWS; i++)
    if (capabilities[i].version == 10 * major + minor && minor < 10) return &capabilities[i];
  return NULL;
}

void capability_list(char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < ROWS && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%d.%d", i ? ", " : "",
                             capabilities[i].version / 10, capabilities[i].version % 10);
}
