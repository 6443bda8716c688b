/* grading.h: from a file to its grade: build, run every case, measure the references, score. */
#ifndef KIT_GRADING_H
#define KIT_GRADING_H

#include "grader/run/build.h"
#include "grader/run/sizes.h"
#include "grader/score/score.h"

struct grading_options {
  const char *work; /* a private folder */
  const char *keep; /* folder for copies of job, report and output; or NULL */
  bool solution;    /* the file is the lab's reference: if it does not build, that is our fault */
  bool accesses;    /* shown cases report where their memory accesses went */
  bool timeline;    /* shown cases report what their work did when */
  const char *const *cases; /* only these; none: all */
  int case_count;
};

/* Before the first submission is built or run: a sandbox (sandbox_open), a private folder, which is
 * returned, and signals that are held until grading_close() removes the folder. */
const char *grading_open(const struct kit *kit, bool unsafe);
void grading_close(void);

/* Fills a grade that has lab, source, backend and seed. Compiler messages go to stderr at once. */
void grading_run(const struct kit *kit, const struct grading_options *options, struct grade *grade);
void grade_free(struct grade *grade);

/* --- first_results.c: on the progress line (screen.h), what is known of the cases so far, and what
 * is under way, as progress_show has it. */
void first_results_show(const struct grade *grade, const char *what, const char *name, int number,
                        int count);

/* --- measuring.c: the part of a grading that needs a real GPU. */

struct measuring {
  struct building *building; /* NULL: nothing is under way */
  char *path, *inside;       /* the runner, and the folder that it runs in */
  bool timeline;             /* what the shown cases' work does when is to be recorded */
};

/* Starts to build the file for the device, which goes on beside the simulator's part. */
void measuring_begin(const struct kit *kit, const struct grading_options *options,
                     const struct grade *grade, struct measuring *measuring);

/* The cases have been run on the simulator: runs those that are right on the device, too (what is
 * wrong there is wrong), and times the cases that performance items look at beside the reference
 * and the baseline; and records the timelines of shown cases, if they are asked for. A file with a
 * hazard is not run there: what a race or a stray access does on a device is luck, so its verdict
 * is the simulator's and its time is modelled, the same each time. messages gets the compiler's;
 * false: it refused the file. */
bool measuring_run(const struct kit *kit, struct grade *grade, struct measuring *measuring,
                   struct text *messages);

/* Whatever became of it. */
void measuring_end(struct measuring *measuring);

/* Is a case's error one by which CUDA reports that no device can be used? No submission does so. */
bool measuring_is_machines(const struct case_result *there);

/* --- sizing.c: a file over sizes, beside solutions and the CPU. */

/* Measures all that sizes.h leaves to be found. sizes has what was asked for, and sizes_check has
 * nothing against it; work: a private folder. Returns 0, or -1 with sizes->error, where refused
 * says whose fault it is; then nothing else is of use. */
int sizes_measure(const struct kit *kit, const char *work, struct sizes *sizes);

#endif
