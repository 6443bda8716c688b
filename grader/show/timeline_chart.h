/* timeline_chart.h: the timeline of a program (harness/sim/remote/timeline_trace.h) in the
 * terminal: a row for the host and for each stream, and how much of it overlaps, in numbers. */
#ifndef KIT_TIMELINE_CHART_H
#define KIT_TIMELINE_CHART_H

#include <jansson.h>

#include "grader/base/screen.h"

/* trace: NULL: there is none. */
void timeline_chart(const struct screen *screen, const json_t *trace);

#endif
