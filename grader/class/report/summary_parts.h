/* summary_parts.h: what the files of the summary share. */
#ifndef KIT_SUMMARY_PARTS_H
#define KIT_SUMMARY_PARTS_H

#include "grader/class/base/gradebook.h"
#include "grader/class/report/summary.h"

/* All of them look at the temporary table standing(student, attempt, place): the graded attempts
 * that stand for their students; place: in summary->standings. */

/* Scores of every attempt, and the class's median after so many. */
void summary_progress(struct gradebook *book, struct summary *summary);
/* Times, traffic, ceilings; and each student's ratio. */
void summary_cases(struct gradebook *book, const struct conf *conf, struct summary *summary);
/* Which shapes of blocks were chosen. */
void summary_shapes(struct gradebook *book, const struct conf *conf, struct summary *summary);

#endif
