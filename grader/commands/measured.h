/* measured.h: what --sweep and --sizes measure, and a report has, too. */
#ifndef KIT_MEASURED_H
#define KIT_MEASURED_H

#include "grader/commands/subject.h"
#include "grader/run/series.h"
#include "grader/run/sizes.h"
#include "grader/run/sweep.h"

/* What the --sweep of a lab has: all block shapes, series over dimensions, or both. */
struct swept {
  struct sweep sweep;
  struct series_list series;
};

/* Measures all that the lab has to sweep in a folder of the grading's. Returns NULL, or why it
 * cannot be (swept's). */
const char *swept_measure(const struct kit *kit, const struct subject *subject, const char *work,
                          struct swept *swept);
void swept_free(struct swept *swept);

/* What --sizes is to measure. Returns NULL, or what is wrong with the text (the caller's). */
char *sizes_asked(const struct request *request, const struct subject *subject, const char *text,
                  struct sizes *sizes);

#endif
