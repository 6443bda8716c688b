/* measuring.h: the part of a grading that needs a real GPU. */
#ifndef KIT_MEASURING_H
#define KIT_MEASURING_H

#include "grader/grading/grading.h"
#include "grader/run/build.h"

struct measuring {
  struct building *building; /* NULL: nothing is under way */
  char *path, *inside;       /* the runner, and the folder that it runs in */
};

/* Starts to build the file for the device, which goes on beside the simulator's part. */
void measuring_begin(const struct kit *kit, const struct grading_options *options,
                     const struct grade *grade, struct measuring *measuring);

/* The cases have been run on the simulator: runs those that are right on the device, too (what is
 * wrong there is wrong), and times the cases that performance items look at beside the reference
 * and the baseline. A file with a hazard is not run there: what a race or a stray access does on a
 * device is luck, so its verdict is the simulator's and its time is modelled, the same each time.
 * messages gets the compiler's; false: it refused the file. */
bool measuring_run(const struct kit *kit, struct grade *grade, struct measuring *measuring,
                   struct text *messages);

/* Whatever became of it. */
void measuring_end(struct measuring *measuring);

#endif
