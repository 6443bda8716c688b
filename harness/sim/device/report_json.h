/* report_json.h: the device's reports as the JSON objects of a grade. */
#ifndef KIT_REPORT_JSON_H
#define KIT_REPORT_JSON_H

#include <jansson.h>

#include "device.h"

/* New references, or NULL if memory runs out. */
json_t *launch_to_json(const struct launch_report *report);
json_t *hazard_to_json(const struct hazard *hazard);

#endif
