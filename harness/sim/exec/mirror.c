/* mirror.c: see mirror.h. */
#include "harness/sim/exec/mirror.h"

#include <string.h>

#include "harness/sim/exec/launch.h"

unsigned char *mirror_of(const struct launch_state *launch, const struct allocation *a) {
  const struct exchange *exchange = launch->options->exchange;
  bool mirrors =
      exchange && exchange->at_once && a->agreed && launch->canonical && !launch->memory->undoable;
  return mirrors ? a->pages.data : NULL;
}

void mirror_meet(const struct allocation *a, uint64_t offset, int size) {
  unsigned char *host = (unsigned char *)a->pages.data + offset, *device = a->data + offset;
  size_t bytes = (size_t)size;
  if (memcmp(device, a->agreed + offset, bytes) != 0)
    memcpy(host, device, bytes);
  else
    memcpy(device, host, bytes);
}

void mirror_keep(const struct allocation *a, uint64_t offset, int size, const void *value) {
  memcpy(a->data + offset, value, (size_t)size);
  memcpy(a->agreed + offset, value, (size_t)size);
}
