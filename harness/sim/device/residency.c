/* residency.c: what a launch moves over the link between host and device: accesses to mapped host
 * memory, and pages of managed memory, which move to the side that touches them. As far as time is
 * concerned: contents are device_managed.c's.
 *
 * Where a page is, a launch knows from the lines that it touches, and the host's side from what has
 * changed there; that host code has only read a page is not seen.
 *
 * A page that a prefetch has moved to the host is there, but not in the host's page table: the
 * first access faults, as one to a page on the device does, and only that moves bytes. */
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

enum residency { ON_HOST, ON_DEVICE, FETCHED /* to the host, by a prefetch */ };

/* Where each page is. NULL: out of memory, and nobody asks any more. */
static uint8_t *pages_of(struct allocation *a) {
  if (!a->residency) a->residency = calloc(page_count(a) + 1, 1);
  return a->residency;
}

/* Bytes by where they were. */
struct moved {
  size_t from[FETCHED + 1];
};

/* The pages from one byte to another are then there. */
static struct moved move_pages(struct allocation *a, size_t from, size_t to, enum residency there) {
  uint8_t *residency = to > from ? pages_of(a) : NULL;
  struct moved moved = {{0}};
  if (!residency) return moved;
  for (size_t page = from >> PAGE_SHIFT; page <= (to - 1) >> PAGE_SHIFT; page++) {
    if (there == FETCHED && residency[page] != ON_DEVICE) continue;
    moved.from[residency[page]] += page_bytes(a, page);
    residency[page] = (uint8_t)there;
  }
  return moved;
}

static size_t move_to_device(struct allocation *a, size_t from, size_t to) {
  struct moved moved = move_pages(a, from, to, ON_DEVICE);
  return moved.from[ON_HOST] + moved.from[FETCHED];
}

void residency_host_wrote(struct device *device, struct allocation *a, size_t offset,
                          size_t bytes) {
  if (a->mapped) return;
  const struct gpu_timeline *f = &device->gpu.timeline;
  struct moved moved = move_pages(a, offset, offset + bytes, ON_HOST);
  timeline_spend(device->timeline, (double)moved.from[ON_DEVICE] / f->host_fault_per_ns,
                 "pages of managed memory move to the host");
  timeline_spend(device->timeline, (double)moved.from[FETCHED] / f->host_map_per_ns,
                 "the host maps pages fetched to it");
}

/* Bytes in pages that the launch touches and that are on the host; from now on they are not. */
static size_t fetch_touched(struct allocation *a, uint64_t launch) {
  const struct touched *t = &a->touched;
  uint8_t stamp = touched_stamp(launch);
  size_t lines = touched_lines(a->size), moved = 0;
  if (t->launch != launch) return 0;
  if (!t->loaded) return move_to_device(a, 0, a->size);
  for (size_t line = 0; line < lines; line++) {
    if (t->loaded[line] != stamp && t->stored[line] != stamp) continue;
    size_t start = line << TOUCHED_SHIFT;
    moved += move_to_device(a, start, start + 1);
    line = (((start >> PAGE_SHIFT) + 1) << (PAGE_SHIFT - TOUCHED_SHIFT)) - 1; /* the next page's */
  }
  return moved;
}

/* What is written follows what is read: few bytes go one way after the other, more both ways. */
static double mapped_ns(const struct gpu_timeline *f, double in, double out) {
  double one_way = f->mapped_ns + fmax(in, out) / f->mapped_per_ns,
         in_turn = f->mapped_ns + (in + out) / f->mapped_per_ns,
         both_ways = f->mapped_both_ns + (in + out) / f->mapped_both_per_ns;
  return fmax(one_way, fmin(in_turn, both_ways));
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
  if (in + out > 0) use.mapped_ns = mapped_ns(f, in, out);
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
  size_t from = address - a->address, to = from + bytes,
         moved = to_device ? move_to_device(a, from, to)
                           : move_pages(a, from, to, FETCHED).from[ON_DEVICE];
  const struct timeline_work work = {.kind = to_device ? TIMELINE_COPY_IN : TIMELINE_COPY_OUT,
                                     .stream = issue->stream,
                                     .bytes = moved,
                                     .pages = true,
                                     .line = issue->line};
  return timeline_issue(device->timeline, &work) ? cudaSuccess : cudaErrorMemoryAllocation;
}
