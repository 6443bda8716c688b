/* totals.h: counters and their totals as JSON: in reports, grades, cached references, --measure. */
#ifndef KIT_TOTALS_H
#define KIT_TOTALS_H

#include <jansson.h>

#include "grader/lab/metric.h"

/* {"launches", "time_ns" (or null), "counters":{}}, without traffic; with a timeline "overlap":{},
 * as struct overlap has it; and back: false if it is not that. */
json_t *totals_to_json(const struct totals *totals);
bool totals_from_json(const json_t *json, struct totals *totals);
/* Only the overlap, which may be missing. */
bool totals_overlap_from_json(const json_t *json, struct totals *totals);

#endif
