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
#include "grader/class/report/report_help.h"
#include "grader/class/report/summary.h"

/* All of it: the files, then the summary on stdout. */
void class_report(struct class *class);

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

#endif
