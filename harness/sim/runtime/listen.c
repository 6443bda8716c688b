/* listen.c: see listen.h. */
#include "harness/sim/runtime/listen.h"

#include <stdint.h>

#include "harness/sim/device/report_json.h"
#include "harness/sim/runtime/runtime.h"

static sim_listener *receive;

static void pass_on(void *context, const char *what, json_t *object) {
  if (object) receive(context, what, object);
  json_decref(object);
}

static void launched(void *context, const struct launch_report *report) {
  pass_on(context, "launch", launch_to_json(report));
}

static void hazard_found(void *context, const struct hazard *hazard) {
  pass_on(context, "hazard", hazard_to_json(hazard));
}

static struct device_listener listener = {.launched = launched, .hazard = hazard_found};

static void crashed(const char *message, const uint64_t *places, int count) {
  pass_on(listener.context, "hazard", crash_to_json(message, places, count));
}

void sim_listen(sim_listener *to, void *context) {
  receive = to;
  listener.context = context;
  runtime_listen(&listener);
  crash_listen(crashed);
}

void sim_name_array(const void *device_pointer, const char *name, size_t rows, size_t columns,
                    size_t element_size, bool output) {
  device_name_array(runtime_device(), (uint64_t)(uintptr_t)device_pointer, name, rows, columns,
                    element_size, output ? DEVICE_OUTPUT : DEVICE_INPUT);
}
