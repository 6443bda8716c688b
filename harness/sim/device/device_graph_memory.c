/* device_graph_memory.c: the memory of graphs behind device.h. */
#include <stdio.h>

#include "harness/sim/base/source_places.h"
#include "harness/sim/device/state.h"

static int promise(struct device *device, size_t bytes, int line, uint64_t *address) {
  struct allocation *a = bytes ? memory_allocate(device->memory, bytes, false) : NULL;
  if (!a) return bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
  device_name_by_place(a, (struct source_place){NULL, line}, "a graph's allocation");
  if (!line) snprintf(a->name, sizeof a->name, "an array of a graph");
  a->promised = true;
  *address = a->address;
  memory_free(device->memory, a);
  return cudaSuccess;
}

static int allocate(struct device *device, struct allocation *freed, int line) {
  if (freed->live) return cudaErrorInvalidValue;
  struct allocation *a = memory_allocate_again(device->memory, freed);
  if (!a) return cudaErrorMemoryAllocation;
  leaks_note(device, HELD_MEMORY, a->address, a->size, line);
  return cudaSuccess;
}

int device_graph_memory(struct device *device, enum graph_memory_call call, size_t bytes, int line,
                        uint64_t *address) {
  HOLD(&device->lock);
  if (call == GRAPH_MEMORY_PROMISE)
    return device->error ? device->error : promise(device, bytes, line, address);
  struct allocation *a = memory_window(device->memory, *address);
  if (!a || !a->promised || a->address != *address) return cudaErrorInvalidValue;
  if (call == GRAPH_MEMORY_ALLOCATE)
    return device->error ? device->error : allocate(device, a, line);
  a->promised = false;
  return cudaSuccess;
}
