/* heap.c: parts of an allocation for kernels' malloc, by classes of size. A part that was given
 * back is used again for the same class, the last one first. */
#include "harness/sim/base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

enum { UNIT = 16, SMALL_UNITS = 64, CLASSES = SMALL_UNITS + 32, FREE = 1 << 30 };

/* What is known of the part that begins at a unit; all zero: none does. */
struct part {
  uint32_t units; /* with FREE: it is not in use */
  uint32_t next;  /* the next free one of its class; 0: there is none */
};

struct state {
  struct part *parts; /* by unit; unit 0 is never used */
  int count, room;
  uint32_t free[CLASSES]; /* the first free part */
};

struct heap {
  size_t bytes;
  struct allocation *allocation;
  struct state now, kept;
  bool keeps; /* kept is of the launch that runs */
};

/* Up to a KiB every number of units has its class; above, powers of two have. */
static int class_of(uint32_t *units) {
  if (*units <= SMALL_UNITS) return (int)*units - 1;
  int log = 32 - __builtin_clz(*units - 1);
  *units = 1u << log;
  return SMALL_UNITS + log;
}

static struct heap *find(struct memory *memory) {
  enum { DEFAULT_BYTES = 8 << 20 };
  if (!memory->heap) {
    memory->heap = calloc(1, sizeof *memory->heap);
    if (memory->heap) memory->heap->bytes = DEFAULT_BYTES;
  }
  return memory->heap;
}

bool heap_set_size(struct memory *memory, size_t bytes) {
  struct heap *heap = find(memory);
  if (!heap || heap->allocation) return false;
  heap->bytes = bytes;
  return true;
}

static bool copy_state(struct state *to, const struct state *from) {
  if (!ARRAY_RESERVE(to->parts, to->room, from->count + 1)) return false;
  if (from->count) memcpy(to->parts, from->parts, (size_t)from->count * sizeof *to->parts);
  to->count = from->count;
  memcpy(to->free, from->free, sizeof to->free);
  return true;
}

bool heap_prepare(struct memory *memory, bool takes) {
  if (memory->heap) memory->heap->keeps = false;
  if (!takes) return true;
  struct heap *heap = find(memory);
  if (!heap) return false;
  if (!heap->allocation) {
    struct allocation *a = memory_allocate(memory, heap->bytes, false);
    if (!a) return true; /* no part of it can be had */
    strcpy(a->name, "the heap of malloc");
    a->named = true;
    heap->allocation = a;
  }
  return heap->keeps = copy_state(&heap->kept, &heap->now);
}

void heap_restore(struct memory *memory) {
  if (memory->heap && memory->heap->keeps) copy_state(&memory->heap->now, &memory->heap->kept);
}

void heap_close(struct memory *memory) {
  if (!memory->heap) return;
  free(memory->heap->now.parts);
  free(memory->heap->kept.parts);
  free(memory->heap);
  memory->heap = NULL;
}

uint64_t heap_take(struct memory *memory, size_t bytes) {
  struct heap *heap = memory->heap;
  if (!heap || !heap->allocation || !bytes || bytes > heap->bytes) return 0;
  if (!memory_touch(memory, heap->allocation, true, false)) return 0;
  uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT);
  uint32_t *free_parts = &heap->now.free[class_of(&units)], at = *free_parts;
  if (at) {
    *free_parts = heap->now.parts[at].next;
  } else {
    int first = heap->now.count ? heap->now.count : 1, end = first + (int)units;
    if ((uint64_t)end * UNIT > heap->bytes) return 0;
    if (!ARRAY_RESERVE(heap->now.parts, heap->now.room, end)) return 0;
    memset(heap->now.parts + heap->now.count, 0,
           (size_t)(end - heap->now.count) * sizeof *heap->now.parts);
    heap->now.count = end;
    at = (uint32_t)first;
  }
  heap->now.parts[at] = (struct part){units, 0};
  memory_mark_part_unwritten(heap->allocation, (size_t)at * UNIT, (size_t)units * UNIT);
  return heap->allocation->address + (uint64_t)at * UNIT;
}

bool heap_give_back(struct memory *memory, uint64_t address) {
  struct heap *heap = memory->heap;
  if (!heap || !heap->allocation) return false;
  uint64_t offset = address - heap->allocation->address, at = offset / UNIT;
  if (offset % UNIT || at >= (uint64_t)heap->now.count) return false;
  struct part *part = &heap->now.parts[at];
  uint32_t units = part->units;
  if (!units || units & FREE) return false;
  if (!memory_touch(memory, heap->allocation, true, false)) return false;
  uint32_t *first = &heap->now.free[class_of(&units)];
  *part = (struct part){units | FREE, *first};
  *first = (uint32_t)at;
  memory_mark_part_unwritten(heap->allocation, (size_t)offset, (size_t)units * UNIT);
  return true;
}
