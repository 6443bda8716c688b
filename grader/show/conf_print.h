/* conf_print.h: what a lab.conf may hold, on the terminal, and what was read of one, as JSON. */
#ifndef KIT_CONF_PRINT_H
#define KIT_CONF_PRINT_H

#include <jansson.h>

#include "grader/base/screen.h"
#include "grader/lab/lab.h"

/* Every key with its type, range, default and sentence. */
void conf_print_keys(const struct screen *screen);
/* What was read, with defaults filled in and null for what is not given; the caller's:
 *
 *   {"schema":1, "lab":"lab2", "files":["labs/lab2_tiled/lab.conf"], "max_points":100,
 *    "budget":{"instructions":..., "bytes":..., "calls":...} (of all cases together),
 *    "conf":{"title":"...", "problem":"matmul", "entries":["matmul"], ...},
 *    "cases":[{"name":"17", "hidden":false, "dims":{"M":17, ...}, "sets":3, ...}, ...],
 *    "items":[{"id":"small", "hidden":false, "class":"correctness", "full":{"at_least":false,
 *              "value":4}, ...}, ...] (each with the keys of its class),
 *    "sweep":{"case":"n512", "values":[8, 16], ...} or null} */
json_t *conf_to_json(const struct lab *lab);

#endif
