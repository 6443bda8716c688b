/* device_managed.c: managed memory of the device behind device.h. */
#include <fcntl.h>
#include <stdio.h>

#include "access.h"
#include "hazard_list.h"
#include "state.h"

int device_malloc_managed(struct device *device, size_t bytes, struct source_place place,
                          uint64_t *address, int *pages) {
  HOLD(device);
  *address = 0;
  *pages = -1;
  if (device->error) return device->error;
  struct allocation *a = memory_allocate_managed(device->memory, bytes);
  if (!a) return MEMORY_ALLOCATION;
  *pages = fcntl(a->pages.descriptor, F_DUPFD_CLOEXEC, 0);
  if (*pages < 0) {
    memory_free(device->memory, a);
    return MEMORY_ALLOCATION;
  }
  device_name_by_place(a, place, "cudaMallocManaged");
  *address = a->address;
  streams_show_host(device->streams);
  return SUCCESS;
}

enum array_use device_array_use(struct device *device, uint64_t address) {
  HOLD(device);
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
  HOLD(device);
  const struct allocation *a = memory_find(device->memory, address, 1);
  if (!a) return;
  struct touch touch = {.array = a, .offset = address - a->address, .writes = writes};
  streams_find_touched(device->streams, a->address, touch.offset, writes, note, &touch);
  for (int i = 0; i < touch.found.count; i++) device_tell(device, &touch.found.items[i]);
  hazard_list_clear(&touch.found);
}
