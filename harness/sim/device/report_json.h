/* report_json.h: the device's reports as the JSON objects of a grade. */
#ifndef KIT_REPORT_JSON_H
#define KIT_REPORT_JSON_H

#include <jansson.h>

#include "harness/sim/device/device.h"

/* New references, or NULL if memory runs out. */
json_t *launch_to_json(const struct launch_report *report);
json_t *hazard_to_json(const struct hazard *hazard);
/* Of two such: are they of one kind at one place, so that they are counted as one? */
bool hazard_json_same(const json_t *a, const json_t *b);
/* Its enum hazard_kind; HAZARD_KINDS for a crash. */
int hazard_json_kind(const json_t *hazard);
/* A crash of host code, which only the runner sees; places: program addresses, innermost first. */
json_t *crash_to_json(const char *message, const uint64_t *places, int count);

#endif
