/* overlap.h: why work does not overlap, in words. */
#ifndef KIT_OVERLAP_H
#define KIT_OVERLAP_H

#include "grader/lab/metric.h"

/* What keeps the work of a call from what a metric of its timeline asks for, most weighty first:
 * "; lab6.cu:31 copies from pageable memory, ..."; NULL: nothing stands out. file: the
 * submission's name. The caller's. */
char *overlap_why(const struct spans *spans, const struct totals *totals,
                  const struct metric *metric, const char *file);

#endif
