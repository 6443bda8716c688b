/* listen_json.c: a device_listener that passes on every report as JSON. */
#include "harness/sim/device/report_json.h"

static void send(const struct json_listener *listener, const char *what, json_t *object) {
  if (!object) return;
  listener->on_event(listener->context, what, object);
  json_decref(object);
}

static void launched(void *context, const struct launch_report *report) {
  send(context, "launch", launch_to_json(report));
}

static void hazard_found(void *context, const struct hazard *hazard) {
  send(context, "hazard", hazard_to_json(hazard));
}

void device_listen_json(struct device *device, const struct json_listener *listener) {
  device_listen(device, &(struct device_listener){.context = (void *)(uintptr_t)listener,
                                                  .launched = launched,
                                                  .hazard = hazard_found});
}
