/* grading.h: from a file to its grade: build, run every case, measure the references, score. */
#ifndef KIT_GRADING_H
#define KIT_GRADING_H

#include "grader/score/score.h"

struct grading_options {
  const char *work; /* a private folder */
  const char *keep; /* folder for copies of job, report and output; or NULL */
  bool solution;    /* the file is the lab's reference: if it does not build, that is our fault */
  bool accesses;    /* shown cases report where their memory accesses went */
  const char *const *cases; /* only these; none: all */
  int case_count;
};

/* Before the first submission is built or run: a sandbox (sandbox_open), a private folder, which is
 * returned, and signals that are held until grading_close() removes the folder. */
const char *grading_open(const struct kit *kit, bool unsafe);
void grading_close(void);

/* Fills a grade that has lab, source, backend and seed. The messages of the compiler go to stderr
 * at once. */
void grading_run(const struct kit *kit, const struct grading_options *options, struct grade *grade);
void grade_free(struct grade *grade);

#endif
