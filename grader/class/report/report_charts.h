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

/* --- what their files share --- */

enum {
  REPORT_PIXELS = 772, /* for words across a chart */
  REPORT_SOURCE_LINES = 3,
};

/* One more chart, whose title is given away. columns: comment lines that name the columns of its
 * table. times: it shows some. */
struct report_chart *report_chart_add(struct report_charts *charts, const struct summary *summary,
                                      const char *id, const char *plot, const char *columns,
                                      char *title, bool times);
/* A cell of a table with words that fit into so many pixels and lines: no tabs, no quotation marks
 * (which gnuplot takes off), line ends and backslashes as \n and \\. */
void report_chart_cell(struct text *data, const char *words, double pixels, int max_lines);
/* Words to stand under the title, in lines; the caller's. */
char *report_chart_note(const char *words);

/* Adds those about times. */
void report_charts_of_times(struct report_charts *charts, const struct summary *summary);

/* --- how much room words take (report_width.c) --- */

/* Sizes of a chart's letters in pixels, as plots/class/class.gp has them, rounded up. */
enum { REPORT_LETTERS = 15, REPORT_SMALL = 13, REPORT_LARGE = 19 };

/* The width in pixels of one line in DejaVu Sans, which is as wide as any font that a viewer is
 * likely to have in its place. */
double report_width(const char *words, int letters);
/* The words in lines of at most that many pixels, broken at spaces, or inside a word that is wider
 * than a line. Of more than max_lines lines the last one ends with an ellipsis. The caller's. */
char *report_lines(const char *words, int letters, double pixels, int max_lines);

#endif
