/* access_lines.h: the source lines whose memory accesses were recorded, and what they cost. */
#ifndef KIT_ACCESS_LINES_H
#define KIT_ACCESS_LINES_H

#include "grader/score/score.h"

struct access_line {
  int line;
  double spent;                       /* sectors and wavefronts */
  double wasted;                      /* of these, more than its words would take side by side */
  const struct launch_record *launch; /* where it costs most; only its first call counts */
  const char *case_name;              /* of that launch */
};

/* Every such line once, those that waste most first. Returns their number; *lines is the
 * caller's, what it points to the grade's. */
int access_lines(const struct grade *grade, struct access_line **lines);

#endif
