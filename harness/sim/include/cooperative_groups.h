/* cooperative_groups.h: groups of threads, and what each can do together. A file for each kind of
 * group is in cooperative_groups/; reduce.h, scan.h and memcpy_async.h there are for programs to
 * include. Sums of floats are added up in the order of NVIDIA's headers, and so have their bits. */
#ifndef KIT_COOPERATIVE_GROUPS_H
#define KIT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#pragma GCC system_header

#define KIT_MEMBER __device__ __attribute__((always_inline, nodebug))

#include "cooperative_groups/kit_lanes.h"

#include "cooperative_groups/kit_block.h"
#include "cooperative_groups/kit_grid.h"

#include "cooperative_groups/kit_tile.h"

#include "cooperative_groups/kit_coalesced.h"
#include "cooperative_groups/kit_wide_tile.h"

#include "cooperative_groups/kit_partition.h"

#undef KIT_MEMBER

#endif
