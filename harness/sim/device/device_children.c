/* device_children.c: runs what a grid has launched, when it has ended: one grid after the other,
 * each with what it launches itself, those of cudaStreamTailLaunch last (exec/children.h). Each is
 * a launch of its own in reports, in the stream of the host's launch, and of its time: grids are
 * not taken to run beside each other. */
#include <stdlib.h>

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

/* Launches that failed come last. */
static int by_turn(const void *a, const void *b) {
  const struct child *const *x = a, *const *y = b, *p = *x, *q = *y;
  if (p->launched != q->launched) return p->launched ? -1 : 1;
  if (p->is_tail != q->is_tail) return p->is_tail ? 1 : -1;
  if (p->turn != q->turn && !p->is_tail) return p->turn < q->turn ? -1 : 1;
  return p < q ? -1 : p > q;
}

int device_run_children(struct device *device, const struct children *children,
                        const struct family *parent) {
  struct family family = *parent;
  int code = cudaSuccess;
  if (!children->launched) return cudaSuccess;
  const struct child **order = malloc((size_t)children->count * sizeof *order);
  if (!order) return cudaErrorMemoryAllocation;
  for (int i = 0; i < children->count; i++) order[i] = &children->items[i];
  qsort(order, (size_t)children->count, sizeof *order, by_turn);
  family.lineage.pending += (uint64_t)children->launched;
  for (int i = 0; i < children->launched; i++) {
    if (code != cudaSuccess || device->error || device->over_budget) break;
    family.lineage.pending--;
    code = run_child(device, children, order[i], &family);
  }
  free(order);
  return code;
}
