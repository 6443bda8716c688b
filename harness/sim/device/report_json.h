/* report_json.h: the device's reports as the JSON objects of a grade. */
#ifndef KIT_REPORT_JSON_H
#define KIT_REPORT_JSON_H

#include <jansson.h>

#include "harness/sim/device/device.h"

/* New references, or NULL if memory runs out. Counters: all, or only those that are not 0. */
json_t *counters_to_json(const struct counters *counters, bool all);
json_t *launch_to_json(const struct launch_report *report);
json_t *hazard_to_json(const struct hazard *hazard);
/* A crash of host code, which only the runner can see; places: addresses in the program, the
 * innermost first. */
json_t *crash_to_json(const char *message, const uint64_t *places, int count);

/* Like a device_listener, but receives "launch" or "hazard" and a JSON object, which it borrows. */
struct json_listener {
  void *context;
  void (*on_event)(void *context, const char *what, json_t *object);
};
/* The device keeps the pointer. Device printf goes to stdout. */
void device_listen_json(struct device *device, const struct json_listener *listener);

#endif
