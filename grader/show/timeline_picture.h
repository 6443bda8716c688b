/* timeline_picture.h: what a program's work did when, drawn (plots/timeline.gp): a row for the
 * host, for each kind of engine, and for each stream. */
#ifndef KIT_TIMELINE_PICTURE_H
#define KIT_TIMELINE_PICTURE_H

#include "grader/lab/spans.h"
#include "grader/show/chart.h"

/* Its chart, named `name`. title: what of; source: the device. Nothing if no work was done. */
void timeline_picture(const struct spans *spans, const char *title, const char *source,
                      const char *name, chart_taker *take, void *context);
/* "Copies: 76% of their time is hidden behind other work; ...": one or two sentences. The caller's.
 */
char *timeline_sentence(const struct spans *spans);

#endif
