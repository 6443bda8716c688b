/* device_memory.c: the memory of the device behind device.h: allocations, copies, fills. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/heap.h"
#include "harness/sim/base/origin.h"
#include "harness/sim/base/source_places.h"
#include "harness/sim/device/state.h"

void device_name_by_place(struct allocation *a, struct source_place place, const char *function) {
  char words[80];
  a->place = place;
  if (place.line == LINE_OF_RUNTIME) /* graph_condition.c takes this, and nobody else any */
    snprintf(a->name, sizeof a->name, "the value of a conditional handle");
  else if (place.line)
    snprintf(a->name, sizeof a->name, "the array of %s at %s", function,
             place_words(place.line, words, sizeof words));
  else
    snprintf(a->name, sizeof a->name, "an unnamed array");
}

int device_malloc(struct device *device, size_t bytes, struct source_place place,
                  uint64_t *address) {
  HOLD(&device->lock);
  *address = 0;
  if (device->error) return device->error;
  if (bytes == 0) return cudaSuccess;
  if (fault_strikes(device, FAULT_MALLOC, place.line)) return cudaErrorMemoryAllocation;
  struct allocation *a = memory_allocate(device->memory, bytes, false);
  if (!a) return cudaErrorMemoryAllocation;
  memory_pack(device->memory, a);
  device_name_by_place(a, place, "cudaMalloc");
  *address = a->address;
  leaks_note(device, HELD_MEMORY, a->address, bytes, place.line);
  streams_host_waits(device->streams);
  a->timed = true;
  timeline_allocate(device->timeline, bytes);
  return cudaSuccess;
}

int device_set_heap(struct device *device, size_t bytes) {
  HOLD(&device->lock);
  return heap_set_size(device->memory, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

int device_pin(struct device *device, int line, enum timeline_pin what, size_t bytes) {
  HOLD(&device->lock);
  if (device->error) return device->error;
  bool pins = what == TIMELINE_PIN || what == TIMELINE_REGISTER;
  if (pins && fault_strikes(device, FAULT_PINNED, line)) return cudaErrorMemoryAllocation;
  timeline_pin(device->timeline, what, bytes);
  return cudaSuccess;
}

int device_free(struct device *device, uint64_t address) {
  HOLD(&device->lock);
  if (device->error) return device->error;
  if (address == 0) return cudaSuccess;
  struct allocation *a = memory_find(device->memory, address, 0);
  if (!a || a->address != address || a->variable || a->reserved) return cudaErrorInvalidValue;
  leaks_forget(device, HELD_MEMORY, a->address);
  streams_forget(device->streams, a->address);
  timeline_free(device->timeline, a->timed ? a->size : UINT64_MAX);
  memory_free(device->memory, a);
  return cudaSuccess;
}

/* Marks bytes that a copy or a fill has written. */
static void note_written(struct device *device, struct allocation *a, size_t offset, size_t bytes) {
  memory_mark_initialised(a, offset, bytes);
  if (a->constant) device->memory->copied_to_constants += bytes;
}

/* Rates of copies over PCIe 5 x16 and inside the device, for events. */
static const double host_bytes_per_ns = 50, device_bytes_per_ns = 1300;

/* Finds the allocation that holds all rows; returns an error code if there is none. */
static int find_rows(struct device *device, uint64_t address, size_t pitch, size_t width,
                     size_t rows, struct allocation **found) {
  size_t bytes;
  if (device->error) return device->error;
  if (width > pitch) return cudaErrorInvalidPitchValue;
  if (width == 0 || rows == 0) return cudaSuccess;
  if (__builtin_mul_overflow(pitch, rows - 1, &bytes) ||
      __builtin_add_overflow(bytes, width, &bytes))
    return cudaErrorInvalidValue;
  *found = memory_find(device->memory, address, bytes);
  return *found ? cudaSuccess : cudaErrorInvalidValue;
}

/* One sum at a time, as if each row were copied by itself. */
static void count_time(struct device *device, size_t width, size_t rows, double bytes_per_ns) {
  double ns = (double)width / bytes_per_ns;
  for (size_t row = 0; row < rows; row++) device->time_ns += ns;
}

/* A copy or a fill on the timeline; the harness's own stand there as a wait for all work. */
static int pass_work(struct device *device, const struct device_issue *issue,
                     enum timeline_kind kind, size_t width, size_t rows) {
  if (!issue) {
    timeline_finish(device->timeline);
    return cudaSuccess;
  }
  const struct timeline_work work = {.kind = kind,
                                     .stream = issue->stream,
                                     .bytes = width * rows,
                                     .pageable = issue->pageable,
                                     .waits = issue->host_waits,
                                     .follows = issue->staged,
                                     .line = issue->line};
  return timeline_issue(device->timeline, &work) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* A copy without a line is the harness's own (runner/host_arrays.c). */
static bool copy_must_fail(struct device *device, const struct device_issue *issue) {
  return issue && issue->line && fault_strikes(device, FAULT_COPY, issue->line);
}

int device_begin_copy(struct device *device, struct device_issue *issue, bool to_device,
                      uint64_t address, size_t pitch, size_t width, size_t rows) {
  HOLD(&device->lock);
  struct allocation *a = NULL;
  int error = find_rows(device, address, pitch, width, rows, &a);
  if (!error && copy_must_fail(device, issue)) return cudaErrorInvalidValue;
  if (!error && a) error = managed_import(device, issue ? issue->line : LINE_OF_HARNESS);
  if (error || !a || (issue && issue->of_library)) return error;
  if (to_device && issue) {
    for (size_t row = 0; row < rows; row++)
      origin_set(device->memory, a, address - a->address + row * pitch, width,
                 ORIGIN_FIRST_IN + device->words_in + row * width / 4);
    device->words_in += (width * rows + 3) / 4;
  }
  const struct copy_side device_side = {a, address, pitch},
                         host = {NULL, issue ? issue->host : 0, issue ? issue->host_pitch : 0};
  if (issue) error = device_spend_bytes(device, issue->line, width, rows);
  if (error) return error;
  count_time(device, width, rows, host_bytes_per_ns);
  if (!to_device && issue) copy_unwritten_check(device, issue, &device_side, width, rows);
  error = to_device
              ? copy_race_check(device, issue, WORK_COPY_IN, &device_side, &host, width, rows)
              : copy_race_check(device, issue, WORK_COPY_OUT, &host, &device_side, width, rows);
  if (error) return error;
  return pass_work(device, issue, to_device ? TIMELINE_COPY_IN : TIMELINE_COPY_OUT, width, rows);
}

int device_write_piece(struct device *device, uint64_t to, const void *from, size_t bytes) {
  HOLD(&device->lock);
  if (bytes == 0) return cudaSuccess;
  struct allocation *a = memory_find(device->memory, to, bytes);
  if (!a) return cudaErrorInvalidValue;
  memcpy(a->data + (to - a->address), from, bytes);
  note_written(device, a, to - a->address, bytes);
  managed_export(a, to - a->address, bytes);
  return cudaSuccess;
}

int device_read_piece(struct device *device, void *to, uint64_t from, size_t bytes) {
  HOLD(&device->lock);
  if (bytes == 0) return cudaSuccess;
  struct allocation *a = memory_find(device->memory, from, bytes);
  if (!a) return cudaErrorInvalidValue;
  memcpy(to, a->data + (from - a->address), bytes);
  return cudaSuccess;
}

const void *device_view(struct device *device, uint64_t from, size_t bytes) {
  HOLD(&device->lock);
  if (device->error) return NULL;
  const struct allocation *a = memory_find(device->memory, from, bytes);
  return a && !a->managed ? a->data + (from - a->address) : NULL;
}

int device_write_rows(struct device *device, struct device_issue *issue, uint64_t to,
                      size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t rows) {
  int error = device_begin_copy(device, issue, true, to, to_pitch, width, rows);
  for (size_t row = 0; row < rows && !error; row++)
    error = device_write_piece(device, to + row * to_pitch, (const char *)from + row * from_pitch,
                               width);
  return error;
}

int device_read_rows(struct device *device, struct device_issue *issue, void *to, size_t to_pitch,
                     uint64_t from, size_t from_pitch, size_t width, size_t rows) {
  int error = device_begin_copy(device, issue, false, from, from_pitch, width, rows);
  for (size_t row = 0; row < rows && !error; row++)
    error = device_read_piece(device, (char *)to + row * to_pitch, from + row * from_pitch, width);
  return error;
}

int device_copy_rows(struct device *device, struct device_issue *issue, uint64_t to,
                     size_t to_pitch, uint64_t from, size_t from_pitch, size_t width, size_t rows) {
  HOLD(&device->lock);
  struct allocation *a = NULL, *b = NULL;
  int error = find_rows(device, to, to_pitch, width, rows, &a);
  if (!error) error = find_rows(device, from, from_pitch, width, rows, &b);
  if (error || !a || !b) return error;
  if (copy_must_fail(device, issue)) return cudaErrorInvalidValue;
  if (issue) error = device_spend_bytes(device, issue->line, width, rows);
  if (!error) error = managed_import(device, issue ? issue->line : LINE_OF_HARNESS);
  if (error) return error;
  error = copy_race_check(device, issue, WORK_COPY, &(struct copy_side){a, to, to_pitch},
                          &(struct copy_side){b, from, from_pitch}, width, rows);
  if (error) return error;
  size_t to_offset = to - a->address, from_offset = from - b->address;
  for (size_t row = 0; row < rows; row++) {
    origin_copy(device->memory, a, to_offset, b, from_offset, width);
    memmove(a->data + to_offset, b->data + from_offset, width);
    memory_copy_initialised(a, to_offset, b, from_offset, width);
    if (a->constant) device->memory->copied_to_constants += width;
    managed_export(a, to_offset, width);
    to_offset += to_pitch;
    from_offset += from_pitch;
  }
  managed_written(device, a);
  count_time(device, width, rows, device_bytes_per_ns);
  return pass_work(device, issue, TIMELINE_COPY, width, rows);
}

int device_fill_rows(struct device *device, struct device_issue *issue, uint64_t address,
                     size_t pitch, unsigned char value, size_t width, size_t rows) {
  HOLD(&device->lock);
  struct allocation *a = NULL;
  int error = find_rows(device, address, pitch, width, rows, &a);
  if (error || !a) return error;
  if (issue) error = device_spend_bytes(device, issue->line, width, rows);
  if (!error) error = managed_import(device, issue ? issue->line : LINE_OF_HARNESS);
  if (error) return error;
  error = copy_race_check(device, issue, WORK_FILL, &(struct copy_side){a, address, pitch},
                          &(struct copy_side){0}, width, rows);
  if (error) return error;
  size_t offset = address - a->address;
  for (size_t row = 0; row < rows; row++, offset += pitch) {
    memset(a->data + offset, value, width);
    note_written(device, a, offset, width);
    if (issue) origin_set(device->memory, a, offset, width, ORIGIN_CARRIED);
    managed_export(a, offset, width);
  }
  if (rows == 1 && width == a->size) a->filled = value;
  count_time(device, width, rows, device_bytes_per_ns);
  return pass_work(device, issue, TIMELINE_FILL, width, rows);
}

int device_write(struct device *device, uint64_t to, const void *from, size_t bytes) {
  return device_write_rows(device, NULL, to, bytes, from, bytes, bytes, 1);
}

void device_prefer(struct device *device, uint64_t address) {
  memory_prefer(device->memory, address);
}

int device_adopt(struct device *device, void *contents, size_t bytes, uint64_t *address) {
  HOLD(&device->lock);
  *address = 0;
  struct allocation *a = device->error ? NULL : memory_adopt(device->memory, contents, bytes);
  if (!a) {
    free(contents);
    return device->error ? device->error : cudaErrorMemoryAllocation;
  }
  device_name_by_place(a, (struct source_place){NULL, 0}, "");
  *address = a->address;
  note_written(device, a, 0, bytes);
  count_time(device, bytes, 1, host_bytes_per_ns);
  streams_host_waits(device->streams);
  return cudaSuccess;
}

int device_read(struct device *device, void *to, uint64_t from, size_t bytes) {
  return device_read_rows(device, NULL, to, bytes, from, bytes, bytes, 1);
}

int device_copy(struct device *device, uint64_t to, uint64_t from, size_t bytes) {
  return device_copy_rows(device, NULL, to, bytes, from, bytes, bytes, 1);
}

int device_fill(struct device *device, uint64_t address, unsigned char value, size_t bytes) {
  return device_fill_rows(device, NULL, address, bytes, value, bytes, 1);
}

int device_memory_info(struct device *device, size_t *free_bytes, size_t *total_bytes) {
  HOLD(&device->lock);
  *total_bytes = device->memory->bytes_total;
  *free_bytes = device->memory->bytes_total - device->memory->bytes_in_use;
  return device->error;
}

int device_name_array(struct device *device, uint64_t address, const char *name, size_t rows,
                      size_t columns, size_t element_size, enum device_role role) {
  HOLD(&device->lock);
  struct allocation *a = memory_find(device->memory, address, 0);
  size_t bytes;
  if (!a || a->address != address || element_size == 0 || columns == 0 ||
      __builtin_mul_overflow(rows, columns, &bytes) ||
      __builtin_mul_overflow(bytes, element_size, &bytes) || bytes > a->size)
    return cudaErrorInvalidValue;
  snprintf(a->name, sizeof a->name, "%s", name);
  a->named = true;
  a->rows = rows;
  a->columns = columns;
  a->element = element_size;
  a->read_only = role == DEVICE_INPUT;
  a->rewritten = false;
  if (role == DEVICE_OUTPUT) memory_mark_unwritten(a);
  if (role == DEVICE_INPUT) origin_given(device->memory, a);
  return cudaSuccess;
}

bool device_origins(struct device *device, uint64_t address, size_t bytes,
                    struct transfer_runs *list) {
  HOLD(&device->lock);
  const struct allocation *a = memory_find(device->memory, address, bytes);
  return !a || origins_append(list, a, address - a->address, bytes);
}
