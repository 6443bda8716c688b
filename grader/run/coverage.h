/* coverage.h: elements of an output that no kernel wrote, and why: the grid, or no kernel
 * at all. */
#ifndef KIT_COVERAGE_H
#define KIT_COVERAGE_H

#include "grader/run/report.h"

/* Which elements of the first output were left as they were before the call (bytes of 0xff), in
 * words, with what the set's launches have to do with it: "only columns 0 to 31 of 33 of C were
 * written: ...". The caller's; NULL if they form no pattern. The set's outputs are there. */
char *coverage_describe(const struct problem *problem, const long *dims,
                        const struct report *report, int set);

#endif
