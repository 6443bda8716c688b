/* totals.h: counters and their totals as JSON: in reports, grades, the cache of references, and
 * what
 * --measure writes. */
#ifndef KIT_TOTALS_H
#define KIT_TOTALS_H

#include <jansson.h>

#include "grader/lab/metric.h"

/* More than any counter has; sums of a few do not overflow. */
static const json_int_t counter_limit = (json_int_t)1 << 60;

/* {"global_load_sectors":8192, ...}; all: also those that are 0. */
json_t *counters_json(const struct counters *counters, bool all);
/* And back: false if the map is none or has a value that is no count. One that it lacks is 0, or,
 * with all, makes it false. */
bool counters_from_json(const json_t *map, bool all, struct counters *counters);

/* {"launches", "time_ns", "counters":{}}, without traffic; and back: false if it is not that. */
json_t *totals_to_json(const struct totals *totals);
bool totals_from_json(const json_t *json, struct totals *totals);

#endif
