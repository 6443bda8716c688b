/* by_hand.h: a runner that somebody started by hand. */
#ifndef KIT_BY_HAND_H
#define KIT_BY_HAND_H

#include "harness/problems/problem.h"

struct by_hand {
  void *function; /* of the student's */
  long dims[PROBLEM_MAX_DIMS];
  unsigned long seed;
  int rounds; /* of timing; 0: none */
};

/* Makes inputs, calls the function once, and prints launches, hazards, and whether the result is
 * right. Returns the process's exit status. */
int by_hand_run(const struct by_hand *options);
/* Times the function and prints a table of one row. */
int by_hand_time(const struct by_hand *options);

#endif
