/* backend.c: backend.h for the simulator. */
#include "backend.h"

#include <stdint.h>
#include <stdio.h>

#include "crash.h"
#include "device.h"
#include "report_json.h"
#include "runtime.h"

static struct {
  backend_listener *listener;
  void *context;
} heard;

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

static void hand_over(const char *what, json_t *object) {
  if (!object) return;
  heard.listener(heard.context, what, object);
  json_decref(object);
}

static void launched(void *context, const struct launch_report *report) {
  (void)context;
  hand_over("launch", launch_to_json(report));
}

static void hazard_found(void *context, const struct hazard *hazard) {
  (void)context;
  hand_over("hazard", hazard_to_json(hazard));
}

static void crashed(const char *message, const uint64_t *places, int count) {
  json_t *addresses = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(addresses, json_integer((json_int_t)places[i]));
  hand_over("hazard", json_pack("{s:s, s:b, s:i, s:i, s:s, s:s, s:s, s:i, s:o}", "kind", "crash",
                                "warning", 0, "line", 0, "other_line", 0, "kernel", "", "array", "",
                                "message", message, "count", 1, "addresses", addresses));
}

static struct device_listener device_listener = {.launched = launched, .hazard = hazard_found};

void backend_listen(backend_listener *listener, void *context) {
  heard.listener = listener;
  heard.context = context;
  runtime_listen(&device_listener);
  crash_listen(crashed);
}

void backend_record_accesses(bool on) {
  device_listener.wants_accesses = on;
  if (heard.listener) runtime_listen(&device_listener);
}

uint64_t backend_copied_in(void) { return runtime_copied_in(); }

bool backend_is_real(void) { return false; }

/* No setting changes what a launch takes, and modelled launches find no cache of an earlier one. */
void backend_reset_device(void) {}

json_t *backend_condition(void) { return json_null(); }
