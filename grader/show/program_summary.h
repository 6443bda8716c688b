/* program_summary.h: what the device has seen of a program (./grade run), for people. */
#ifndef KIT_PROGRAM_SUMMARY_H
#define KIT_PROGRAM_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

#include "grader/base/screen.h"

struct program_summary_options {
  bool only_faults; /* nothing but what is wrong */
  bool lines;       /* the counters of lines */
};

/* report: harness/sim/remote/program_report.h; NULL: the program never used the device. Prints
 * hazards, the cause first, then launches by kernel, and the lines that move most for nothing.
 * Returns how many hazards there are that are no warnings. */
int program_summary(const struct screen *screen, const json_t *report,
                    const struct program_summary_options *options);

#endif
