/* handin.h: the report that a student hands in: FOLDER/report.md, with charts of their own kernels,
 * and made from it report.html and report.pdf.
 *
 * The kit writes blocks of report.md (blocks.h), and writes them anew each time; all other words
 * are the student's, and stay. */
#ifndef KIT_HANDIN_H
#define KIT_HANDIN_H

#include "grader/base/screen.h"
#include "grader/run/series.h"
#include "grader/run/sizes.h"
#include "grader/run/sweep.h"
#include "grader/score/score.h"

/* What was measured; what was not has a sentence in its place. */
struct handin {
  const struct kit *kit;
  const struct grade *grade;   /* of all cases, with where accesses went */
  const struct sizes *sizes;   /* NULL: no_sizes says why */
  const struct sweep *sweep;   /* NULL: the lab has none, or no_sweep says why */
  const struct series *series; /* series_count of them */
  int series_count;
  const char *no_sizes, *no_sweep;
  const char *folder; /* which is there */
};

/* Writes all files of the report, and says on the screen which. Ends the program if report.md
 * cannot be written, or holds marks of blocks that nobody can match: then no file is touched. */
void handin_write(const struct handin *handin, const struct screen *screen);

#endif
