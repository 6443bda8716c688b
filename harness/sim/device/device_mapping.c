/* device_mapping.c: virtual memory management behind device.h. */
#include <stdio.h>

#include "harness/sim/base/reservation.h"
#include "harness/sim/base/source_places.h"
#include "harness/sim/device/state.h"

static int reserve(struct device *device, size_t bytes, int line, uint64_t *address) {
  if (!bytes || bytes % RESERVATION_UNIT) return cudaErrorInvalidValue;
  struct allocation *a = reservation_make(device->memory, bytes);
  if (!a) return cudaErrorMemoryAllocation;
  device_name_by_place(a, (struct source_place){NULL, line}, "cuMemAddressReserve");
  if (!line) snprintf(a->name, sizeof a->name, "a range of cuMemAddressReserve");
  *address = a->address;
  return cudaSuccess;
}

int device_mapping(struct device *device, const struct mapping_request *r, uint64_t *stored) {
  HOLD(&device->lock);
  struct memory *memory = device->memory;
  *stored = 0;
  if (device->error) return device->error;
  switch (r->call) {
    case MAPPING_RESERVE:
      return reserve(device, r->bytes, r->line, stored);
    case MAPPING_FREE:
      streams_forget(device->streams, r->address);
      return reservation_free(memory, r->address, r->bytes);
    case MAPPING_CREATE:
      return reservation_create(memory, r->bytes, stored);
    case MAPPING_RELEASE:
      return reservation_release(memory, r->handle);
    case MAPPING_RETAIN:
      return reservation_retain(memory, r->address, stored);
    case MAPPING_MAP:
      return reservation_map(memory, r->address, r->bytes, r->handle);
    case MAPPING_UNMAP:
      return reservation_unmap(memory, r->address, r->bytes);
    case MAPPING_ACCESS:
      return reservation_set_access(memory, r->address, r->bytes, (enum mapping_access)r->access);
    case MAPPING_ASK:
      return reservation_get_access(memory, r->address, stored);
    default:
      return cudaErrorInvalidValue;
  }
}

int device_find_array(struct device *device, uint64_t address, uint64_t *start, uint64_t *bytes) {
  HOLD(&device->lock);
  const struct allocation *a = memory_find(device->memory, address, 1);
  *start = a ? a->address : 0;
  *bytes = a ? a->size : 0;
  return a ? cudaSuccess : cudaErrorInvalidValue;
}
