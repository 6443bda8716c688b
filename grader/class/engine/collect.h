/* collect.h: has all pending attempts graded and merges what comes back. */
#ifndef KIT_CLASS_COLLECT_H
#define KIT_CLASS_COLLECT_H

#include "grader/class/base/class.h"

/* Grades what is pending, and what failed in an earlier run. Tells of those that have no grade
 * through class_problem. */
void collect_run(struct class *class);

/* Lists what was refused or could not be graded, each with its reason; counts them as problems. */
void collect_report(struct class *class);

#endif
