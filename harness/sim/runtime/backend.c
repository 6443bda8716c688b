/* backend.c: backend.h for the simulator. */
#include "harness/base/backend.h"

#include <stdint.h>
#include <stdio.h>

#include "harness/sim/device/device.h"
#include "harness/sim/device/report_json.h"
#include "harness/sim/runtime/runtime.h"

static struct json_listener listening;

const char *backend_name(void) { return "sim"; }

const char *backend_device(void) {
  static char text[96];
  struct device_info info;
  device_get_info(runtime_device(), &info);
  snprintf(text, sizeof text, "simulated %s", info.name);
  return text;
}

const char *backend_failed_function(void) { return runtime_failed_function(); }

void backend_name_array(const void *device_pointer, const char *name, size_t rows, size_t columns,
                        size_t element_size, enum backend_role role) {
  device_name_array(runtime_device(), (uint64_t)(uintptr_t)device_pointer, name, rows, columns,
                    element_size, role == BACKEND_INPUT ? DEVICE_INPUT : DEVICE_OUTPUT);
}

/* A listener of backend.h is one of the device's. */
static void crashed(const char *message, const uint64_t *places, int count) {
  json_t *hazard = crash_to_json(message, places, count);
  listening.on_event(listening.context, "hazard", hazard);
  json_decref(hazard);
}

void backend_listen(backend_listener *listener, void *context) {
  listening.on_event = listener;
  listening.context = context;
  runtime_listen(&listening);
  crash_listen(crashed);
}

bool backend_is_real(void) { return false; }

/* No setting changes what a launch takes, and modelled launches find no cache of an earlier one. */
void backend_reset_device(void) {}

json_t *backend_condition(void) { return json_null(); }
