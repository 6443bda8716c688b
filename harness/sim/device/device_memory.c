/* device_memory.c: the memory of the device behind device.h: allocations, copies, fills. */
#include <stdio.h>
#include <string.h>

#include "state.h"

int device_malloc(struct device *device, size_t bytes, struct source_place place,
                  uint64_t *address) {
  HOLD(device);
  *address = 0;
  if (device->error) return device->error;
  if (bytes == 0) return SUCCESS;
  struct allocation *a = memory_allocate(device->memory, bytes);
  if (!a) return MEMORY_ALLOCATION;
  a->place = place;
  if (place.line)
    snprintf(a->name, sizeof a->name, "the array of cudaMalloc at line %d", place.line);
  else
    snprintf(a->name, sizeof a->name, "an unnamed array");
  *address = a->address;
  return SUCCESS;
}

int device_free(struct device *device, uint64_t address) {
  HOLD(device);
  if (device->error) return device->error;
  if (address == 0) return SUCCESS;
  struct allocation *a = memory_find(device->memory, address, 0);
  if (!a || a->address != address || a->constant) return INVALID_VALUE;
  memory_free(device->memory, a);
  return SUCCESS;
}

/* What a copy over PCIe 5 x16 and inside the device takes, for events. */
static const double host_bytes_per_ns = 50, device_bytes_per_ns = 1300;

int device_begin_copy(struct device *device, uint64_t address, size_t bytes) {
  HOLD(device);
  if (device->error) return device->error;
  if (bytes == 0) return SUCCESS;
  if (!memory_find(device->memory, address, bytes)) return INVALID_VALUE;
  device->time_ns += (double)bytes / host_bytes_per_ns;
  return SUCCESS;
}

int device_write_piece(struct device *device, uint64_t to, const void *from, size_t bytes) {
  HOLD(device);
  if (bytes == 0) return SUCCESS;
  struct allocation *a = memory_find(device->memory, to, bytes);
  if (!a) return INVALID_VALUE;
  memcpy(a->data + (to - a->address), from, bytes);
  memory_mark_initialised(a, to - a->address, bytes);
  return SUCCESS;
}

int device_read_piece(struct device *device, void *to, uint64_t from, size_t bytes) {
  HOLD(device);
  if (bytes == 0) return SUCCESS;
  struct allocation *a = memory_find(device->memory, from, bytes);
  if (!a) return INVALID_VALUE;
  memcpy(to, a->data + (from - a->address), bytes);
  return SUCCESS;
}

int device_write(struct device *device, uint64_t to, const void *from, size_t bytes) {
  int error = device_begin_copy(device, to, bytes);
  return error ? error : device_write_piece(device, to, from, bytes);
}

int device_read(struct device *device, void *to, uint64_t from, size_t bytes) {
  int error = device_begin_copy(device, from, bytes);
  return error ? error : device_read_piece(device, to, from, bytes);
}

int device_copy(struct device *device, uint64_t to, uint64_t from, size_t bytes) {
  HOLD(device);
  if (device->error) return device->error;
  if (bytes == 0) return SUCCESS;
  struct allocation *a = memory_find(device->memory, to, bytes),
                    *b = memory_find(device->memory, from, bytes);
  if (!a || !b) return INVALID_VALUE;
  memmove(a->data + (to - a->address), b->data + (from - b->address), bytes);
  memory_mark_initialised(a, to - a->address, bytes);
  device->time_ns += (double)bytes / device_bytes_per_ns;
  return SUCCESS;
}

int device_fill(struct device *device, uint64_t address, unsigned char value, size_t bytes) {
  HOLD(device);
  if (device->error) return device->error;
  if (bytes == 0) return SUCCESS;
  struct allocation *a = memory_find(device->memory, address, bytes);
  if (!a) return INVALID_VALUE;
  memset(a->data + (address - a->address), value, bytes);
  memory_mark_initialised(a, address - a->address, bytes);
  device->time_ns += (double)bytes / device_bytes_per_ns;
  return SUCCESS;
}

int device_memory_info(struct device *device, size_t *free_bytes, size_t *total_bytes) {
  HOLD(device);
  *total_bytes = device->memory->bytes_total;
  *free_bytes = device->memory->bytes_total - device->memory->bytes_in_use;
  return device->error;
}

int device_name_array(struct device *device, uint64_t address, const char *name, size_t rows,
                      size_t columns, size_t element_size, enum device_role role) {
  HOLD(device);
  struct allocation *a = memory_find(device->memory, address, 0);
  if (!a || a->address != address) return INVALID_VALUE;
  snprintf(a->name, sizeof a->name, "%s", name);
  a->named = true;
  a->rows = rows;
  a->columns = columns;
  a->element = element_size;
  a->read_only = role == DEVICE_INPUT;
  if (role == DEVICE_OUTPUT) memory_mark_written_never(a);
  return SUCCESS;
}
