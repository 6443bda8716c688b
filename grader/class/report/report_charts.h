/* report_charts.h: the charts of a class: which there are, their tables, their words. They are
 * drawn by plots/class/NAME.gp; each file there describes its table. */
#ifndef KIT_REPORT_CHARTS_H
#define KIT_REPORT_CHARTS_H

#include "grader/class/report/summary.h"
#include "grader/show/chart.h"

struct report_chart {
  char *id;         /* of the file: LAB-ID.svg */
  const char *plot; /* plots/class/PLOT.gp */
  char *title, *source, *more[CHART_MORE];
  char *alt; /* what it shows, for who does not see it */
  struct text data;
  struct text svg; /* once it is drawn */
};

enum { MAX_REPORT_CHARTS = 16 };
struct report_charts {
  struct report_chart items[MAX_REPORT_CHARTS];
  int count;
};

/* Those that the figures make sense for: none without a graded student, no progress if everybody
 * handed in once, ... names: the leaders' names in place of their pseudonyms. */
void report_charts_make(const struct summary *summary, bool names, struct report_charts *charts);
void report_charts_free(struct report_charts *charts);
/* NULL: there is none of that id. */
const struct report_chart *report_charts_find(const struct report_charts *charts, const char *id);
/* For gnuplot. */
struct chart report_chart_for(const struct report_chart *chart);

#endif
