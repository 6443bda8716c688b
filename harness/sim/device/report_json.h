/* report_json.h: the device's reports as the JSON objects of a grade. */
#ifndef KIT_REPORT_JSON_H
#define KIT_REPORT_JSON_H

#include <jansson.h>

#include "harness/sim/device/device.h"

/* New references, or NULL if memory runs out. */
json_t *launch_to_json(const struct launch_report *report);
json_t *hazard_to_json(const struct hazard *hazard);
/* A crash of host code, which only the runner sees; places: program addresses, innermost first. */
json_t *crash_to_json(const char *message, const uint64_t *places, int count);

#endif
