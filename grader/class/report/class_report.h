/* class_report.h: ./grade class DIR --report: pages and charts about the class, in STATE/report:
 *
 *   LAB.html            to be shown: figures, charts, leaders by pseudonym (--names: by name)
 *   LAB-CHART.svg .png  the charts alone, for slides
 *   LAB-CHART.tsv       the table that a chart is drawn from. A row's first cell is its kind; lines
 *                       that begin with # describe the chart and name the columns of each kind
 *   index.html          the labs, if there are several
 *   help.html           who needs help, with names: for the instructor */
#ifndef KIT_CLASS_REPORT_H
#define KIT_CLASS_REPORT_H

#include "grader/class/base/class.h"
#include "grader/class/report/report_charts.h"
#include "grader/class/report/summary.h"
#include "grader/show/html_text.h"

/* All of it: the files, then the summary on stdout. */
void class_report(struct class *class);

/* --- who needs help, why, and where to begin (report_help.c) --- */

enum need_kind {
  NEED_STUCK,
  NEED_LOW,
  NEED_REFUSED,
  NEED_ERROR,
  NEED_PENDING,
  NEED_MISSING,
  NEEDS
};

struct need {
  int standing; /* in the summary */
  enum need_kind kind;
  char *reason; /* a sentence */
  char *first;  /* what to look at first; NULL: nothing is known */
};

struct needs {
  struct need *items; /* by kind, then the lowest score first */
  int count;
  int kinds[NEEDS]; /* how many of each */
};

/* Low: less than half of the points. Stuck: at least three graded attempts of which the last two
 * brought nothing beyond the best before them, and less than 90% of the points. */
void needs_find(struct gradebook *book, const struct summary *summary, struct needs *needs);
void needs_free(struct needs *needs);

/* "stuck", "low score", ... for people. */
const char *need_title(enum need_kind kind);

/* --- labs --- */

/* One lab of the class, with what the pages need of it. */
struct class_lab {
  bool chosen; /* by the options: all, unless --lab names one */
  struct summary summary;
  struct needs needs;
  struct report_charts charts;
};

/* Gives pseudonyms and reads every lab of the gradebook; *count of them, the caller's. */
struct class_lab *class_labs_read(struct class *class, int *count);
void class_labs_free(struct class_lab *labs, int count);

/* The chosen labs on stdout, and where the pages are. */
void summary_print(const struct class *class, const struct class_lab *labs, int count);
/* The files: of the chosen labs their own, of all together index and help. Ends the program if one
 * cannot be written. */
void class_report_write(const struct class *class, struct class_lab *labs, int count);

/* The pages' text, with the charts that are drawn. no_charts: why there are none; NULL: there are.
 * other_labs: there is an index. */
struct text report_page(const struct class_lab *lab, bool names, const char *no_charts,
                        bool other_labs);
struct text report_help_page(const struct class_lab *labs, int count);
struct text report_index_page(const struct class_lab *labs, int count);

/* --- the frame of the class's pages (report_html.c): they need no network and no script --- */

/* Writes everything up to the beginning of <main>. label: before the heading ("lab2"), NULL: none.
 * score, max: at the right of the header; score NULL: nothing. links end with a NULL url. */
void report_html_begin(struct html *html, const char *label, const char *heading, const char *score,
                       const char *max, const struct html_link *links);
/* Closes what report_html_begin has opened; paragraphs: the footer's, up to NULL. */
void report_html_end(struct html *html, const char *const *paragraphs);

/* What somebody is called, apart from the direction of the text around it, cut if very long. */
void report_html_name(struct html *html, const char *name);

/* A paragraph. class: NULL: none. */
void report_html_paragraph(struct html *html, const char *class, const char *words);
/* A cell of a table: words that go on from one line to the next. of: its column's title, where a
 * narrow page shows it beside the cell. */
void report_html_cell(struct html *html, const char *of, const char *words);
/* The same of a number. */
void report_html_number(struct html *html, const char *of, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Closes these elements, up to NULL, and ends the line. */
void report_html_close(struct html *html, ...) __attribute__((sentinel));

#endif
