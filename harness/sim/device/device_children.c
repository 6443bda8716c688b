/* device_children.c: runs what a grid has launched, when it has ended: one grid after the other,
 * each with what it launches itself, those of cudaStreamTailLaunch last (exec/children.h). Each is
 * a launch of its own in reports, in the stream of the host's launch, and of its time: grids are
 * not taken to run beside each other. */
#include "harness/sim/device/state.h"

static int run_child(struct device *device, const struct children *children,
                     const struct child *child, const struct family *parent) {
  struct launch launch = {.kernel = child->kernel->name,
                          .shared_bytes = child->shared_bytes,
                          .params = children->bytes + child->params,
                          .param_bytes = child->kernel->info.param_bytes,
                          .place.line = child->line,
                          .stream = parent->stream};
  for (int k = 0; k < 3; k++) {
    launch.grid[k] = child->grid[k];
    launch.block[k] = child->block[k];
  }
  return device_run(device, child->kernel, &launch, parent);
}

int device_set_pending(struct device *device, size_t launches) {
  enum { MOST = 1 << 20 }; /* they are kept in memory */
  HOLD(&device->lock);
  device->max_pending = launches < MOST ? launches : MOST;
  return cudaSuccess;
}

int device_run_children(struct device *device, const struct children *children,
                        const struct family *parent) {
  struct family family = *parent;
  int code = cudaSuccess;
  family.lineage.pending += (uint64_t)children->launched;
  for (int tails = 0; tails < 2; tails++)
    for (int i = 0; i < children->count; i++) {
      const struct child *child = &children->items[i];
      if (!child->launched || child->is_tail != tails) continue;
      if (code != cudaSuccess || device->error || device->over_budget) return code;
      family.lineage.pending--;
      code = run_child(device, children, child, &family);
    }
  return code;
}
