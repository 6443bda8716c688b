/* machine_memory.c: does this machine have room for an array of a program by hand? Nothing else
 * keeps one for which the GPU has room from taking more memory than there is, which would end this
 * process, or another. */
#include <math.h>
#include <stdio.h>

#include "harness/sim/remote/server.h"

/* Bytes that this machine can still give; as many as you like if it does not say. */
static double machine_left(void) {
  FILE *file = fopen("/proc/meminfo", "re");
  char line[128];
  double kib = 0;
  while (file && !kib && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kib) != 1) kib = 0;
  if (file) fclose(file);
  return kib ? kib * 1024 : INFINITY;
}

bool machine_has_room(struct server *server, uint64_t bytes, int line, bool managed) {
  enum { SMALL = 256 << 20 };
  struct device_info info;
  size_t free_bytes, total;
  device_get_info(server->device, &info);
  if (!server->program || bytes < SMALL ||
      device_memory_info(server->device, &free_bytes, &total) || bytes > free_bytes)
    return true;
  double needs = (double)bytes * (managed ? 2.5 : 1.5); /* with notes of what was written */
  double left = machine_left();
  if (needs <= left) return true;
  struct hazard hazard = {.kind = HAZARD_unsupported, .line = line, .count = 1};
  snprintf(
      hazard.message, sizeof hazard.message,
      "an array of %.1f GB takes %.1f GB here, of which this machine has %.1f GB left, so that "
      "the allocation fails. There would be room on an %s. Try a smaller size.",
      (double)bytes / 1e9, needs / 1e9, left / 1e9, info.name);
  device_report_hazard(server->device, &hazard);
  return false;
}
