/* mapped.c: see mapped.h. The device's side is a managed array (managed.h), mapped over the host's
 * pages. */
#include "harness/sim/runtime/mapped.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"

enum { PAGE = 4096 };

static struct mapping {
  struct mapping *next;
  uint64_t from, to; /* on the host */
  uint64_t device;   /* address of the first */
  int generation;    /* of the device that has it */
  bool variable;
} * mappings;
static pthread_mutex_t mappings_lock = PTHREAD_MUTEX_INITIALIZER;

/* Drops those of devices that are no more. */
static struct mapping **find(uint64_t address) {
  struct mapping **at = &mappings, *mapping;
  while ((mapping = *at)) {
    if (mapping->generation != runtime_generation()) {
      *at = mapping->next;
      free(mapping);
      continue;
    }
    if (address >= mapping->from && address < mapping->to) break;
    at = &mapping->next;
  }
  return at;
}

static struct mapping *add(uint64_t from, uint64_t to, uint64_t device) {
  struct mapping *mapping = malloc(sizeof *mapping);
  if (!mapping) return NULL;
  *mapping = (struct mapping){mappings, from, to, device, runtime_generation(), false};
  mappings = mapping;
  return mapping;
}

bool mapped_add_variable(uint64_t host, size_t bytes, uint64_t device) {
  HOLD(&mappings_lock);
  struct mapping *mapping = add(host, host + bytes, device);
  if (mapping) mapping->variable = true;
  return mapping;
}

bool mapped_variable(uint64_t *address) {
  HOLD(&mappings_lock);
  const struct mapping *mapping = mappings ? *find(*address) : NULL;
  if (!mapping || !mapping->variable) return false;
  *address = mapping->device + (*address - mapping->from);
  return true;
}

/* The array begins with the page that the block begins in. */
static struct mapping *map_block(const struct host_block *block) {
  uint64_t first = block->from / PAGE * PAGE, address = 0;
  size_t bytes = block->to - first;
  int pages = -1;
  struct mapping *mapping = NULL;
  void *host = (void *)(uintptr_t)first;
  struct source_place place = {NULL, LINE_OF_RUNTIME};
  if (device_malloc_managed(runtime_device(), bytes, place, &address, &pages)) return NULL;
  host_buffers_lift(host, bytes);
  if (managed_map_over(host, address, bytes, pages, true))
    mapping = add(block->from, block->to, address + (block->from - first));
  else
    device_free(runtime_device(), address);
  host_buffers_guard();
  close(pages);
  return mapping;
}

cudaError_t mapped_translate(uint64_t *address) {
  HOLD(&mappings_lock);
  struct mapping *mapping = *find(*address);
  struct host_block block;
  if (!mapping) {
    if (!host_buffers_find(*address, &block)) return cudaErrorInvalidValue;
    mapping = map_block(&block);
    if (!mapping) return cudaErrorMemoryAllocation;
  }
  *address = mapping->device + (*address - mapping->from);
  return cudaSuccess;
}

void mapped_translate_argument(void *argument, size_t bytes) {
  for (char *at = argument; bytes >= sizeof(uint64_t);
       at += sizeof(uint64_t), bytes -= sizeof(uint64_t)) {
    uint64_t address;
    memcpy(&address, at, sizeof address);
    if (address && !mapped_translate(&address)) memcpy(at, &address, sizeof address);
  }
}

void mapped_release(const void *host) {
  HOLD(&mappings_lock);
  struct mapping **at = find((uint64_t)(uintptr_t)host), *mapping = *at;
  if (!mapping || mapping->from != (uint64_t)(uintptr_t)host) return;
  uint64_t first, end;
  *at = mapping->next;
  if (managed_bounds(mapping->device, &first, &end)) {
    managed_unmap(first);
    device_free(runtime_device(), first);
  }
  free(mapping);
}
