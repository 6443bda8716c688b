/* report_chart_parts.h: what the files of the class's charts share. */
#ifndef KIT_REPORT_CHART_PARTS_H
#define KIT_REPORT_CHART_PARTS_H

#include "report_charts.h"

enum {
  REPORT_NOTE_COLUMNS = 96,    /* of a line under the title */
  REPORT_SOURCE_COLUMNS = 110, /* of a line at the bottom, in smaller letters */
};

/* One more chart, whose title is given away. times: it shows some. */
struct report_chart *report_chart_add(struct report_charts *charts, const struct summary *summary,
                                      const char *id, const char *plot, char *title, bool times);
/* A cell of a table: one line, no tabs, no quotation marks (which gnuplot takes off), at most that
 * many columns. */
void report_chart_cell(struct text *data, const char *words, int columns);

/* Adds those about times. */
void report_charts_of_times(struct report_charts *charts, const struct summary *summary);

#endif
