/* gradescope_results.h: a grade as the results.json that Gradescope reads from an autograder.
 *
 * Format: https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format"). One
 * test an item: what is hidden is shown to students once grades are published, all else at once.
 * The leaderboard has the score and, for every performance item, its figure (a time or a ratio of
 * times, whose better end its threshold says). */
#ifndef KIT_GRADESCOPE_RESULTS_H
#define KIT_GRADESCOPE_RESULTS_H

#include "grader/score/score.h"

/* Replaces the file at once, or leaves it and ends the program. If the disk is full it first
 * removes PATH.reserve, which gradescope/run_autograder has put there for this. seconds: that
 * grading took. */
void gradescope_write(const struct grade *grade, double seconds, const char *path);

#endif
