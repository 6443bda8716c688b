/* report_help.h: who needs help, why, and where to begin. */
#ifndef KIT_REPORT_HELP_H
#define KIT_REPORT_HELP_H

#include "grader/class/report/summary.h"

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

#endif
