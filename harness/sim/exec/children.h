/* children.h: launches by kernels (dynamic parallelism).
 *
 * kernel<<<...>>>(...) in device code is two operations (include/kit_device_runtime.h): one notes
 * the kernel with its arguments, one its configuration, which is checked there, so that
 * cudaGetLastError knows of it. What has been launched runs when the launching grid has ended
 * (device/device_children.c), in the order of launches. That is one of the schedules that CUDA
 * allows, and a kernel with launches runs canonically, so it is the same for any number of threads.
 *
 * CUDA C++ Programming Guide, "CUDA Dynamic Parallelism": children are complete before their parent
 * is; what their thread stored before the launch is there for them.
 */
#ifndef KIT_CHILDREN_H
#define KIT_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;
struct warp;

enum {
  MAX_DEPTH = 24,         /* of grids below the one that the host has launched */
  PENDING_LAUNCHES = 2048 /* by default: cudaLimitDevRuntimePendingLaunchCount */
};

/* Where a launch stands among those of kernels. All zero: the host's, which may launch nothing. */
struct lineage {
  int depth;                     /* 0: the host has launched it */
  uint64_t pending, max_pending; /* grids that wait to run: now, and at most */
};

struct child {
  struct kernel *kernel;
  uint64_t thread; /* who launches, by number in the grid */
  bool launched;   /* it has its configuration */
  bool is_tail;    /* cudaStreamTailLaunch: after all others of its grid */
  int line;
  unsigned grid[3], block[3];
  size_t shared_bytes;
  size_t params; /* where its parameters are in the list's bytes */
};

/* Of a grid, in the order of launches. */
struct children {
  struct child *items;
  int count, room, launched;
  unsigned char *bytes;
  size_t byte_count, byte_room;
};
void children_release(struct children *children);

#endif
