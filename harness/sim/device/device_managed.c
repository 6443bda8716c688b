/* device_managed.c: managed memory of the device behind device.h. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/base/origin.h"
#include "harness/sim/device/state.h"
#include "harness/sim/exec/access.h"

int device_malloc_managed(struct device *device, size_t bytes, struct source_place place,
                          uint64_t *address, int *pages) {
  HOLD(&device->lock);
  *address = 0;
  *pages = -1;
  if (device->error) return device->error;
  bool mapped = place.line == LINE_OF_RUNTIME; /* the host's own memory, which it shares */
  if (!mapped && fault_strikes(device, FAULT_MALLOC, place.line)) return cudaErrorMemoryAllocation;
  struct allocation *a = memory_allocate(device->memory, bytes, true);
  if (!a) return cudaErrorMemoryAllocation;
  *pages = fcntl(a->pages.descriptor, F_DUPFD_CLOEXEC, 0);
  if (*pages < 0) {
    memory_free(device->memory, a);
    return cudaErrorMemoryAllocation;
  }
  a->mapped = mapped;
  if (mapped)
    snprintf(a->name, sizeof a->name, "mapped host memory");
  else
    device_name_by_place(a, place, "cudaMallocManaged");
  *address = a->address;
  leaks_note(device, HELD_MEMORY, a->address, bytes, place.line);
  streams_show_host(device->streams);
  return cudaSuccess;
}

int device_variable_pages(struct device *device, uint64_t address, int *pages) {
  HOLD(&device->lock);
  const struct allocation *a = memory_find(device->memory, address, 1);
  *pages = -1;
  if (device->error) return device->error;
  if (!a || !a->managed || !a->named || a->address != address) return cudaErrorInvalidValue;
  *pages = fcntl(a->pages.descriptor, F_DUPFD_CLOEXEC, 0);
  streams_show_host(device->streams);
  return *pages < 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

enum array_use device_array_use(struct device *device, uint64_t address) {
  HOLD(&device->lock);
  bool writes;
  if (!streams_use(device->streams, address, &writes)) return ARRAY_UNUSED;
  return writes ? ARRAY_WRITTEN : ARRAY_READ;
}

/* ---- the host ---- */

struct touch {
  const struct allocation *array;
  uint64_t offset;
  bool writes;
  struct hazard_list found;
};

static void note(void *context, const struct work *work, const struct byte_range *range,
                 bool work_writes) {
  struct touch *touch = context;
  const struct allocation *a = touch->array;
  bool fresh;
  if (work->signals && !(touch->writes && work_writes)) return; /* it may be a flag */
  touch->found.kernel = work->kernel;
  struct hazard *h = hazard_note(&touch->found, HAZARD_race, work->line, 0, a->name, 1, &fresh);
  if (!h || !fresh) return;
  char what[160], other[160];
  if (a->element)
    access_element_text(a, (int64_t)touch->offset, (int)a->element, what, sizeof what);
  else
    snprintf(what, sizeof what, "byte %llu of %s", (unsigned long long)touch->offset, a->name);
  snprintf(
      h->message, sizeof h->message,
      "host code %s %s while %s, which %s it, may still be under way: the call returned at once. "
      "Put cudaDeviceSynchronize() (or cudaStreamSynchronize) between this line and the host's "
      "access.",
      touch->writes ? "writes" : "reads", what, work_text(work, other, sizeof other),
      range->atomic ? "atomically updates"
      : work_writes ? "writes"
                    : "reads");
}

void device_host_access(struct device *device, uint64_t address, bool writes) {
  HOLD(&device->lock);
  const struct allocation *a = memory_find(device->memory, address, 1);
  if (!a) return;
  struct touch touch = {.array = a, .offset = address - a->address, .writes = writes};
  streams_find_touched(device->streams, a->address, touch.offset, writes, note, &touch);
  device_report_hazards(device, &touch.found);
}

/* ---- contents ----
 *
 * The host works on pages of its own, which are compared with the device's data before each piece
 * of work and updated after it. So a kernel never sees what the host writes while it runs, and
 * everything that the host writes is noticed. */

/* Both copies hold these bytes of the device's. */
static void agree(const struct allocation *a, size_t offset, size_t bytes) {
  if (a->agreed) memcpy(a->agreed + offset, a->data + offset, bytes);
}

static bool differs(const struct allocation *a, size_t word) {
  return memcmp((const char *)a->pages.data + word * 4, a->data + word * 4, 4) != 0;
}

/* The first word from this one on that differs between the sides; the number of words if none. */
static size_t next_difference(const struct allocation *a, size_t word, size_t words) {
  enum { CHUNK = 1024 };
  for (; word + CHUNK <= words; word += CHUNK)
    if (memcmp((const char *)a->pages.data + word * 4, a->data + word * 4, CHUNK * 4) != 0) break;
  while (word < words && !differs(a, word)) word++;
  return word;
}

static void take_over(struct device *device, struct allocation *a) {
  size_t words = (a->size + 3) / 4;
  uint64_t number = ORIGIN_FIRST_IN + device->words_in;
  for (size_t from = 0, to; (from = next_difference(a, from, words)) < words; from = to) {
    for (to = from + 1; to < words && differs(a, to);) to++;
    size_t bytes = (to * 4 < a->size ? to * 4 : a->size) - from * 4;
    memcpy(a->data + from * 4, (const char *)a->pages.data + from * 4, bytes);
    agree(a, from * 4, bytes);
    memory_mark_initialised(a, from * 4, bytes);
    residency_host_wrote(device, a, from * 4, bytes);
    origin_set(device->memory, a, from * 4, bytes, number + from);
  }
  device->words_in += words;
  const struct device_listener *listener = &device->listener;
  if (listener->shared)
    listener->shared(listener->context,
                     &(struct shared_contents){true, a->address, a->data, a->size, NULL});
}

int managed_import(struct device *device, int line) {
  struct memory *memory = device->memory;
  for (int i = 0; i < memory->window_count && i < MAX_MANAGED; i++) {
    struct allocation *a = memory->allocations[i];
    if (!a || !a->live || !a->managed) continue;
    int error =
        line == LINE_OF_HARNESS ? cudaSuccess : device_spend_bytes(device, line, a->size, 1);
    if (error) return error;
    if (memcmp(a->data, a->pages.data, a->size) != 0) take_over(device, a);
  }
  return cudaSuccess;
}

void managed_written(const struct device *device, const struct allocation *a) {
  const struct device_listener *listener = &device->listener;
  if (!a->managed || !listener->shared) return;
  struct transfer_runs origins = {0};
  origins_append(&origins, a, 0, a->size);
  listener->shared(listener->context,
                   &(struct shared_contents){false, a->address, a->data, a->size, &origins});
  free(origins.items);
}

void managed_export(const struct allocation *a, size_t offset, size_t bytes) {
  if (!a->managed) return;
  memcpy((char *)a->pages.data + offset, a->data + offset, bytes);
  agree(a, offset, bytes);
}

void managed_share(struct device *device, bool anew) {
  const struct memory *memory = device->memory;
  for (int i = 0; i < memory->window_count && i < MAX_MANAGED; i++) {
    struct allocation *a = memory->allocations[i];
    if (!a || !a->live || !a->managed || (a->agreed && !anew)) continue;
    if (!a->agreed) a->agreed = malloc(a->size);
    agree(a, 0, a->size);
  }
}

/* A word that a launch has stored. */
struct stored {
  const struct allocation *array;
  size_t word;
  access_tag when;
  uint32_t operation; /* stores between two moments are in the order of the code, if any */
};

struct stored_list {
  struct stored *items;
  size_t count, room;
};

static int by_time(const void *a, const void *b) {
  const struct stored *x = a, *y = b;
  if (x->when != y->when) return x->when < y->when ? -1 : 1;
  return (x->operation > y->operation) - (x->operation < y->operation);
}

static void show(const struct allocation *a, size_t word) {
  size_t at = word * 4, bytes = a->size - at < 4 ? a->size - at : 4;
  managed_export(a, at, bytes);
}

static void show_in_order(struct stored_list *list) {
  if (list->count) qsort(list->items, list->count, sizeof *list->items, by_time);
  for (size_t i = 0; i < list->count; i++) {
    show(list->items[i].array, list->items[i].word);
    atomic_thread_fence(memory_order_release);
  }
  free(list->items);
}

static bool keep_stored(struct stored_list *list, const struct memory *memory,
                        const struct allocation *a, size_t word, access_tag when) {
  const struct shadow *shadow = &a->shadow;
  size_t granule = word * 4 >> memory->granule_shift;
  if (!ARRAY_RESERVE(list->items, list->room, list->count + 1)) return false;
  list->items[list->count++] =
      (struct stored){a, word, when, shadow->writers ? shadow->writers[granule] : 0};
  return true;
}

/* Has the launch stored to the word, other than by atomics on the host's copy? */
static bool is_stored(const struct allocation *a, size_t word, const struct exchange *exchange,
                      access_tag *when) {
  size_t at = word * 4, bytes = a->size - at < 4 ? a->size - at : 4;
  *when = a->shadow.writes ? origin_last_store(a, word) : exchange->shown;
  if (exchange->at_once && a->agreed) return memcmp(a->data + at, a->agreed + at, bytes) != 0;
  return *when >= exchange->shown;
}

bool managed_export_launch(struct device *device, struct exchange *exchange, bool in_order) {
  struct memory *memory = device->memory;
  struct stored_list list = {0};
  bool any = exchange->updated;
  exchange->updated = false;
  for (int i = 0; i < memory->window_count && i < MAX_MANAGED; i++) {
    struct allocation *a = memory->allocations[i];
    if (!a || !a->live || !a->managed || a->launch != memory->launch || !a->written) continue;
    size_t words = (a->size + 3) / 4;
    device->used.bytes += a->size;
    for (size_t word = 0; (word = next_difference(a, word, words)) < words; word++) {
      access_tag when;
      if (!is_stored(a, word, exchange, &when)) continue;
      any = true;
      if (!in_order || !keep_stored(&list, memory, a, word, when)) show(a, word);
    }
    managed_written(device, a);
  }
  show_in_order(&list);
  return any;
}

bool managed_has_news(const struct device *device) {
  const struct memory *memory = device->memory;
  for (int i = 0; i < memory->window_count && i < MAX_MANAGED; i++) {
    const struct allocation *a = memory->allocations[i];
    if (a && a->live && a->managed && memcmp(a->data, a->pages.data, a->size) != 0) return true;
  }
  return false;
}
