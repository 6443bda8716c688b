/* backend.c: backend.h for the simulator. */
#include "harness/base/backend.h"

#include <stdio.h>

#include "harness/sim/runtime/runtime.h"

const char *backend_device(void) {
  static char text[GPU_WORDS];
  struct device_info info;
  device_get_info(runtime_device(), &info);
  gpu_describe(&info, text, sizeof text);
  return text;
}

bool backend_is_real(void) { return false; }

/* No setting changes what a launch takes, and modelled launches find no cache of an earlier one. */
void backend_reset_device(void) {}

json_t *backend_condition(void) { return json_null(); }

/* The device has a timeline of its own (remote/timeline_trace.h). */
void backend_timeline_begin(void) {}

json_t *backend_timeline_end(void) { return NULL; }
