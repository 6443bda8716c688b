/* residency.c: what a launch moves over the link between host and device: accesses to mapped host
 * memory, and pages of managed memory, which move to the side that touches them. As far as time is
 * concerned: contents are device_managed.c's.
 *
 * Where a page is, a launch knows from the lines that it touches, and the host's side from what has
 * changed there; that host code has only read a page is not seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/device/state.h"

enum { PAGE_SHIFT = 16, PAGE = 1 << PAGE_SHIFT, SMALL_PAGE = 4096 };

static size_t page_count(const struct allocation *a) { return (a->size + PAGE - 1) >> PAGE_SHIFT; }

static size_t page_bytes(const struct allocation *a, size_t page) {
  size_t start = page << PAGE_SHIFT;
  return a->size - start < PAGE ? a->size - start : PAGE;
}

/* One byte a page: is it on the device? NULL: out of memory, and nobody asks any more. */
static uint8_t *pages_of(struct allocation *a) {
  if (!a->on_device) a->on_device = calloc(page_count(a) + 1, 1);
  return a->on_device;
}

/* Bytes of the pages from one byte to another that are not on the side where they then are. */
static size_t move_pages(struct allocation *a, size_t from, size_t to, bool to_device) {
  uint8_t *on_device = to > from ? pages_of(a) : NULL;
  size_t moved = 0;
  if (!on_device) return 0;
  for (size_t page = from >> PAGE_SHIFT; page <= (to - 1) >> PAGE_SHIFT; page++) {
    if (on_device[page] == to_device) continue;
    on_device[page] = to_device;
    moved += page_bytes(a, page);
  }
  return moved;
}

void residency_host_wrote(struct device *device, struct allocation *a, size_t offset,
                          size_t bytes) {
  if (a->mapped) return;
  size_t moved = move_pages(a, offset, offset + bytes, false);
  timeline_spend(device->timeline, (double)moved / device->gpu.timeline.host_fault_per_ns,
                 "pages of managed memory move to the host");
}

/* Bytes in pages that the launch touches and that are on the host; from now on they are not. */
static size_t fetch_touched(struct allocation *a, uint64_t launch) {
  const struct touched *t = &a->touched;
  uint8_t stamp = touched_stamp(launch);
  size_t lines = touched_lines(a->size), moved = 0;
  if (t->launch != launch) return 0;
  if (!t->loaded) return move_pages(a, 0, a->size, true);
  for (size_t line = 0; line < lines; line++) {
    if (t->loaded[line] != stamp && t->stored[line] != stamp) continue;
    size_t start = line << TOUCHED_SHIFT;
    moved += move_pages(a, start, start + 1, true);
    line = (((start >> PAGE_SHIFT) + 1) << (PAGE_SHIFT - TOUCHED_SHIFT)) - 1; /* the next page's */
  }
  return moved;
}

struct link_use residency_launch(struct device *device) {
  const struct gpu_timeline *f = &device->gpu.timeline;
  struct memory *memory = device->memory;
  double in = 0, out = 0;
  size_t fetched = 0;
  for (int i = 0; i < memory->window_count && i < MAX_MANAGED; i++) {
    struct allocation *a = memory->allocations[i];
    if (!a || !a->live || !a->managed) continue;
    if (!a->mapped) {
      fetched += fetch_touched(a, memory->launch);
      continue;
    }
    struct touched_bytes touched = touched_bytes(&a->touched, a->size, memory->launch);
    in += (double)touched.loaded;
    out += (double)touched.stored;
  }
  struct link_use use = {.mapped = (uint64_t)(in + out), .fetched = fetched};
  if (in + out > 0)
    use.mapped_ns =
        f->mapped_ns + fmax(fmax(in, out) / f->mapped_per_ns, (in + out) / f->mapped_both_per_ns);
  if (fetched)
    use.fetched_ns = f->fault_ns + f->fault_more_ns * log2(fmax(1, (double)fetched / SMALL_PAGE)) +
                     (double)fetched / f->fault_per_ns;
  return use;
}

int device_prefetch(struct device *device, const struct device_issue *issue, uint64_t address,
                    size_t bytes, bool to_device) {
  HOLD(&device->lock);
  struct allocation *a = memory_find(device->memory, address, bytes);
  if (device->error) return device->error;
  if (!a || !a->managed) return cudaErrorInvalidValue;
  int error = managed_import(device, issue->line);
  if (error) return error;
  size_t from = address - a->address, moved = move_pages(a, from, from + bytes, to_device);
  const struct timeline_work work = {.kind = to_device ? TIMELINE_COPY_IN : TIMELINE_COPY_OUT,
                                     .stream = issue->stream,
                                     .bytes = moved,
                                     .pages = true,
                                     .line = issue->line};
  return timeline_issue(device->timeline, &work) ? cudaSuccess : cudaErrorMemoryAllocation;
}
