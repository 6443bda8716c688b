/* timeline_chart.h: what a program's work did when, in the terminal: a row for the host and for
 * each stream, and how much of it overlaps, in numbers. */
#ifndef KIT_TIMELINE_CHART_H
#define KIT_TIMELINE_CHART_H

#include "grader/base/screen.h"
#include "grader/lab/spans.h"

/* how: "modelled", or "measured on" a device. */
void timeline_chart(const struct screen *screen, const struct spans *spans, const char *how);

#endif
